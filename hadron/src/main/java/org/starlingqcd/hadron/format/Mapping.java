package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * What a mapping file says.
 *
 * @param file the file, or the name of one that comes with the program
 * @param folder the folder of the file; null for one that comes with the program
 * @param header what it says about all data
 * @param labels labels in the data to labels of definitions
 * @param basis the gamma matrices of perambulators
 * @param basisName its name
 * @param sourceG4 whether sources were multiplied by g4
 * @param entries the arrays
 */
record Mapping(
    Path file,
    @Nullable Path folder,
    PartialHeader header,
    Map<String, String> labels,
    GammaBasis basis,
    String basisName,
    boolean sourceG4,
    List<ArrayEntry> entries) {
  /** Copies map and list. */
  Mapping {
    labels = Map.copyOf(labels);
    entries = List.copyOf(entries);
  }

  /** A message about the arrays of an entry. */
  DistillationException fault(ArrayEntry entry, String what) {
    return new DistillationException(
        "%s: line %s: '%s' in %s %s"
            .formatted(file, entry.line(), entry.name(), entry.file(), what));
  }
}
