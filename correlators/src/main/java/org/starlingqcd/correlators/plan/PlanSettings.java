package org.starlingqcd.correlators.plan;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.PlanFile;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.StepOrder;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * How contractions are planned.
 *
 * @param file a saved plan to use instead of planning, or null
 * @param vectorSize most contractions of a vector, or {@link QueueOptions#AUTOMATIC}
 * @param order the order of the contractions
 * @param without optimizations that are left out
 */
public record PlanSettings(
    @Nullable Path file, int vectorSize, StepOrder order, Set<Optimization> without) {
  /** The value of an option that leaves the choice to the program. */
  public static final String AUTO = "auto";

  private static final int MOST_OF_A_VECTOR = 4096;

  /** Copies the set. */
  public PlanSettings {
    without = Set.copyOf(without);
  }

  /** Everything automatic. */
  public static PlanSettings defaults() {
    return new PlanSettings(null, QueueOptions.AUTOMATIC, StepOrder.AUTOMATIC, Set.of());
  }

  /**
   * Settings from the texts of options.
   *
   * @throws InputException naming the option when a text is not one of its values
   */
  public static PlanSettings of(
      @Nullable Path file, String vectorSize, String order, List<String> without) {
    return new PlanSettings(file, vectorSize(vectorSize), order(order), without(without));
  }

  private static int vectorSize(String text) {
    if (text.equals(AUTO)) {
      return QueueOptions.AUTOMATIC;
    }
    try {
      int size = Integer.parseInt(text);
      if (size >= 1 && size <= MOST_OF_A_VECTOR) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new InputException(
        "--vector-size " + text + ": expected auto or a number from 1 to " + MOST_OF_A_VECTOR);
  }

  private static StepOrder order(String text) {
    if (text.equals(AUTO)) {
      return StepOrder.AUTOMATIC;
    }
    return Arrays.stream(StepOrder.values())
        .filter(order -> order != StepOrder.AUTOMATIC && name(order).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new InputException(
                    "--order "
                        + text
                        + ": expected auto, given, tree, sibling, greedy or searched"));
  }

  private static String name(StepOrder order) {
    return order.name().toLowerCase(Locale.ROOT);
  }

  private static Set<Optimization> without(List<String> names) {
    Map<String, Optimization> all = new LinkedHashMap<>();
    for (Optimization optimization : Optimization.values()) {
      all.put(optimization.key(), optimization);
    }
    Set<Optimization> without = EnumSet.noneOf(Optimization.class);
    for (String name : names) {
      Optimization optimization = all.get(name);
      if (optimization == null) {
        throw new InputException(
            "--without " + name + ": expected some of " + String.join(", ", all.keySet()));
      }
      without.add(optimization);
    }
    return without;
  }

  /** These settings without a saved plan. */
  public PlanSettings withoutFile() {
    return new PlanSettings(null, vectorSize, order, without);
  }

  /** What the reducer may use. */
  public ReducerOptions reducerOptions(DataTraits data) {
    return new ReducerOptions(without, data.labelsWithoutGamma5(), data.mixedComponents());
  }

  /** How the queue is ordered for a device memory and N eigenvectors. */
  public QueueOptions queueOptions(long budgetBytes, int eigenvectors) {
    return new QueueOptions(vectorSize, order, budgetBytes, eigenvectors, without);
  }

  /**
   * The plan of some correlation matrices, from the file or made anew.
   *
   * @param diagrams their diagrams, asked for only when they are needed
   * @throws InputException when the file cannot be used
   */
  ContractionPlan plan(
      List<CorrelationMatrix> matrices, Supplier<DiagramSet> diagrams, DataTraits data) {
    ReducerOptions options = reducerOptions(data);
    if (file == null) {
      return Reducer.reduce(diagrams.get(), options);
    }
    String option = "--plan";
    try {
      PlainFile.check(file);
      return PlanFile.read(file, matrices, options);
    } catch (PlanFile.PlanFileException e) {
      throw new InputException(option + " " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new InputException(option + " " + file + ": no such file", e);
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "cannot be read: " + e.getMessage() : e.getReason();
      throw new InputException(option + " " + file + ": " + reason, e);
    } catch (IOException e) {
      throw new InputException(option + " " + file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** What was set, under its names in a settings file. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (file != null) {
      map.put("plan", file.toString());
    }
    if (vectorSize != QueueOptions.AUTOMATIC) {
      map.put("vector_size", vectorSize);
    }
    if (order != StepOrder.AUTOMATIC) {
      map.put("order", name(order));
    }
    if (!without.isEmpty()) {
      map.put("without", without.stream().map(Optimization::key).sorted().toList());
    }
    return map;
  }
}
