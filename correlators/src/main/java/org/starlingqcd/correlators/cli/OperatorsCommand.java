package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.survey.HadronText;
import org.starlingqcd.correlators.definition.survey.IrrepTable;
import org.starlingqcd.correlators.definition.survey.OperatorListing;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code starling operators}: which irreps a product of hadrons contains, and which products lie
 * below an energy.
 */
@Command(
    description = {
      "Show which irreps products of hadrons contain, or list the products of two and three hadrons"
          + " whose energy without interaction lies below a bound as a definition ready to use.",
      "Examples:",
      "  starling operators \"N(0,0,1) pi(0,0,-1)\" --irreps",
      "  starling operators --non-interacting --irrep G1u --momentum 0,0,0"
          + " --masses N=0.6,pi=0.2 -L 24 --below 1.2 > npi.yaml"
    })
public final class OperatorsCommand implements Callable<Integer> {
  private static final Pattern FLAVOUR = Pattern.compile("(?![ud]$)[A-Za-z]\\w*");

  @Parameters(
      paramLabel = "PRODUCT",
      arity = "0..*",
      description =
          "Products of hadrons with their momenta, baryons first: \"N(0,0,1) pi(0,0,-1)\"; N- is the"
              + " nucleon of negative parity.")
  private List<String> products = List.of();

  @Option(
      names = "--irreps",
      description =
          "Print the irreps that each product contains, with rows, multiplicities and the number of"
              + " operators for each isospin (the default with a product).")
  private boolean irreps;

  @Option(
      names = "--non-interacting",
      description =
          "Print a definition with the products below --below; needs --irrep, --masses, -L, --below.")
  private boolean nonInteracting;

  @Option(names = "--irrep", paramLabel = "NAME", description = "The irrep at --momentum.")
  private @Nullable String irrep;

  @Option(
      names = "--row",
      paramLabel = "ROW",
      description = "Its row; default: the first of the irrep.")
  private @Nullable String row;

  @Option(
      names = "--momentum",
      paramLabel = "X,Y,Z",
      split = ",",
      description = "The total momentum; default 0,0,0.")
  private List<Integer> momentum = List.of(0, 0, 0);

  @Option(
      names = "--isospin",
      paramLabel = "I[,I3]",
      split = ",",
      description =
          "The total isospin, with I3 = I if not given; default: the smallest for which the lightest"
              + " product has an operator.")
  private List<String> isospin = List.of();

  @Option(
      names = "--g-parity",
      paramLabel = "SIGN",
      description =
          "The G parity, + or -, of operators without net flavour; default: that of the lightest"
              + " product.")
  private String gParity = "";

  @Option(
      names = "--masses",
      paramLabel = "NAME=MASS",
      split = ",",
      description = "Hadrons and their masses in lattice units.")
  private Map<String, Double> masses = new LinkedHashMap<>();

  @Option(
      names = "--like",
      paramLabel = "NAME=MESON:FLAVOUR",
      split = ",",
      description =
          "Names for mesons with another flavour in the place of the strange quark, as D=Kbar:c.")
  private Map<String, String> like = new LinkedHashMap<>();

  @Option(
      names = "--tetraquarks",
      description =
          "List all tetraquarks with the flavours of products of two mesons too, with the elementals"
              + " that they need.")
  private boolean tetraquarks;

  @Option(
      names = "--profiles",
      paramLabel = "WIDTH",
      split = ",",
      description =
          "List the operators of hadrons once more with Gaussian distillation profiles of these"
              + " widths.")
  private List<Double> profiles = List.of();

  @Option(names = "-L", paramLabel = "L", description = "The spatial extent of the lattice.")
  private int extent;

