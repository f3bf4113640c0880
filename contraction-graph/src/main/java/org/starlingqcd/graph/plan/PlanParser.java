package org.starlingqcd.graph.plan;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.PlanFile.PlanFileException;

/** Reads plans in the format of {@link PlanFile}: one pass over the lines of a file. */
final class PlanParser {
  private static final String ANEW = "; plan again and save anew";

  private final List<String> lines;
  private final List<CorrelationMatrix> matrices;
  private int number;
  private String[] words = {};

  private PlanParser(List<String> lines, List<CorrelationMatrix> matrices) {
    this.lines = lines;
    this.matrices = matrices;
  }

  /**
   * Parses the text of a plan file.
   *
   * @throws PlanFileException as {@link PlanFile#read} does
   */
  static ContractionPlan plan(
      String text, List<CorrelationMatrix> matrices, ReducerOptions options) {
    PlanParser parser = new PlanParser(text.lines().toList(), matrices);
    parser.checkVersion();
    checkWhole(text);
    try {
      parser.checkDefinitions();
      parser.checkOptions(options);
      return parser.body();
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new PlanFileException("damaged at line " + parser.number + ANEW);
    }
  }

  private void checkVersion() {
    String[] first = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
    if (first.length < 2 || !first[0].equals(PlanFile.MAGIC)) {
      throw new PlanFileException("not a plan file of Starling");
    }
    if (!first[1].equals(String.valueOf(PlanFile.VERSION))) {
      throw new PlanFileException(
          "version "
              + first[1]
              + " of the plan format; this program reads version "
              + PlanFile.VERSION
              + ANEW);
    }
    number = 1;
  }

  /** Checks that the last line is the digest of all others. */
  private static void checkWhole(String text) {
    int end = text.lastIndexOf("\nend ") + 1;
    if (end == 0 || !text.endsWith("\n")) {
      throw new PlanFileException("cut short" + ANEW);
    }
    if (!text.substring(end).equals("end " + PlanFile.sha256(text.substring(0, end)) + "\n")) {
      throw new PlanFileException("damaged: its checksum does not fit" + ANEW);
    }
  }

  private void checkDefinitions() {
    List<String> names = new ArrayList<>();
    List<String> digests = new ArrayList<>();
    for (next(); words[0].equals("definition"); next()) {
      names.add(RecordText.unquoted(words[1]));
      digests.add(words[2]);
    }
    List<String> wanted = matrices.stream().map(CorrelationMatrix::name).toList();
    if (!names.equals(wanted)) {
      throw new PlanFileException(
          "made for the definitions " + names + ", not for " + wanted + ANEW);
    }
    for (int k = 0; k < names.size(); k++) {
      if (!digests.get(k).equals(PlanFile.digest(matrices.get(k)))) {
        throw new PlanFileException(
            "made for another definition of the name " + names.get(k) + ANEW);
      }
    }
  }

  private void checkOptions(ReducerOptions options) {
    String made = lines.get(number - 1);
    String wanted = "options " + PlanFile.text(options);
    boolean mixed = options.mixedComponents();
    if (made.equals("options " + PlanFile.text(options, !mixed))) {
      throw new PlanFileException(
          mixed
              ? "made for data whose spin basis keeps the components of baryons apart; the basis of these data mixes them"
                  + "; plan again with --mixed-components and save anew"
              : "made for data whose spin basis mixes the components of baryons; the basis of these data does not"
                  + "; plan again without --mixed-components and save anew");
    }
    if (!made.equals(wanted)) {
      throw new PlanFileException("made with the " + made + ", not with the " + wanted + ANEW);
    }
  }

  private void next() {
    words = lines.get(number++).split(" ", -1);
  }

  private int integer(int word) {
    return Integer.parseInt(words[word]);
  }

  private Complex complex(int word) {
    return new Complex(Double.parseDouble(words[word]), Double.parseDouble(words[word + 1]));
  }

  private static void expect(boolean holds) {
    if (!holds) {
      throw new IllegalStateException();
    }
  }

  private int element(int word, int count) {
    int element = integer(word);
    expect(element >= 0 && element < count);
    return element;
  }

  private int mask(int word) {
    return element(word, 16);
  }

  private ContractionPlan body() {
    next();
    expect(words[0].equals("counts"));
    ContractionPlan.Counts counts =
        new ContractionPlan.Counts(
            Long.parseLong(words[1]),
            Long.parseLong(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[4]),
            Long.parseLong(words[5]),
            Long.parseLong(words[6]),
            Long.parseLong(words[7]));
    List<NodeRef> nodes = new ArrayList<>();
    for (next(); words[0].equals("node"); next()) {
      nodes.add(node());
    }
    expect(words[0].equals("intermediates"));
    int intermediates = integer(1);
    int elements = nodes.size() + intermediates;
    List<ContractionPlan.Product> products = new ArrayList<>();
    for (next(); words[0].equals("product"); next()) {
      products.add(
          new ContractionPlan.Product(
              element(1, elements),
              mask(2),
              element(3, elements),
              mask(4),
              element(5, elements),
              complex(6),
              Boolean.parseBoolean(words[8])));
    }
    List<ContractionPlan.Trace> traces = new ArrayList<>();
    for (; words[0].equals("trace"); next()) {
      int right = integer(4) == ContractionPlan.NONE ? ContractionPlan.NONE : element(4, elements);
      traces.add(new ContractionPlan.Trace(mask(1), element(2, elements), mask(3), right));
    }
    BaryonPart baryons = baryons();
    List<ContractionPlan.Output> outputs = new ArrayList<>();
    for (next(); words[0].equals("output"); next()) {
      outputs.add(output(traces.size()));
    }
    expect(words[0].equals("end"));
    return new ContractionPlan(
        matrices, nodes, products, intermediates, traces, outputs, counts, baryons);
  }

  private NodeRef node() {
    return new NodeRef(
        new ElementalRef(
            RecordText.unquoted(words[1]),
            new Momentum(integer(2), integer(3), integer(4)),
            Boolean.parseBoolean(words[5])),
        TimeSlot.valueOf(words[6]),
        RecordText.unquoted(words[7]),
        TimeSlot.valueOf(words[8]));
  }

  private BaryonPart baryons() {
    expect(words[0].equals("baryons"));
    if (!words[1].equals(PlanText.baryonLayout())) {
      throw new PlanFileException("made by another version of the program" + ANEW);
    }
    String line = lines.get(number - 1);
    return RecordText.parse(
        line.substring(words[0].length() + words[1].length() + 2), BaryonPart.class);
  }

  private ContractionPlan.Output output(int traces) {
    int matrix = element(1, matrices.size());
    int row = integer(2);
    int column = integer(3);
    int size = integer(4);
    List<ContractionPlan.Monomial> monomials = new ArrayList<>();
    for (int m = 0; m < size; m++) {
      next();
      List<ContractionPlan.Factor> factors = new ArrayList<>();
      Complex coefficient = complex(0);
      for (int k = 2; k < words.length; k++) {
        boolean conjugate = words[k].endsWith("*");
        String trace = conjugate ? words[k].substring(0, words[k].length() - 1) : words[k];
        int t = Integer.parseInt(trace);
        expect(t >= 0 && t < traces);
        factors.add(new ContractionPlan.Factor(t, conjugate));
      }
      monomials.add(new ContractionPlan.Monomial(coefficient, factors));
    }
    return new ContractionPlan.Output(matrix, row, column, monomials);
  }
}
