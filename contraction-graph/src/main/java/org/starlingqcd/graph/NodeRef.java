package org.starlingqcd.graph;

/**
 * A hadron node without its gamma matrix, {@code Φ(t_time) τ_label(t_time, t_next)}: 16 spin
 * components (those of τ), each an N × N matrix. Gammas only permute and rescale spin components,
 * so they belong to the contraction, not to the node.
 *
 * @param elemental the elemental
 * @param time where the elemental stands, and the quark line ends
 * @param label perambulator label of the quark line
 * @param next where the quark line begins
 */
public record NodeRef(ElementalRef elemental, TimeSlot time, String label, TimeSlot next) {
  /**
   * A bare quark line {@code τ_label(t_time, t_next)}, which begins the path of a baryon's quark.
   */
  public static NodeRef line(TimeSlot time, String label, TimeSlot next) {
    return new NodeRef(ElementalRef.UNIT, time, label, next);
  }

  /** Whether this is a bare quark line, whose data are those of the perambulator. */
  public boolean isLine() {
    return elemental.equals(ElementalRef.UNIT);
  }
}
