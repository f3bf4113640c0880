package org.starlingqcd.correlators.definition;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;

/**
 * Which quark lines are estimated with noise, and with which.
 *
 * @param labels by perambulator label, how its lines are estimated; lines of others are exact
 * @param subsets the number K of windows of noises; 0 for all assignments
 */
public record Stochastic(Map<String, Lines> labels, int subsets) {
  /** All lines are exact. */
  public static final Stochastic NONE = new Stochastic(Map.of(), 0);

  private static final String KEY = "stochastic";
  private static final String SUBSETS = "noise_subsets";
  private static final String CONJUGATE_OF = "conjugate_of";
  private static final String NOISES = "noises";

  /** At which end of a line its noise is. */
  public enum NoiseAt {
    ANTIQUARK,
    QUARK,
    /** At the end on the operator of the source; lines within an operator as {@link #ANTIQUARK}. */
    SOURCE
  }

  /**
   * How the lines of a label are estimated.
   *
   * @param sinks the set of quark sinks
   * @param within the set for lines with both ends on one operator
   * @param noises those that are used, in their order; none for all
   * @param conjugateOf the label whose lines these are, reversed; empty for none, and then there is
   *     nothing else
   */
  public record Lines(
      String sinks, String within, NoiseAt noiseAt, List<String> noises, String conjugateOf) {
    /** Copies the list. */
    public Lines {
      noises = List.copyOf(noises);
    }

    public boolean isConjugate() {
      return !conjugateOf.isEmpty();
    }
  }

  /** Copies the map, order kept. */
  public Stochastic {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** Refuses the keys where they mean nothing. */
  static void refuse(Fields fields, String where) {
    for (String key : List.of(KEY, SUBSETS)) {
      if (fields.has(key)) {
        throw fields.error(
            key, "%s: stochastic lines are not possible %s yet; take exact lines", key, where);
      }
    }
  }

  /**
   * Reads the keys of a definition.
   *
   * @param known labels of its quarks
   */
  static Stochastic read(Fields top, Collection<String> known) {
    if (!top.has(KEY)) {
      if (top.has(SUBSETS)) {
        throw top.error(SUBSETS, "%s: there are no stochastic lines", SUBSETS);
      }
      return NONE;
    }
    Map<String, Lines> labels = new LinkedHashMap<>();
    Fields all = top.fields(KEY, KEY);
    for (String label : all.names()) {
      if (!known.contains(label)) {
        throw all.error(
            label,
            "stochastic: no quark has the label %s: expected one of %s",
            Quoted.of(label),
            String.join(", ", new java.util.TreeSet<>(known)));
      }
      labels.put(label, lines(all.fields(label, "the label " + Quoted.of(label)), label));
    }
    labels.forEach((label, lines) -> checkBase(all, labels, label, lines.conjugateOf()));
    int subsets = top.value(SUBSETS, 0, text -> (int) Fields.integer(text, 1, Integer.MAX_VALUE));
    return new Stochastic(labels, subsets);
  }

  private static Lines lines(Fields fields, String label) {
    fields.allow(List.of("sinks", "within", "noise_at", NOISES, CONJUGATE_OF));
    if (fields.has(CONJUGATE_OF)) {
      for (String key : fields.names()) {
        if (!key.equals(CONJUGATE_OF)) {
          throw fields.error(
              key, "a label with %s has no other keys: leave %s out", CONJUGATE_OF, key);
        }
      }
      return new Lines("", "", NoiseAt.ANTIQUARK, List.of(), fields.text(CONJUGATE_OF));
    }
    String sinks = fields.text("sinks", label);
    List<String> noises = fields.has(NOISES) ? fields.values(NOISES, text -> text) : List.of();
    if (fields.has(NOISES) && noises.isEmpty()) {
      throw fields.error(NOISES, "noises is an empty list: leave it out to use all");
    }
    for (int k = 0; k < noises.size(); k++) {
      if (noises.indexOf(noises.get(k)) < k) {
        throw fields.error(NOISES, "noises lists %s twice", Quoted.of(noises.get(k)));
      }
    }
    return new Lines(
        sinks,
        fields.text("within", sinks),
        fields.value(
            "noise_at",
            NoiseAt.ANTIQUARK,
            text ->
                NoiseAt.valueOf(
                    Fields.word(text, "antiquark", "quark", "source").toUpperCase(Locale.ROOT))),
        noises,
        "");
  }

  private static void checkBase(
      Fields all, Map<String, Lines> labels, String label, String baseLabel) {
    Lines base = labels.get(baseLabel);
    if (baseLabel.isEmpty()) {
      return;
    }
    if (baseLabel.equals(label) || (base != null && base.isConjugate())) {
      throw all.error(
          label,
          "%s: %s is the conjugate of %s, which has no lines of its own; name the label that has",
          CONJUGATE_OF,
          Quoted.of(label),
          Quoted.of(baseLabel));
    }
    if (base != null && base.noiseAt() != NoiseAt.ANTIQUARK) {
      throw all.error(
          label,
          "%s: the noise of %s must be at the antiquark, so that it is at the quark's end here; it"
              + " has noise_at: %s",
          CONJUGATE_OF,
          Quoted.of(baseLabel),
          base.noiseAt().name().toLowerCase(Locale.ROOT));
    }
  }
}
