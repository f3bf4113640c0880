package org.starlingqcd.hadron.data;

import static org.starlingqcd.hadron.data.DistillationFile.BARYON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.MESON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.PERAMBULATORS;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds the file of a configuration that holds a block. */
final class BlockIndex {
  /** The file that holds a block, and the index of its source time there. */
  record Column(DistillationFile file, int index) {}

  /**
   * The perambulators of a label.
   *
   * @param columns by source time
   * @param gamma5Hermitian whether γ5-hermiticity may be used
   * @param first the first file that has the label
   */
  record Label(Map<Integer, Column> columns, boolean gamma5Hermitian, DistillationFile first) {}

  private final Map<String, Label> labels = new TreeMap<>();
  private final Map<ElementalName, DistillationFile> mesons = new TreeMap<>();
  private final Map<ElementalName, DistillationFile> baryons = new TreeMap<>();

  /**
   * Joins the contents of files.
   *
   * @throws DistillationException when two do not belong together or hold the same block
   */
  BlockIndex(List<DistillationFile> files) {
    DistillationFile first = files.get(0);
    for (DistillationFile file : files) {
      first.header().checkSameEnsemble(first.path(), file.header(), file.path());
      if (file.header().configuration() != first.header().configuration()) {
        throw new IllegalArgumentException(
            "files of two configurations: " + first.path() + " and " + file.path());
      }
      file.perambulators().forEach((label, columns) -> mergeLabel(file, label, columns));
      mergeElementals(file, file.mesons(), mesons, MESON_ELEMENTALS);
      mergeElementals(file, file.baryons(), baryons, BARYON_ELEMENTALS);
    }
  }

  private void mergeLabel(
      DistillationFile file, String name, DistillationFile.Perambulators found) {
    Label label =
        labels.computeIfAbsent(
            name, key -> new Label(new TreeMap<>(), found.gamma5Hermitian(), file));
    if (label.gamma5Hermitian() != found.gamma5Hermitian()) {
      throw new DistillationException(
          label.first().path()
              + " and "
              + file.path()
              + " contradict each other: gamma5_hermitian of '"
              + PERAMBULATORS
              + "/"
              + name
              + "' is 0 in one and 1 in the other");
    }
    for (int k = 0; k < found.sourceTimes().size(); k++) {
      int time = found.sourceTimes().get(k);
      Column other = label.columns().put(time, new Column(file, k));
      if (other != null) {
        throw twice(
            other.file(), file, "'" + PERAMBULATORS + "/" + name + "' at source time " + time);
      }
    }
  }

  private static void mergeElementals(
      DistillationFile file,
      Set<ElementalName> found,
      Map<ElementalName, DistillationFile> all,
      String group) {
    for (ElementalName name : found) {
      DistillationFile other = all.put(name, file);
      if (other != null) {
        throw twice(other, file, "'" + group + "/" + name + "'");
      }
    }
  }

  private static DistillationException twice(
      DistillationFile one, DistillationFile other, String block) {
    return new DistillationException(
        one.path() + " and " + other.path() + " both hold " + block + "; leave one of them out");
  }

  /** Perambulators by label, in ascending order. */
  Map<String, Label> labels() {
    return Collections.unmodifiableMap(labels);
  }

  /** Files of meson elementals, in ascending order of their names. */
  Map<ElementalName, DistillationFile> mesons() {
    return Collections.unmodifiableMap(mesons);
  }

  /** Files of baryon elementals, in ascending order of their names. */
  Map<ElementalName, DistillationFile> baryons() {
    return Collections.unmodifiableMap(baryons);
  }
}
