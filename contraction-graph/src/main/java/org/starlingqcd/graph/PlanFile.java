package org.starlingqcd.graph;

import com.google.common.hash.Hashing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Saves plans and reads them again, as lines of text. A file names the definition that it was made
 * for by a digest of its correlation matrices and options, and is refused for any other.
 *
 * <p>Lines are words separated by blanks: {@code node displacement nx ny nz adjoint time label
 * next}, {@code product destination Γ_L left Γ_I right re im accumulate}, {@code trace Γ_L left Γ_I
 * right}, {@code output matrix row column monomials}, each followed by {@code re im factors…}, a
 * factor being a trace number with {@code *} for its conjugate. Coefficients are hexadecimal
 * floating-point numbers, so that a plan read back is bit for bit the same. Plans with baryons are
 * not saved.
 */
public final class PlanFile {
  /** Version of the format; files of another are refused. */
  public static final int VERSION = 1;

  private static final String MAGIC = "starling-plan";

  private PlanFile() {}

  /** A file that cannot be used, with the reason. */
  public static final class PlanFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlanFileException(String message) {
      super(message);
    }
  }

  /** What a plan depends on, as 64 hexadecimal digits. */
  public static String digest(List<CorrelationMatrix> matrices, ReducerOptions options) {
    StringBuilder text = new StringBuilder();
    for (CorrelationMatrix matrix : matrices) {
      text.append(matrix.name()).append('|').append(matrix.operators());
      text.append('|').append(new TreeMap<>(matrix.quarkLabels()));
      text.append('|').append(matrix.onePoint()).append('\n');
    }
    text.append(options.withLabelsWithoutGamma5(Set.of()));
    text.append(new TreeSet<>(options.labelsWithoutGamma5()));
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
  }

  /**
   * Writes a plan.
   *
   * @throws IllegalArgumentException for a plan with baryons
   */
  public static void write(Path file, ContractionPlan plan, ReducerOptions options)
      throws IOException {
    Files.writeString(file, text(plan, options));
  }

  /**
   * Reads the plan of some correlation matrices.
   *
   * @throws PlanFileException if the file is none, of another version, damaged, or made for other
   *     matrices or options
   */
  public static ContractionPlan read(
      Path file, List<CorrelationMatrix> matrices, ReducerOptions options) throws IOException {
    try {
      return new Reading(Files.readString(file), matrices).plan(digest(matrices, options));
    } catch (PlanFileException e) {
      throw new PlanFileException(file + ": " + e.getMessage());
    } catch (CharacterCodingException e) {
      throw new PlanFileException(file + ": not a plan file of Starling");
    }
  }

  /**
   * What {@link #write} writes.
   *
   * @throws IllegalArgumentException for a plan with baryons
   */
  public static String text(ContractionPlan plan, ReducerOptions options) {
    if (!plan.baryonPart().equals(BaryonPart.EMPTY)) {
      throw new IllegalArgumentException("plans with baryons cannot be saved");
    }
    StringBuilder text = new StringBuilder();
    line(text, MAGIC, VERSION, digest(plan.matrices(), options));
    ContractionPlan.Counts c = plan.counts();
    line(
        text,
        "counts",
        c.diagrams(),
        c.uniqueDiagrams(),
        c.cycles(),
        c.productsUnshared(),
        c.tracesUnshared());
    for (NodeRef node : plan.nodes()) {
      Momentum n = node.elemental().momentum();
      line(
          text,
          "node",
          quoted(node.elemental().displacement()),
          n.x(),
          n.y(),
          n.z(),
          node.elemental().adjoint(),
          node.time(),
          quoted(node.label()),
          node.next());
    }
    line(text, "intermediates", plan.intermediates());
    for (ContractionPlan.Product p : plan.products()) {
      line(
          text,
          "product",
          p.destination(),
          p.leftGamma(),
          p.left(),
          p.innerGamma(),
          p.right(),
          hex(p.coefficient()),
          p.accumulate());
    }
    for (ContractionPlan.Trace t : plan.traces()) {
      line(text, "trace", t.leftGamma(), t.left(), t.innerGamma(), t.right());
    }
    for (ContractionPlan.Output output : plan.outputs()) {
      line(
          text,
          "output",
          output.matrix(),
          output.row(),
          output.column(),
          output.monomials().size());
      for (ContractionPlan.Monomial monomial : output.monomials()) {
        text.append(hex(monomial.coefficient()));
        for (ContractionPlan.Factor factor : monomial.factors()) {
          text.append(' ').append(factor.trace()).append(factor.conjugate() ? "*" : "");
        }
        text.append('\n');
      }
    }
    line(text, "end");
    return text.toString();
  }

  private static void line(StringBuilder text, Object... words) {
    for (int k = 0; k < words.length; k++) {
      text.append(k == 0 ? "" : " ").append(words[k]);
    }
    text.append('\n');
  }

  private static String hex(Complex c) {
    return Double.toHexString(c.re()) + " " + Double.toHexString(c.im());
  }

  /** A name without blanks: everything but letters, digits, _ and - is written as %xxxx. */
  private static String quoted(String name) {
    StringBuilder text = new StringBuilder("=");
    for (int k = 0; k < name.length(); k++) {
      char c = name.charAt(k);
      if (c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '-')) {
        text.append(c);
      } else {
        text.append(String.format(Locale.ROOT, "%%%04x", (int) c));
      }
    }
    return text.toString();
  }

  private static String unquoted(String text) {
    StringBuilder name = new StringBuilder();
    for (int k = 1; k < text.length(); k++) {
      if (text.charAt(k) == '%') {
        name.append((char) Integer.parseInt(text.substring(k + 1, k + 5), 16));
        k += 4;
      } else {
        name.append(text.charAt(k));
      }
    }
    return name.toString();
  }

  /** One pass over the lines of a file. */
  private static final class Reading {
    private final BufferedReader reader;
    private final List<CorrelationMatrix> matrices;
    private int number;
    private String[] words = {};

    Reading(String text, List<CorrelationMatrix> matrices) {
      reader = new BufferedReader(new StringReader(text));
      this.matrices = matrices;
    }

    ContractionPlan plan(String digest) throws IOException {
      next();
      if (!words[0].equals(MAGIC) || words.length != 3) {
        throw new PlanFileException("not a plan file of Starling");
      }
      if (!words[1].equals(String.valueOf(VERSION))) {
        throw new PlanFileException(
            "version " + words[1] + " of the plan format; this program reads version " + VERSION);
      }
      if (!words[2].equals(digest)) {
        throw new PlanFileException(
            "made for another definition or with other options; plan again and save anew");
      }
      try {
        return body();
      } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
        throw new PlanFileException("damaged at line " + number + "; plan again and save anew");
      }
    }

    private void next() throws IOException {
      String line = reader.readLine();
      number++;
      if (line == null) {
        throw new PlanFileException("cut short at line " + number + "; plan again and save anew");
      }
      words = line.split(" ", -1);
    }

    private int integer(int word) {
      return Integer.parseInt(words[word]);
    }

    private Complex complex(int word) {
      return new Complex(Double.parseDouble(words[word]), Double.parseDouble(words[word + 1]));
    }

    private void expect(boolean holds) {
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
      int mask = integer(word);
      expect(mask >= 0 && mask < 16);
      return mask;
    }

    private ContractionPlan body() throws IOException {
      next();
      expect(words[0].equals("counts"));
      ContractionPlan.Counts counts =
          new ContractionPlan.Counts(
              Long.parseLong(words[1]),
              Long.parseLong(words[2]),
              Long.parseLong(words[3]),
              Long.parseLong(words[4]),
              Long.parseLong(words[5]));
      List<NodeRef> nodes = new ArrayList<>();
      for (next(); words[0].equals("node"); next()) {
        nodes.add(
            new NodeRef(
                new ElementalRef(
                    unquoted(words[1]),
                    new Momentum(integer(2), integer(3), integer(4)),
                    Boolean.parseBoolean(words[5])),
                TimeSlot.valueOf(words[6]),
                unquoted(words[7]),
                TimeSlot.valueOf(words[8])));
      }
      expect(words[0].equals("intermediates"));
      int intermediates = integer(1);
      expect(intermediates >= 0);
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
        int right =
            integer(4) == ContractionPlan.NONE ? ContractionPlan.NONE : element(4, elements);
        traces.add(new ContractionPlan.Trace(mask(1), element(2, elements), mask(3), right));
      }
      List<ContractionPlan.Output> outputs = new ArrayList<>();
      for (; words[0].equals("output"); next()) {
        outputs.add(output(traces.size()));
      }
      expect(words[0].equals("end"));
      return new ContractionPlan(matrices, nodes, products, intermediates, traces, outputs, counts);
    }

    private ContractionPlan.Output output(int traces) throws IOException {
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
}
