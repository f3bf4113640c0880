package org.starlingqcd.graph.plan;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.graph.CorrelationMatrix;

/**
 * Saves plans and reads them again, as lines of text. A file names the definitions that it was made
 * for, with a digest of each, and the options. A file is refused for other definitions or options,
 * and if it is truncated or altered.
 *
 * <p>Lines are words separated by blanks. {@code starling-plan} and the version come first, {@code
 * end} and the SHA-256 of all lines before it last; in between, in this order:
 *
 * <ul>
 *   <li>{@code definition name digest}, one for each, in their order; {@code options} and all
 *       {@link ReducerOptions};
 *   <li>{@code counts} and seven numbers ({@link ContractionPlan.Counts});
 *   <li>{@code node displacement nx ny nz adjoint time label next}, {@code intermediates count},
 *       {@code product destination Γ_L left Γ_I right re im accumulate}, {@code trace Γ_L left Γ_I
 *       right};
 *   <li>{@code baryons layout part}, the {@link BaryonPart} as {@link RecordText} writes it, with a
 *       digest of its {@link RecordText#layout};
 *   <li>{@code output matrix row column monomials}, each followed by its monomials {@code re im
 *       factors…}, a factor being a trace number with {@code *} for its conjugate.
 * </ul>
 *
 * Names begin with {@code =}; what is not a letter, digit, _ or - is written as %xxxx. Coefficients
 * are hexadecimal floating-point numbers, so that a plan read back is bit for bit the same.
 */
public final class PlanFile {
  /** Version of the format; files of another are refused. */
  public static final int VERSION = 4;

  static final String MAGIC = "starling-plan";

  private PlanFile() {}

  /** A file that cannot be used, with the reason. */
  public static final class PlanFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlanFileException(String message) {
      super(message);
    }
  }

  /** Returns a digest, 64 hexadecimal digits, of everything that a plan takes from a definition. */
  static String digest(CorrelationMatrix matrix) {
    return sha256(
        matrix.name()
            + '|'
            + matrix.operators()
            + '|'
            + new TreeMap<>(matrix.quarkLabels())
            + '|'
            + matrix.onePoint());
  }

  static String sha256(String text) {
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
  }

  /** All options of the reducer, as they stand in a file and in messages. */
  static String text(ReducerOptions options) {
    return text(options, options.mixedComponents());
  }

  /** The options as text, for data that mix the components of baryons or do not. */
  static String text(ReducerOptions options, boolean mixedComponents) {
    return "gamma5_hermiticity="
        + options.uses(Optimization.GAMMA5_HERMITICITY)
        + " without_gamma5="
        + names(options.labelsWithoutGamma5())
        + " end_gammas="
        + options.uses(Optimization.END_GAMMAS)
        + " accumulation="
        + options.uses(Optimization.ACCUMULATION)
        + " search_steps="
        + options.searchSteps()
        + " seed="
        + options.seed()
        + " mixed_components="
        + mixedComponents;
  }

  private static String names(Set<String> labels) {
    return String.join(
        ",",
        new TreeSet<>(labels)
            .stream().map(label -> RecordText.quoted(label).substring(1)).toArray(String[]::new));
  }

  /** Writes a plan. */
  public static void write(Path file, ContractionPlan plan, ReducerOptions options)
      throws IOException {
    Files.writeString(file, text(plan, options));
  }

  /** The text of a plan file. */
  public static String text(ContractionPlan plan, ReducerOptions options) {
    return PlanText.of(plan, options);
  }

  /**
   * Reads the plan of some correlation matrices.
   *
   * @throws PlanFileException if the file is no plan, has another version, is damaged, or was made
   *     for other matrices or options
   */
  public static ContractionPlan read(
      Path file, List<CorrelationMatrix> matrices, ReducerOptions options) throws IOException {
    try {
      return PlanParser.plan(Files.readString(file), matrices, options);
    } catch (PlanFileException e) {
      throw new PlanFileException(file + ": " + e.getMessage());
    } catch (CharacterCodingException e) {
      throw new PlanFileException(file + ": not a plan file of Starling");
    }
  }
}
