package org.starlingqcd.correlators.definition.survey;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.ChargeParity;
import org.starlingqcd.correlators.definition.Eigenvalue;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.Mixing;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.definition.hadrons.Diquark;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.Tetraquark;
import org.starlingqcd.correlators.definition.hadrons.TetraquarkHadron;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.text.Quoted;

/**
 * A definition of all operators of two and three hadrons whose non-interacting energy lies below a
 * bound, as YAML.
 *
 * <p>All operators have one net flavour. The lightest product chooses it, and the isospin too if
 * none is asked for: the smallest with which it has an operator. Products of other flavour are
 * named in comments.
 */
public final class OperatorListing {
  /** Customary labels of the perambulators of flavours. */
  private static final Map<String, String> LABELS = Map.of("c", "charm", "b", "bottom");

  private final Request request;
  private final Irrep irrep;
  private final int row;
  private final List<NonInteractingProducts.Product> products;

  /**
   * The request.
   *
   * @param irrep its name
   * @param row its row; the first if null
   * @param momentum the total momentum
   * @param isospin total isospin and I3; null for the smallest that is possible
   * @param gParity G parity, +1 or -1; 0 for that of the lightest product
   * @param masses by the names of hadrons, in lattice units
   * @param names the hadrons that are known
   * @param like mesons among them that are like others: the other's name, and the flavour in the
   *     place of s
   * @param tetraquarks whether tetraquarks of the flavours of two mesons are listed too
   * @param profiles widths of Gaussian profiles, with each of which all operators are listed again
   * @param extent L
   * @param below the bound on the energy, in lattice units
   */
  public record Request(
      String irrep,
      @Nullable String row,
      Momentum momentum,
      @Nullable Isospin isospin,
      int gParity,
      Map<String, Double> masses,
      HadronNames names,
      Map<String, List<String>> like,
      boolean tetraquarks,
      List<Double> profiles,
      int extent,
      double below) {}

  /**
   * An operator.
   *
   * @param comment its energy
   */
  private record Entry(OperatorDefinition.Product operator, String comment) {}

  private OperatorListing(Request request) {
    this.request = request;
    irrep = irrep(request);
    row = row(request.row(), irrep);
    products =
        NonInteractingProducts.of(
            request.names(),
            request.masses(),
            irrep.isDoubleValued(),
            request.momentum(),
            request.extent(),
            request.below());
  }

  /**
   * The definition as YAML.
   *
   * @throws InputException if a name is unknown or nothing lies below the bound
   */
  public static String yaml(Request request) {
    return new OperatorListing(request).yaml();
  }

  private static Irrep irrep(Request request) {
    try {
      return Irrep.of(request.irrep(), request.momentum());
    } catch (IllegalArgumentException e) {
      throw new InputException(
          "unknown irrep "
              + Quoted.of(request.irrep())
              + ": "
              + e.getMessage()
              + Irrep.suggestion(request.irrep(), request.momentum()),
          e);
    }
  }

  private static int row(@Nullable String row, Irrep irrep) {
    if (row == null) {
      return 0;
    }
    int index = irrep.rows().indexOf(row);
    if (index < 0) {
      throw new InputException(
          "irrep "
              + irrep.name()
              + " has no row "
              + Quoted.of(row)
              + ": expected one of "
              + String.join(", ", irrep.rows()));
    }
    return index;
  }

  private String yaml() {
    Isospin asked = request.isospin();
    for (NonInteractingProducts.Product product : products) {
      List<HalfInteger> isospins = IrrepTable.totals(product.hadrons());
      for (HalfInteger isospin : isospins) {
        if (asked == null || asked.total().equals(isospin)) {
          Isospin chosen = asked == null ? new Isospin(isospin, isospin) : asked;
          List<IndependentOperators.Found> first =
              operators(chosen, request.gParity()).of(product.hadrons(), irrep);
          if (!first.isEmpty()) {
            Operator operator = first.get(0).operator();
            Eigenvalue g = ChargeParity.G.of(operator.terms());
            if (g.isNone() && request.gParity() != 0) {
              continue;
            }
            // An operator that is no eigenstate has parts with both values.
            return yaml(
                chosen,
                g.isNone() ? 0 : g.sign() == 0 ? 1 : g.sign(),
                Mixing.netFlavours(operator));
          }
        }
      }
    }
    throw InputException.of(
        "no product of two or three of the hadrons %s with an energy below %s has an operator in"
            + " irrep %s%s%s at total momentum %s; the number of baryons is %s in this irrep",
        String.join(", ", request.masses().keySet()),
        request.below(),
        irrep.name(),
        asked == null ? "" : " with isospin " + asked.total(),
        request.gParity() == 0 ? "" : " and G parity " + sign(request.gParity()),
        request.momentum(),
        irrep.isDoubleValued() ? "odd" : "even");
  }

