package org.starlingqcd.correlators.plan;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.data.DistillationData;

/**
 * What a plan depends on of the data that it is made for.
 *
 * @param labelsWithoutGamma5 perambulator labels for which γ5-hermiticity does not hold
 * @param mixedComponents whether the spin basis mixes the two components of baryons
 */
public record DataTraits(Set<String> labelsWithoutGamma5, boolean mixedComponents) {
  /** Copies the set. */
  public DataTraits {
    labelsWithoutGamma5 = Set.copyOf(labelsWithoutGamma5);
  }

  /** The traits of data, as far as definitions notice them. */
  public static DataTraits of(
      DistillationData data, Collection<? extends AnyDefinition> definitions) {
    return of(data, BoundQueue.labels(definitions), haveBaryons(definitions));
  }

  /**
   * The traits of data.
   *
   * @param labels perambulator labels that are used
   * @param baryons whether there are any
   */
  public static DataTraits of(DistillationData data, Set<String> labels, boolean baryons) {
    return new DataTraits(
        Set.copyOf(labels.stream().filter(label -> !data.gamma5Hermitian(label)).toList()),
        baryons && data.gammaBasis().mixesComponents());
  }

  /** Whether a baryon occurs in any of some definitions. */
  static boolean haveBaryons(Collection<? extends AnyDefinition> definitions) {
    return have(definitions, BaryonFactor.class);
  }

  /** Whether a tetraquark occurs in any of some definitions. */
  public static boolean haveTetraquarks(Collection<? extends AnyDefinition> definitions) {
    return have(definitions, TetraquarkFactor.class);
  }

  private static boolean have(
      Collection<? extends AnyDefinition> definitions, Class<? extends Factor> kind) {
    return definitions.stream()
        .flatMap(definition -> definition.matrices().stream().limit(1))
        .anyMatch(matrix -> matrix.has(kind));
  }

  /** These traits as far as a definition notices them. */
  public DataTraits noticedBy(AnyDefinition definition) {
    Set<String> labels = BoundQueue.labels(List.of(definition));
    return new DataTraits(
        Set.copyOf(labelsWithoutGamma5.stream().filter(labels::contains).toList()),
        mixedComponents && haveBaryons(List.of(definition)));
  }
}
