package org.starlingqcd.correlators.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/**
 * Seeded random definitions, as text: products of hadrons of random isospin, momentum, irrep and
 * row, and terms written out in four flavours on three labels.
 */
final class RandomDefinitions {
  private static final List<String> SPIN_0 =
      List.of("pi", "a0", "eta", "f0", "eta_s", "f0_s", "K", "Kbar");
  private static final List<String> SPIN_1 =
      List.of("rho", "a1", "b1", "omega", "f1", "h1", "phi", "Kstar", "Kstarbar");
  private static final List<String> REST =
      List.of("A1+", "A2+", "E+", "T1+", "T2+", "A1-", "A2-", "E-", "T1-", "T2-");
  private static final List<String> FLIGHT = List.of("A1", "A2", "B1", "B2", "E");
  private static final List<String> ISOSPINS =
      List.of(
          "[0, 0]",
          "[1/2, 1/2]",
          "[1/2, -1/2]",
          "[1, 1]",
          "[1, 0]",
          "[1, -1]",
          "[3/2, 1/2]",
          "[2, 1]");
  private static final List<String> GAMMAS =
      List.of(
          "1", "g5", "g1", "g2", "g3", "g4", "g1g2", "g3g1", "g2g3", "g1g4", "g4g2", "g4g3", "g5g1",
          "g2g5", "g3g5", "g4g5");
  private static final List<String> FLAVOURS = List.of("u", "d", "s", "c");

  /** Pairings that a naive evaluation of all elements may take. */
  private static final double MAX_PAIRINGS = 60_000;

  private static final int MAX_ATTEMPTS = 400;

  private final Random random;

  RandomDefinitions(long seed) {
    random = new Random(seed);
  }

  /** A definition with up to three operators that are products of mesons. */
  CorrelationMatrix mesons() {
    return definition(
        () -> {
          int[] total = momentum();
          String header =
              "isospin: " + pick(ISOSPINS) + "\nmomentum: " + text(total) + "\n" + irrep(total);
          return new Draft(
              header + (random.nextBoolean() ? "vev: true\n" : ""),
              () -> product(List.of(), 1 + random.nextInt(3), total, header));
        });
  }

  /** A definition with a nucleon and mesons, or with two nucleons. */
  CorrelationMatrix nucleons() {
    return definition(
        () -> {
          int[] total = momentum();
          boolean two = random.nextInt(3) == 0;
          String header =
              "isospin: "
                  + (two ? pick(List.of("[0, 0]", "[1, 1]", "[1, 0]")) : pick(ISOSPINS))
                  + "\nmomentum: "
                  + text(total)
                  + "\n";
          List<String> nucleons = two ? List.of(nucleon(), nucleon()) : List.of(nucleon());
          return new Draft(
              header, () -> product(nucleons, two ? 0 : random.nextInt(2), total, header));
        });
  }

  /** A definition with terms written out, every term with the same kinds of factors. */
  CorrelationMatrix writtenOut(int baryons) {
    return definition(
        () -> {
          int[] total = momentum();
          String header =
              "momentum: "
                  + text(total)
                  + "\nquarks: {d: "
                  + pick(List.of("light", "down"))
                  + ", c: charm}\n"
                  + (baryons == 0 && random.nextBoolean() ? "vev: true\n" : "");
          return new Draft(header, () -> terms(baryons, total));
        });
  }

  private record Draft(String header, Supplier<String> operator) {}

  /**
   * Adds operators that are sound and affordable until there are up to three; begins anew if the
   * header suits none.
   */
  private CorrelationMatrix definition(Supplier<Draft> drafts) {
    int wanted = 1 + random.nextInt(3);
    while (true) {
      Draft draft = drafts.get();
      String text = "name: random\n" + draft.header() + "operators:\n";
      CorrelationMatrix matrix = null;
      int operators = 0;
      for (int attempt = 0; attempt < MAX_ATTEMPTS && operators < wanted; attempt++) {
        String longer = text + "  - name: o" + operators + "\n" + draft.operator().get();
        CorrelationMatrix candidate = sound(longer);
        if (candidate != null && pairings(candidate) <= MAX_PAIRINGS) {
          matrix = candidate;
          text = longer;
          operators++;
        }
      }
      if (matrix != null) {
        return matrix;
      }
    }
  }

  /** The definition, unless an isospin is impossible or a projection or operator vanishes. */
  private static @Nullable CorrelationMatrix sound(String text) {
    try {
      return DefinitionLoader.parse("random", text).toCorrelationMatrix();
    } catch (DefinitionException e) {
      return null;
    }
  }

