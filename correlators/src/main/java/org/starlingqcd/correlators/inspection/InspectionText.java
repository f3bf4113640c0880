package org.starlingqcd.correlators.inspection;

import java.util.List;
import java.util.Locale;
import org.starlingqcd.hadron.data.Printable;

/** A heading with indented lines of key and value. */
final class InspectionText {
  private final StringBuilder text;

  InspectionText(String heading) {
    text = new StringBuilder(Printable.of(heading)).append(System.lineSeparator());
  }

  void line(String key, String value) {
    text.append(String.format(Locale.ROOT, "  %-21s%s%n", key, Printable.of(value)));
  }

  /** What a verification found. */
  void faults(List<String> faults) {
    if (faults.isEmpty()) {
      line("verified", "sound");
    }
    faults.forEach(fault -> line("fault", fault));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
