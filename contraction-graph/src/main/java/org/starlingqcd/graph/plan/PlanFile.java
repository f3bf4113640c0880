package org.starlingqcd.graph.plan;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.NodeRef;

/**
 * Saves plans and reads them again. A file names the definitions that it was made for, with a
 * digest of each, and the options. A file is refused for other definitions or options, and if it is
 * truncated or altered.
 *
 * <p>The first line is {@code starling-plan} and the version; the second the plan as one JSON
 * object, its keys the components of {@link Saved} and of the records in it; the third {@code end}
 * and the SHA-256 of the others. JSON keeps every bit of a coefficient, because Java writes as many
 * digits as tell a number from its neighbours.
 */
public final class PlanFile {
  /** Version of the format; files of another are refused. */
  public static final int VERSION = 8;

  private static final long MOST_BYTES = 1 << 30;
  private static final String MAGIC = "starling-plan";
  private static final String ANEW = "; plan again and save anew";
  private static final int GAMMAS = 16;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .visibility(PropertyAccessor.GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  private PlanFile() {}

  /** A file that cannot be used, with the reason. */
  public static final class PlanFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlanFileException(String message) {
      super(message);
    }
  }

  /**
   * What a file holds: a {@link ContractionPlan} but for the matrices, of which it keeps names and
   * digests.
   */
  record Saved(
      List<String> definitions,
      List<String> digests,
      String options,
      List<NodeRef> nodes,
      List<ContractionPlan.Product> products,
      int intermediates,
      List<ContractionPlan.Trace> traces,
      List<ContractionPlan.Output> outputs,
      ContractionPlan.Counts counts,
      BaryonPart baryons,
      TetraquarkPart tetraquarks) {

    /** The plan of the matrices that it was made for. */
    ContractionPlan plan(List<CorrelationMatrix> matrices) {
      int elements = nodes.size() + intermediates;
      for (ContractionPlan.Product p : products) {
        within(elements, p.destination(), p.left(), p.right());
        within(GAMMAS, p.leftGamma(), p.innerGamma());
      }
      for (ContractionPlan.Trace t : traces) {
        within(elements, t.left(), t.right() == ContractionPlan.NONE ? t.left() : t.right());
        within(GAMMAS, t.leftGamma(), t.innerGamma());
      }
      for (ContractionPlan.Output output : outputs) {
        within(matrices.size(), output.matrix());
        output
            .monomials()
            .forEach(m -> m.factors().forEach(factor -> within(traces.size(), factor.trace())));
      }
      ContractionPlan plan =
          new ContractionPlan(
              matrices,
              nodes,
              products,
              intermediates,
              traces,
              outputs,
              counts,
              baryons,
              tetraquarks);
      for (ContractionPlan.Made made : plan.made()) {
        within(elements, made.destination());
        made.forEachInput(input -> within(elements, input));
      }
      return plan;
    }

    private static void within(int bound, int... numbers) {
      for (int number : numbers) {
        if (number < 0 || number >= bound) {
          throw new PlanFileException("damaged: the number " + number + " is out of range" + ANEW);
        }
      }
    }
  }

  /** Returns a digest, 64 hexadecimal digits, of everything that a plan takes from a definition. */
  private static String digest(CorrelationMatrix matrix) {
    return sha256(
        matrix.name()
            + '|'
            + matrix.operators()
            + '|'
            + (matrix.sources().equals(matrix.operators()) ? "" : matrix.sources() + "|")
            + (matrix.current() == null ? "" : matrix.current() + "|")
            + new TreeMap<>(matrix.quarkLabels())
            + '|'
            + matrix.onePoint());
  }

  private static String sha256(String text) {
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
  }

  /** All options of the reducer, for data that mix the components of baryons or do not. */
  private static String text(ReducerOptions options, boolean mixedComponents) {
    return "gamma5_hermiticity=%s without_gamma5=%s end_gammas=%s accumulation=%s search_steps=%s seed=%s"
            .formatted(
                options.uses(Optimization.GAMMA5_HERMITICITY),
                String.join(",", new TreeSet<>(options.labelsWithoutGamma5())),
                options.uses(Optimization.END_GAMMAS),
                options.uses(Optimization.ACCUMULATION),
                options.searchSteps(),
                options.seed())
        + " mixed_components="
        + mixedComponents;
  }