  /** The pairings of all elements, were every flavour the same. */
  private static double pairings(CorrelationMatrix matrix) {
    double sum = 0;
    for (Operator left : matrix.operators()) {
      for (Operator right : matrix.operators()) {
        for (Term a : left.terms()) {
          for (Term b : right.terms()) {
            double factorial = 1;
            for (int k = 2; k <= a.factors().size() + b.factors().size(); k++) {
              factorial *= k;
            }
            sum += factorial;
          }
        }
      }
    }
    return sum;
  }

  private String product(List<String> nucleons, int mesons, int[] total, String header) {
    int count = nucleons.size() + mesons;
    List<int[]> momenta = split(total, count);
    StringBuilder text = new StringBuilder("    hadrons:\n");
    for (int k = 0; k < count; k++) {
      String hadron = k < nucleons.size() ? nucleons.get(k) : meson();
      text.append("      - {").append(hadron);
      text.append(", momentum: ").append(text(momenta.get(k))).append("}\n");
    }
    if (count == 3) {
      text.append("    intermediate_isospin: [");
      text.append(pick(List.of("0", "1", "1/2", "2", "3/2"))).append("]\n");
    }
    if (header.contains("row: z") && random.nextBoolean()) {
      text.append("    seed_row: x\n");
    }
    return text.toString();
  }

  private String meson() {
    return random.nextInt(3) > 0
        ? "meson: " + pick(SPIN_0)
        : "meson: " + pick(SPIN_1) + ", polarization: " + pick(List.of("x", "y", "z"));
  }

  private String nucleon() {
    return "baryon: N, component: "
        + (1 + random.nextInt(4))
        + ", parity: "
        + pick(List.of("plus", "minus"));
  }

  private String terms(int baryons, int[] total) {
    StringBuilder text = new StringBuilder("    terms:\n");
    int mesons = baryons == 0 ? 1 + random.nextInt(2) : random.nextInt(3 - baryons);
    for (int term = 1 + random.nextInt(2); term > 0; term--) {
      List<int[]> momenta = split(total, baryons + mesons);
      List<String> factors = new ArrayList<>();
      text.append("      - coefficient: [");
      text.append(random.nextGaussian()).append(", ").append(random.nextGaussian()).append("]\n");
      for (int k = 0; k < baryons; k++) {
        factors.add(
            "{quarks: ["
                + String.join(", ", flavour(), flavour(), flavour())
                + "], diquark: C"
                + pick(GAMMAS).replaceAll("^1$", "")
                + ", parity: "
                + pick(List.of("plus", "minus"))
                + ", component: "
                + (1 + random.nextInt(4))
                + ", momentum: "
                + text(momenta.get(k))
                + "}");
      }
      if (baryons > 0) {
        text.append("        baryons: [").append(String.join(", ", factors)).append("]\n");
      }
      factors.clear();
      for (int k = baryons; k < baryons + mesons; k++) {
        factors.add(
            "{bar: "
                + flavour()
                + ", gamma: "
                + pick(GAMMAS)
                + ", quark: "
                + flavour()
                + ", momentum: "
                + text(momenta.get(k))
                + (random.nextInt(3) == 0 ? ", displacement: nabla_y" : "")
                + "}");
      }
      if (mesons > 0) {
        text.append("        mesons: [").append(String.join(", ", factors)).append("]\n");
      }
    }
    return text.toString();
  }

  /** Two flavours out of three times, so that something contracts. */
  private String flavour() {
    return random.nextInt(3) == 0 ? pick(FLAVOURS) : pick(FLAVOURS.subList(0, 2));
  }

  private String irrep(int[] total) {
    if (random.nextInt(3) == 0) {
      return "";
    }
    boolean rest = Stream.of(total[0], total[1], total[2]).allMatch(n -> n == 0);
    String irrep = pick(rest ? REST : FLIGHT);
    String row =
        irrep.startsWith("T")
            ? "row: " + pick(List.of("x", "z")) + "\n"
            : irrep.startsWith("E") ? "row: " + pick(List.of("1", "2")) + "\n" : "";
    return "irrep: " + irrep + "\n" + row;
  }

  private List<int[]> split(int[] total, int count) {
    List<int[]> momenta = new ArrayList<>();
    int[] rest = total.clone();
    for (int k = 0; k < count; k++) {
      int[] n = k == count - 1 ? rest.clone() : momentum();
      for (int axis = 0; axis < 3; axis++) {
        rest[axis] -= n[axis];
      }
      momenta.add(n);
    }
    return momenta;
  }

  /** Zero, or along an axis or a diagonal. */
  private int[] momentum() {
    int[] n = new int[3];
    for (int axis = random.nextInt(4) * random.nextInt(2); axis > 0; axis--) {
      n[axis - 1] = random.nextBoolean() ? 1 : -1;
    }
    return n;
  }

  private static String text(int[] n) {
    return "[" + n[0] + ", " + n[1] + ", " + n[2] + "]";
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
