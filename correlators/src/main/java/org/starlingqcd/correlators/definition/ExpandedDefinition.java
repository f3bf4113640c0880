package org.starlingqcd.correlators.definition;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;

/** A definition with every operator written out, as JSON or text. */
public final class ExpandedDefinition {
  private final Definition definition;
  private final DefinitionHeader header;

  /** Whether the irrep is kept, so that components of baryons are those of DeGrand-Rossi. */
  private final boolean keepsIrrep;

  /** Prepares writing. */
  public ExpandedDefinition(Definition definition) {
    this.definition = definition;
    header = definition.header();
    // An irrep at another momentum than that of the operators means nothing to them; double-valued
    // irreps are the same at both.
    Irrep irrep = header.irrep();
    keepsIrrep = irrep != null && (irrep.isDoubleValued() || header.orientation() == null);
  }

  /**
   * The keys of the definition format. As JSON, which is YAML too, it is itself a definition, of
   * the same correlation matrix; {@code quantum_numbers} are not read.
   */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", header.name());
    describeProperties(map);
    map.put("quarks", header.quarks());
    map.put("vev", header.onePoint());
    map.put("allow_zero", header.allowZero());
    describeOperators(map);
    return map;
  }

  /** The same for a definition of three-point functions. */
  public static Map<String, Object> describe(CurrentDefinition definition) {
    DefinitionHeader header = definition.source().header();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", definition.name());
    if (!definition.sink().equals(definition.source())) {
      map.put("sink", new ExpandedDefinition(definition.sink()).side());
    }
    map.put("source", new ExpandedDefinition(definition.source()).side());
    map.put(
        "insertions",
        definition.insertions().stream()
            .map(
                insertion ->
                    ImmutableMap.of(
                        "name", insertion.name(),
                        "terms", insertion.terms().stream().map(ExpandedDefinition::term).toList()))
            .toList());
    map.put("disconnected", definition.disconnected());
    map.put("quarks", header.quarks());
    map.put("allow_zero", header.allowZero());
    return map;
  }

  private Map<String, Object> side() {
    Map<String, Object> map = new LinkedHashMap<>();
    describeProperties(map);
    describeOperators(map);
    return map;
  }

  private void describeProperties(Map<String, Object> map) {
    Isospin isospin = header.isospin();
    if (isospin != null) {
      map.put("isospin", List.of(isospin.total().toString(), isospin.third().toString()));
    }
    map.put("momentum", numbers(header.total()));
    DefinitionHeader.Target target = header.target();
    if (keepsIrrep && target != null) {
      map.put("irrep", target.irrep());
      header.rowName().ifPresent(row -> map.put("row", row));
    }
    DefinitionHeader.Charge charge = header.charge();
    if (charge != null) {
      map.put(
          charge.symmetry() == ChargeParity.G ? "g_parity" : "c_parity",
          Eigenvalue.of(charge.sign()).text());
    }
  }

  private void describeOperators(Map<String, Object> map) {
    List<Map<String, Object>> operators = new ArrayList<>();
    for (Operator operator : definition.toCorrelationMatrix().operators()) {
      operators.add(
          ImmutableMap.of(
              "name", operator.name(),
              "terms", operator.terms().stream().map(this::term).toList()));
    }
    map.put("operators", operators);
    map.put("quantum_numbers", QuantumNumbers.of(definition));
  }

  private static Map<String, Object> term(CurrentTerm term) {
    Complex c = coefficient(asTerm(term));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("coefficient", List.of(c.re(), c.im()));
    map.putAll(bilinear(bilinear(term)));
    return map;
  }

  private static Term asTerm(CurrentTerm term) {
    return new Term(term.coefficient(), List.of(bilinear(term)));
  }

  private static Bilinear bilinear(CurrentTerm term) {
    CurrentVertex v = term.vertex();
    return new Bilinear(term.bar(), v.gamma(), term.quark(), v.momentum(), v.displacement());
  }

  private static Map<String, Object> bilinear(Bilinear meson) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("bar", meson.bar());
    map.put("gamma", customaryName(meson.gamma()));
    map.put("quark", meson.quark());
    map.put("momentum", numbers(meson.momentum()));
    String displacement = Profiles.plain(meson.displacement());
    if (!displacement.equals(ElementalRef.NO_DISPLACEMENT)) {
      map.put("displacement", displacement);
    }
    map.putAll(ProfileReader.describeMeson(meson.displacement()));
    return map;
  }

  private Map<String, Object> term(Term term) {
    Complex c = coefficient(term);
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("coefficient", List.of(c.re(), c.im()));
    Map<String, List<Map<String, Object>>> factors = new LinkedHashMap<>();
    for (Factor factor : term.factors()) {
      String kind =
          factor instanceof Bilinear
              ? "mesons"
              : factor instanceof TetraquarkFactor
                  ? "tetraquarks"
                  : factor instanceof Gluonic ? "gluonic" : "baryons";
      factors.computeIfAbsent(kind, absent -> new ArrayList<>()).add(describe(factor));
    }
    map.putAll(factors);
    return map;
  }

  private Map<String, Object> describe(Factor factor) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (factor instanceof Bilinear meson) {
      return bilinear(meson);
    } else if (factor instanceof TetraquarkFactor t) {
      map.put("antiquarks", t.flavours().subList(0, 2));
      map.put("antidiquark", diquark(t.antidiquark()));
      map.put("quarks", t.flavours().subList(2, 4));
      map.put("diquark", diquark(t.diquark()));
      map.put("colour", t.colour().toString());
      map.putAll(ProfileReader.describe(t.profiles()));
    } else if (factor instanceof Gluonic g) {
      map.put("name", g.name());
      if (!g.row().isEmpty()) {
        map.put("row", g.row());
      }
    } else if (factor instanceof BaryonFactor baryon) {
      map.put("quarks", List.of(baryon.quark1(), baryon.quark2(), baryon.quark3()));
      map.put("diquark", diquark(baryon.diquark()));
      map.put("parity", baryon.parity() > 0 ? "plus" : "minus");
      map.put("component", baryon.component());
      if (baryon.deGrandRossi() != keepsIrrep) {
        map.put("basis", basis(baryon));
      }
      map.putAll(ProfileReader.describe(Profiles.in(baryon.displacement())));
    }
    map.put("momentum", numbers(factor.momentum()));
    return map;
  }

  /** A term in one line. */
  public String line(Term term) {
    StringBuilder line = new StringBuilder(coefficientText(term));
    for (Factor factor : term.factors()) {
      if (factor instanceof BaryonFactor b) {
        line.append(
            "  (%s %s %s) %s %s %d%s %s%s"
                .formatted(
                    b.quark1(),
                    diquark(b.diquark()),
                    b.quark2(),
                    b.quark3(),
                    b.parity() > 0 ? "+" : "-",
                    b.component(),
                    b.deGrandRossi() == keepsIrrep ? "" : " of " + basis(b),
                    b.momentum(),
                    profiles(Profiles.in(b.displacement()))));
      } else if (factor instanceof TetraquarkFactor t) {
        line.append(
            "  (%sbar %s %sbar) (%s %s %s) %s %s%s"
                .formatted(
                    t.bar1(),
                    diquark(t.antidiquark()),
                    t.bar2(),
                    t.quark3(),
                    diquark(t.diquark()),
                    t.quark4(),
                    t.colour(),
                    t.momentum(),
                    profiles(t.profiles())));
      } else if (factor instanceof Bilinear m) {
        line.append(line(m));
      } else if (factor instanceof Gluonic g) {
        line.append(
            "  gluonic %s%s %s"
                .formatted(g.name(), g.row().isEmpty() ? "" : " " + g.row(), g.momentum()));
      }
    }
    return line.toString();
  }

  /** A term of a current in one line. */
  public static String line(CurrentTerm term) {
    return coefficientText(asTerm(term)) + line(bilinear(term));
  }

  private static String line(Bilinear m) {
    String displacement = Profiles.plain(m.displacement());
    boolean local = displacement.equals(ElementalRef.NO_DISPLACEMENT);
    return "  %sbar %s%s %s %s%s"
        .formatted(
            m.bar(),
            customaryName(m.gamma()),
            local ? "" : " " + displacement,
            m.quark(),
            m.momentum(),
            profiles(Profiles.in(m.displacement())));
  }

  /** Profiles in one line, without the numbers of weights, which may be many. */
  private static String profiles(List<String> profiles) {
    return profiles.stream()
        .map(p -> p.isEmpty() ? "-" : p.startsWith("weights") ? "weights" : p)
        .reduce((a, b) -> a + ", " + b)
        .map(text -> " {" + text + "}")
        .orElse("");
  }

  private static String coefficientText(Term term) {
    Complex c = coefficient(term);
    return String.format(
        Locale.US,
        "  %22s",
        c.im() == 0 ? number(c.re()) : "[" + number(c.re()) + ", " + number(c.im()) + "]");
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString(Math.round(value))
        : Double.toString(value);
  }

  /** The coefficient for gammas under their customary names. */
  private static Complex coefficient(Term term) {
    int sign = 1;
    for (Factor factor : term.factors()) {
      for (Gamma gamma : factor.gammas()) {
        sign *= gamma.sign() * Gamma.parse(customaryName(gamma)).sign();
      }
    }
    // The sum with 0 turns -0 into 0.
    return term.coefficient().times(sign).plus(Complex.ZERO);
  }

  private static String diquark(Gamma diquark) {
    String gamma = customaryName(diquark);
    return gamma.equals("1") ? "C" : "C" + gamma;
  }

  /** The spin basis of the component if it is not the default of the definition. */
  private static String basis(BaryonFactor baryon) {
    return baryon.deGrandRossi() ? OperatorReader.DEGRAND_ROSSI : OperatorReader.DATA;
  }

  private static List<Integer> numbers(Momentum n) {
    return List.of(n.x(), n.y(), n.z());
  }

  /** Products of three gammas are usually written with g5: {@code g3g5}, not {@code g1g2g4}. */
  private static String customaryName(Gamma gamma) {
    return Integer.bitCount(gamma.mask()) == 3
        ? gamma.times(Gamma.G5).unsigned() + "g5"
        : gamma.unsigned().toString();
  }
}
