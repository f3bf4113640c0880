package org.starlingqcd.correlators.definition;

import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.CorrelationMatrix;

/** What a file defines: two-point or three-point functions. */
public sealed interface AnyDefinition permits Definition, CurrentDefinition {
  /** Its name, which is also the name of the result file. */
  String name();

  /** The origin for messages: a file, or the name of a shipped definition. */
  String origin();

  /** The YAML text it was read from. */
  String text();

  /** The operators of the sink as sums of parts. */
  OperatorParts sinkParts();

  /** The operators of the source as sums of parts. */
  OperatorParts sourceParts();

  /**
   * What is contracted, written out, part by part: the correlation matrix; for three-point
   * functions the two-point functions of the same operators, and then a matrix for each pair of
   * flavours of a current. Nothing where lines are estimated with noise.
   */
  List<CorrelationMatrix> matrices();

  /** Flavour to perambulator label, for every flavour that occurs. */
  Map<String, String> quarkLabels();

  /** Names of the operators of the sink. */
  List<String> operatorNames();

  /**
   * Whether this definition equals an earlier one, perhaps with more operators or insertions. The
   * earlier ones must keep their meaning and order; flavours may be added for the new ones.
   */
  boolean hasGrownFrom(AnyDefinition earlier);
}