  private static char sign(int sign) {
    return sign > 0 ? '+' : '-';
  }

  private IndependentOperators operators(Isospin isospin, int gParity) {
    return new IndependentOperators(
        IrrepTable.header(irrep, row, isospin, request.momentum()),
        isospin.total(),
        IrrepTable.charge(gParity));
  }

  private String yaml(Isospin isospin, int gParity, Set<Map<String, Integer>> flavour) {
    List<Entry> entries = new ArrayList<>();
    Map<String, Set<Map<String, Integer>>> others = new TreeMap<>();
    IndependentOperators independent = operators(isospin, gParity);
    Set<List<List<String>>> flavours = new LinkedHashSet<>();
    for (NonInteractingProducts.Product product : products) {
      if (!IrrepTable.totals(product.hadrons()).contains(isospin.total())) {
        continue;
      }
      for (IndependentOperators.Found found : independent.of(product.hadrons(), irrep)) {
        Set<Map<String, Integer>> net = Mixing.netFlavours(found.operator());
        if (net.equals(flavour)) {
          entries.add(
              new Entry(found.product(), String.format(Locale.US, "E = %.6f", product.energy())));
          found.operator().terms().forEach(term -> addFlavours(term, flavours));
        } else {
          others.put(HadronText.of(product.hadrons()), net);
        }
      }
    }
    Map<String, Tetraquark.Part> tetraquarks = new LinkedHashMap<>();
    for (List<List<String>> pairs : flavours) {
      for (Tetraquark.Part part :
          Tetraquark.Part.all(pairs.get(0), pairs.get(1), isospin.total())) {
        String name = "tetraquark" + (tetraquarks.size() + 1);
        Tetraquark tetraquark = new Tetraquark(name, List.of(part));
        HadronFactor seed = new TetraquarkHadron(tetraquark, request.momentum(), 0, List.of());
        String elementals =
            "elementals/tetraquark/"
                + part.diquark().colour()
                + "/"
                + request.momentum().fileName();
        for (IndependentOperators.Found found : independent.of(List.of(seed), irrep)) {
          tetraquarks.put(name, part);
          entries.add(new Entry(found.product(), elementals));
        }
      }
    }
    StringBuilder text = new StringBuilder();
    comment(text, isospin, others);
    header(text, isospin, gParity);
    names(text, tetraquarks);
    text.append("operators:\n");
    Map<String, Integer> counts = new TreeMap<>();
    entries.forEach(entry -> operator(text, entry, counts, ""));
    for (int k = 1; k <= request.profiles().size(); k++) {
      for (Entry entry : entries) {
        operator(text, entry, counts, "g" + k);
      }
    }
    return text.toString();
  }

  /** Adds the flavours of a term of two mesons: two antiquarks, and two quarks. */
  private void addFlavours(Term term, Set<List<List<String>>> flavours) {
    List<String> bars = new ArrayList<>();
    List<String> quarks = new ArrayList<>();
    for (Factor factor : term.factors()) {
      if (factor instanceof Bilinear b) {
        bars.add(light(b.bar()));
        quarks.add(light(b.quark()));
      }
    }
    if (request.tetraquarks() && bars.size() == 2 && term.factors().size() == 2) {
      Collections.sort(bars);
      Collections.sort(quarks);
      flavours.add(List.of(bars, quarks));
    }
  }

  private static String light(String flavour) {
    return flavour.equals("u") || flavour.equals("d") ? Diquark.LIGHT : flavour;
  }

