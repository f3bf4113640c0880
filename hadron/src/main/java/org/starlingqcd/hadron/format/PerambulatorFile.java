package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.text.Printable;

/**
 * What the header of a file with perambulators says. A file holds one source time and one source
 * spin.
 *
 * @param path the file
 * @param label the label of definitions
 * @param ensemble name of the ensemble, or null
 * @param configuration its number, or null
 * @param boundary {@code antiperiodic} or {@code periodic}, or null
 * @param sourceTime t0
 * @param sourceSpin 0 to 3
 * @param eigenvectors N, from the first record
 * @param records number of records
 * @param lastTime largest sink time of a record
 */
record PerambulatorFile(
    Path path,
    String label,
    @Nullable String ensemble,
    @Nullable Long configuration,
    @Nullable String boundary,
    int sourceTime,
    int sourceSpin,
    int eigenvectors,
    int records,
    int lastTime) {
  /** Identifier of the container. */
  static final String IDENTIFIER = "Laph--QuarkPeramb";

  /** Values in the 15 bits that a key has for a time or a vector. */
  private static final int MOST = 1 << 15;

  /** Most eigenvectors; a block then has 16 GiB. */
  private static final int MOST_EIGENVECTORS = 8192;

  private static final int SPINS = 4;
  private static final int COMPLEX_BYTES = 16;
  private static final Map<String, String> LABELS =
      Map.of("ud", "light", "s", "strange", "c", "charm");

  /** Sink time of a key. */
  static int time(int key) {
    return key >>> 2 & MOST - 1;
  }

  /** The key of a record. */
  static int key(int sourceVector, int sinkTime, int sinkSpin) {
    return sourceVector << 17 | sinkTime << 2 | sinkSpin;
  }

  /**
   * Reads the header, and looks at the keys.
   *
   * @throws DistillationException when it is damaged, or of a kind that cannot be used
   */
  static PerambulatorFile read(IoMapFile file) {
    if (!file.identifier().equals(IDENTIFIER)) {
      throw file.fault("is an IOMap of '" + file.identifier() + "', expected '" + IDENTIFIER + "'");
    }
    XmlTree header = XmlTree.parse(file.path(), file.header());
    String spins = header.text("NumSpinComponents");
    String upper = header.text("UpperSpinComponentsOnly");
    if ((spins != null && !spins.equals("4")) || (upper != null && !upper.equals("false"))) {
      throw file.fault("holds the upper two spin components only; contractions need all four");
    }
    String flavor = header.text("Flavor");
    if (flavor == null) {
      throw file.fault("its header has no <Flavor>");
    }
    int sourceTime = number(file, header, "SourceTime", 0, MOST - 1);
    int sourceSpin = number(file, header, "SourceSpin", 1, SPINS) - 1;
    String boundary = header.text("FermionTimeBC");
    if (file.keyInts() != 1 || file.records() == 0) {
      throw file.fault(
          file.records() == 0
              ? "holds no records"
              : "has keys of " + file.keyInts() + " integers, expected 1");
    }
    long bytes;
    try (IoMapFile.Reader reader = file.reader()) {
      bytes = reader.size(0);
    }
    long n = (bytes - Integer.BYTES) / COMPLEX_BYTES;
    if (n < 1 || n > MOST_EIGENVECTORS || n * COMPLEX_BYTES + Integer.BYTES != bytes) {
      throw file.fault(
          "its first record has %s bytes, expected a count and complex numbers"
              .formatted(Long.toUnsignedString(bytes)));
    }
    int last = 0;
    for (int k = 0; k < file.records(); k++) {
      last = Math.max(last, time(file.key(k)[0]));
    }
    return new PerambulatorFile(
        file.path(),
        LABELS.getOrDefault(flavor, flavor),
        header.text("EnsembleName"),
        header.text("ConfigNumber") == null
            ? null
            : Long.valueOf(number(file, header, "ConfigNumber", 0, Integer.MAX_VALUE)),
        boundary != null && (boundary.equals("antiperiodic") || boundary.equals("periodic"))
            ? boundary
            : null,
        sourceTime,
        sourceSpin,
        (int) n,
        file.records(),
        last);
  }

  private static int number(IoMapFile file, XmlTree header, String name, int least, int most) {
    String text = header.text(name);
    if (text == null) {
      throw file.fault(
          ("its header has no <%s>; files of other programs than quda_laph, with one "
                  + "file for each pair of times, are not read")
              .formatted(name));
    }
    try {
      int value = Integer.parseInt(text.strip());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // It is told below.
    }
    throw file.fault(
        "expected a number from %s to %s in <%s> of its header, found '%s'"
            .formatted(least, most, name, Printable.of(text)));
  }

  /** Whether the file holds all sink times below a number by its count alone. */
  boolean isComplete(int times) {
    return lastTime == times - 1 && (long) records == (long) SPINS * eigenvectors * times;
  }
}
