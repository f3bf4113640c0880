package org.starlingqcd.correlators.definition;

/** What a file defines: two-point or three-point functions. */
public sealed interface AnyDefinition permits Definition, CurrentDefinition {
  /** Its name, which is also the name of the result file. */
  String name();

  /** The origin for messages: a file, or the name of a shipped definition. */
  String origin();

  /** The YAML text it was read from. */
  String text();

  /**
   * Whether this definition equals an earlier one, perhaps with more operators or insertions. The
   * earlier ones must keep their meaning and order; flavours may be added for the new ones.
   */
  boolean hasGrownFrom(AnyDefinition earlier);
}