  /** The flavours, hadrons and profiles that the definition names. */
  private void names(StringBuilder text, Map<String, Tetraquark.Part> tetraquarks) {
    Map<String, String> quarks = new TreeMap<>();
    List<String> mesons = new ArrayList<>();
    request
        .like()
        .forEach(
            (name, like) -> {
              quarks.put(like.get(1), LABELS.getOrDefault(like.get(1), like.get(1)));
              mesons.add("%s: {like: %s, strange: %s}".formatted(name, like.get(0), like.get(1)));
            });
    if (!mesons.isEmpty()) {
      text.append("quarks: ").append(quarks.toString().replace("=", ": ")).append('\n');
      text.append("mesons: {").append(String.join(", ", mesons)).append("}\n");
    }
    text.append(tetraquarks.isEmpty() ? "" : "tetraquarks:\n");
    tetraquarks.forEach(
        (name, t) ->
            text.append(
                ("  %s: {antiquarks: %s, antidiquark: %s, quarks: %s, diquark: %s, colour: %s,"
                        + " isospin: %s, spin: %d, irrep: %s}\n")
                    .formatted(
                        name,
                        t.antidiquark().flavours(),
                        t.antidiquark().kind(),
                        t.diquark().flavours(),
                        t.diquark().kind(),
                        t.diquark().colour(),
                        t.isospin(),
                        t.spin(),
                        t.irrep().stem())));
    text.append(request.profiles().isEmpty() ? "" : "profiles:  # need laplacian_eigenvalues\n");
    for (int k = 1; k <= request.profiles().size(); k++) {
      text.append("  g%d: {gaussian: %s}\n".formatted(k, request.profiles().get(k - 1)));
    }
  }

  private void comment(
      StringBuilder text, Isospin isospin, Map<String, Set<Map<String, Integer>>> others) {
    text.append(
        ("# Products of two and three hadrons without interaction, energies E below %s on L = %d,"
                + " isospin %s.\n# Masses in lattice units:")
            .formatted(request.below(), request.extent(), isospin.total()));
    request
        .masses()
        .forEach((name, mass) -> text.append(' ').append(name).append(" = ").append(mass));
    text.append('\n');
    others.forEach(
        (product, net) ->
            text.append("# Left out because of its flavour: ")
                .append(product)
                .append(" creates ")
                .append(Mixing.text(net))
                .append('\n'));
  }

  private void header(StringBuilder text, Isospin isospin, int gParity) {
    Momentum n = request.momentum();
    String name =
        irrep.name().replace("+", "_plus").replace("-", "_minus")
            + "_"
            + n.fileName()
            + "_I"
            + isospin.total().toString().replace('/', '_');
    text.append(
        "name: %s\nisospin: [%s, %s]\nmomentum: %s\nirrep: %s\n"
            .formatted(name, isospin.total(), isospin.third(), n, irrep.name()));
    if (irrep.dimension() > 1) {
      text.append("row: ").append(irrep.rows().get(row)).append('\n');
    }
    if (gParity != 0) {
      text.append("g_parity: \"").append(sign(gParity)).append("\"\n");
    }
  }

  private void operator(
      StringBuilder text, Entry entry, Map<String, Integer> counts, String profile) {
    OperatorDefinition.Product operator = entry.operator();
    String name = operator.name() + (profile.isEmpty() ? "" : " " + profile);
    int count = counts.merge(name, 1, Integer::sum);
    text.append(
        "  - name: \"%s%s\"  # %s\n"
            .formatted(name, count == 1 ? "" : " #" + count, entry.comment()));
    text.append("    hadrons:\n");
    for (HadronFactor hadron : operator.hadrons()) {
      text.append("      - ").append(HadronText.yaml(hadron, profile)).append('\n');
    }
    if (irrep.dimension() > 1 && operator.seedRow() != row) {
      text.append("    seed_row: ").append(irrep.rows().get(operator.seedRow())).append('\n');
    }
    if (operator.hadrons().size() > 2) {
      text.append("    intermediate_isospin: ").append(operator.intermediateIsospin()).append('\n');
    }
  }
}
