package org.starlingqcd.correlators.result;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The JSON text that describes this run among those of all runs that contributed to a result. */
final class ContributingRun {
  private final String id = UUID.randomUUID().toString();
  private @Nullable String text;

  /** Identifies this run; its text contains it. */
  String id() {
    return id;
  }

  void describe(String json) {
    text = json;
  }

  boolean isDescribed() {
    return text != null;
  }

  /** The texts in a result with that of this run in its present form. */
  List<String> among(List<String> texts) {
    List<String> runs = new ArrayList<>();
    for (String other : texts) {
      if (!other.contains(id)) {
        runs.add(other);
      }
    }
    if (text != null) {
      runs.add(text);
    }
    return runs;
  }
}
