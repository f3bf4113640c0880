package org.starlingqcd.graph;

import java.util.List;

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

  /** An elemental without a quark line, {@code Φ(t_time) ⊗ 1}. */
  public static NodeRef elemental(ElementalRef elemental, TimeSlot time) {
    return new NodeRef(elemental, time, "", time);
  }

  /**
   * A quark line with a current on it, a generalized perambulator from {@code next} to {@code
   * time}; the current is any.
   *
   * @param bar label of the line from the current to {@code time}
   * @param quark label of the line from {@code next} to the current
   */
  public static NodeRef current(TimeSlot time, String bar, String quark, TimeSlot next) {
    return new NodeRef(ElementalRef.CURRENT, time, bar + "/" + quark, next);
  }

  /**
   * The same with profiles at the ends of its line: its data are the line's times weights.
   *
   * @param left profile at {@code time}, only of a bare line; may be empty
   * @param right profile at {@code next}; may be empty
   */
  public NodeRef weighted(String left, String right) {
    return new NodeRef(elemental, time, Profiles.of(label, List.of(left, right)), next);
  }

  /** Whether this is an elemental without a quark line. */
  public boolean isElemental() {
    return label.isEmpty();
  }

  /** Whether this is a quark line with a current on it. */
  public boolean isCurrent() {
    return elemental.equals(ElementalRef.CURRENT);
  }

  /** The label of the line from a current to {@code time}. */
  public String barLabel() {
    return label.substring(0, label.indexOf('/'));
  }

  /** The label of the line from {@code next} to a current. */
  public String quarkLabel() {
    return label.substring(label.indexOf('/') + 1);
  }

  /** Whether this is a bare quark line, whose data are those of the perambulator. */
  public boolean isLine() {
    return elemental.equals(ElementalRef.UNIT);
  }
}