  @Option(
      names = "--below",
      paramLabel = "ENERGY",
      description = "The bound on the energy, in lattice units, in the frame of --momentum.")
  private double below;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (nonInteracting == !products.isEmpty()
        || (nonInteracting && (irreps || output.isJson()))
        || (!nonInteracting && (tetraquarks || !profiles.isEmpty()))) {
      throw new InputException(
          "expected either products such as \"N(0,0,1) pi(0,0,-1)\", with --irreps and --json if"
              + " wanted, or --non-interacting with --irrep, --masses, -L and --below, and --tetraquarks or"
              + " --profiles if wanted");
    }
    if (nonInteracting) {
      PrintWriter out = output.out();
      out.print(OperatorListing.yaml(request()));
      out.flush();
    } else {
      HadronNames names = names();
      List<IrrepTable> tables =
          products.stream()
              .map(text -> IrrepTable.of(HadronText.product(text, names), sign()))
              .toList();
      output.write(
          () -> Map.of("products", tables), out -> tables.forEach(table -> print(table, out)));
    }
    return ErrorReport.SUCCESS;
  }

  private OperatorListing.Request request() {
    if (irrep == null) {
      throw new InputException("--non-interacting needs --irrep");
    }
    if (masses.isEmpty() || masses.values().stream().anyMatch(m -> !(m > 0 && m < 1e6))) {
      throw new InputException("--masses: expected positive masses, such as N=0.6,pi=0.2");
    }
    if (extent < 1) {
      throw new InputException("-L: expected the spatial extent, a positive integer");
    }
    if (!(below > 0 && below < 1e6)) {
      throw new InputException("--below: expected a positive energy in lattice units");
    }
    if (momentum.size() != 3) {
      throw new InputException("--momentum has three components, found " + momentum.size());
    }
    if (profiles.stream().anyMatch(width -> !(width > 0 && width < 1e6))) {
      throw new InputException("--profiles: expected positive widths, such as 0.4,0.8");
    }
    Map<String, List<String>> others = new LinkedHashMap<>();
    like.forEach((name, other) -> others.put(name, List.of(other.split(":", 2))));
    return new OperatorListing.Request(
        irrep,
        row,
        new Momentum(momentum.get(0), momentum.get(1), momentum.get(2)),
        isospin(),
        sign(),
        masses,
        names(),
        others,
        tetraquarks,
        profiles,
        extent,
        below);
  }

  /** The known hadrons, with those of {@code --like}. */
  private HadronNames names() {
    HadronNames names = new HadronNames(false);
    like.forEach(
        (name, other) -> {
          String[] parts = other.split(":", 2);
          try {
            names.checkFree(name);
            if (parts.length < 2 || !FLAVOUR.matcher(parts[1]).matches()) {
              throw new IllegalArgumentException(
                  "expected NAME=MESON:FLAVOUR with a flavour other than u and d, such as D=Kbar:c");
            }
            names.add(names.meson(parts[0]).like(name, parts[1]));
          } catch (IllegalArgumentException e) {
            throw new InputException("--like: " + e.getMessage(), e);
          }
        });
    return names;
  }

  private int sign() {
    return switch (gParity) {
      case "" -> 0;
      case "+", "plus" -> 1;
      case "-", "minus" -> -1;
      default ->
          throw new InputException("--g-parity: expected + or -, found " + Quoted.of(gParity));
    };
  }

  private @Nullable Isospin isospin() {
    if (isospin.isEmpty()) {
      return null;
    }
    List<HalfInteger> values = new ArrayList<>();
    for (String text : isospin) {
      values.add(
          HalfInteger.parse(text)
              .orElseThrow(
                  () ->
                      new InputException(
                          "--isospin: expected an integer or a half such as 1/2, found " + text)));
    }
    try {
      return new Isospin(values.get(0), values.get(values.size() - 1));
    } catch (IllegalArgumentException e) {
      throw new InputException("--isospin: " + e.getMessage(), e);
    }
  }

  private static void print(IrrepTable table, PrintWriter out) {
    out.println(table.product() + ": total momentum " + table.momentum());
    if (table.rows().isEmpty()) {
      out.println("  no irrep: operators with an odd number of baryons are used as they stand");
      return;
    }
    List<String> isospins = List.copyOf(table.rows().get(0).operators().keySet());
    boolean neutral = table.rows().stream().anyMatch(line -> !line.gParity().isEmpty());
    String column = neutral ? " %14s" : " %8s";
    out.printf("  %-5s %-8s %12s", "irrep", "rows", "multiplicity");
    isospins.forEach(value -> out.printf(column, "I = " + value));
    out.println();
    for (IrrepTable.Row line : table.rows()) {
      String rows = line.rows().size() == 1 ? "-" : String.join(" ", line.rows());
      out.printf("  %-5s %-8s %12d", line.irrep(), rows, line.multiplicity());
      line.operators().forEach((value, count) -> out.printf(column, cell(line, value, count)));
      out.println();
    }
    out.println(
        "  multiplicity: operators for each row, equal hadrons taken for different ones; I = …:"
            + " independent operators for each row with this isospin"
            + (neutral
                ? ", and the G parities that they have, themselves or with their partners"
                : ""));
  }

  private static String cell(IrrepTable.Row line, String isospin, int count) {
    String g = line.gParity().getOrDefault(isospin, "");
    return count + (g.isEmpty() ? "" : (isospin.equals("0") ? " (G = C: " : " (G: ") + g + ")");
  }
}