  /** The text of a plan file. */
  public static String text(ContractionPlan plan, ReducerOptions options) {
    Saved saved =
        new Saved(
            plan.matrices().stream().map(CorrelationMatrix::name).toList(),
            plan.matrices().stream().map(PlanFile::digest).toList(),
            text(options, options.mixedComponents()),
            plan.nodes(),
            plan.products(),
            plan.intermediates(),
            plan.traces(),
            plan.outputs(),
            plan.counts(),
            plan.baryonPart(),
            plan.tetraquarkPart());
    try {
      String text = MAGIC + " " + VERSION + "\n" + JSON.writeValueAsString(saved) + "\n";
      return text + "end " + sha256(text) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("records of a plan are JSON", e);
    }
  }

  /**
   * Reads the plan of some correlation matrices.
   *
   * @throws PlanFileException if the file is no plan, has another version, is damaged, or was made
   *     for other matrices or options
   */
  public static ContractionPlan read(
      Path file, List<CorrelationMatrix> matrices, ReducerOptions options) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] magic = MAGIC.getBytes(StandardCharsets.UTF_8);
      if (!Arrays.equals(in.readNBytes(magic.length), magic)) {
        throw new PlanFileException("not a plan file of Starling");
      }
      if (Files.size(file) > MOST_BYTES) {
        throw new PlanFileException("is larger than 1 GiB, as no plan is");
      }
      return parse(Files.readString(file), matrices, options);
    } catch (PlanFileException e) {
      throw new PlanFileException(file + ": " + e.getMessage());
    } catch (CharacterCodingException e) {
      throw new PlanFileException(file + ": not a plan file of Starling");
    }
  }

  private static ContractionPlan parse(
      String text, List<CorrelationMatrix> matrices, ReducerOptions options) {
    String[] first = text.lines().findFirst().orElse("").split(" ", -1);
    if (first.length < 2 || !first[0].equals(MAGIC)) {
      throw new PlanFileException("not a plan file of Starling");
    }
    if (!first[1].equals(String.valueOf(VERSION))) {
      throw new PlanFileException(
          "version %s of the plan format; this program reads version %s%s"
              .formatted(first[1], VERSION, ANEW));
    }
    int end = text.lastIndexOf("\nend ") + 1;
    if (end == 0 || !text.endsWith("\n")) {
      throw new PlanFileException("cut short" + ANEW);
    }
    if (!text.substring(end).equals("end " + sha256(text.substring(0, end)) + "\n")) {
      throw new PlanFileException("damaged: its checksum does not fit" + ANEW);
    }
    Saved saved;
    try {
      saved = JSON.readValue(text.substring(text.indexOf('\n') + 1, end), Saved.class);
    } catch (JsonProcessingException e) {
      throw new PlanFileException("made by another version of the program" + ANEW);
    }
    checkDefinitions(saved, matrices);
    checkOptions(saved.options(), options);
    return saved.plan(matrices);
  }

  private static void checkDefinitions(Saved saved, List<CorrelationMatrix> matrices) {
    List<String> wanted = matrices.stream().map(CorrelationMatrix::name).toList();
    if (!saved.definitions().equals(wanted) || saved.digests().size() != wanted.size()) {
      throw new PlanFileException(
          "made for the definitions " + saved.definitions() + ", not for " + wanted + ANEW);
    }
    for (int k = 0; k < matrices.size(); k++) {
      if (!saved.digests().get(k).equals(digest(matrices.get(k)))) {
        throw new PlanFileException(
            "made for another definition of the name " + matrices.get(k).name() + ANEW);
      }
    }
  }

  private static void checkOptions(String made, ReducerOptions options) {
    boolean mixed = options.mixedComponents();
    if (made.equals(text(options, !mixed))) {
      throw new PlanFileException(
          mixed
              ? "made for data whose spin basis keeps the components of baryons apart; the basis of these data mixes them"
                  + "; plan again with --mixed-components and save anew"
              : "made for data whose spin basis mixes the components of baryons; the basis of these data does not"
                  + "; plan again without --mixed-components and save anew");
    }
    String wanted = text(options, mixed);
    if (!made.equals(wanted)) {
      throw new PlanFileException(
          "made with the options " + made + ", not with the options " + wanted + ANEW);
    }
  }
}
