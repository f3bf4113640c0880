package org.starlingqcd.correlators.inspection;

import com.google.common.collect.Table;
import com.google.common.collect.TreeBasedTable;
import com.google.common.collect.TreeMultimap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;

/** What was found in some files, as JSON and as text. */
public final class Report {
  private static final int COLUMN = 23;

  private final Map<String, @Nullable Object> json = new LinkedHashMap<>();
  private final Listing text = new Listing(COLUMN);
  private int faults;

  Report(String kind, String heading) {
    json.put("kind", kind);
    text.heading(heading);
  }

  /** Adds to the JSON alone. */
  Report put(String key, @Nullable Object value) {
    json.put(key, value);
    return this;
  }

  /** Adds to the text alone. */
  Report line(String label, String value) {
    text.line("  " + label, value);
    return this;
  }

  /** Adds a value to both; in the text its key has blanks. */
  Report both(String key, Object value) {
    return put(key, value).line(key.replace('_', ' '), value.toString());
  }

  /** Adds names to the JSON, and to the text their number as well. */
  Report names(String key, List<String> names) {
    String all = names.size() + ": " + String.join(", ", names);
    return put(key, names).line(key.replace('_', ' '), all);
  }

  /** Adds lines of a text and the momenta that have it. */
  void lines(String label, TreeMultimap<String, Momentum> momenta) {
    momenta.asMap().forEach((text, n) -> line(label, text + MomentumShells.text(n)));
  }

  /** Adds what data say of themselves to the JSON. */
  Report header(PartialHeader header) {
    return put("ensemble", header.ensemble())
        .put("spatial_extent", header.spatialExtent())
        .put("temporal_extent", header.temporalExtent())
        .put("num_eigenvectors", header.eigenvectors())
        .put("gamma_basis", header.gammaBasis())
        .put("temporal_boundary", header.temporalBoundary());
  }

  /** Adds the size of files. */
  Report files(Collection<Path> files) {
    long bytes = 0;
    for (Path file : files) {
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return put("bytes", bytes).line("files", files.size() + ", " + MemorySize.text(bytes));
  }

  /** Adds faults, or that there are none if they were looked for. */
  Report faults(List<String> found, boolean verified) {
    faults = found.size();
    if (verified || faults > 0) {
      put("faults", found);
    }
    if (verified && faults == 0) {
      line("verified", "sound");
    }
    found.forEach(fault -> line("fault", fault));
    return this;
  }

  /** The record that {@code starling inspect --json} prints. */
  public Map<String, @Nullable Object> describe() {
    return json;
  }

  /** The same for a reader. */
  public String text() {
    return text.toString();
  }

  /** The number of faults. */
  int faults() {
    return faults;
  }

  static List<String> names(Collection<Path> files) {
    return files.stream().map(Path::toString).toList();
  }

  static List<Integer> numbers(Momentum n) {
    return List.of(n.x(), n.y(), n.z());
  }

  static SortedSet<Integer> set(BitSet times) {
    return times.stream().boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  static String text(BitSet times) {
    return NumberSelection.text(set(times));
  }

  static BitSet union(Collection<BitSet> several) {
    BitSet all = new BitSet();
    several.forEach(all::or);
    return all;
  }

  /** The times of elementals by displacement and momentum, in their order. */
  static Map<String, Map<Momentum, BitSet>> byDisplacement(Map<ElementalName, BitSet> elementals) {
    Table<String, Momentum, BitSet> table = TreeBasedTable.create();
    elementals.forEach((name, times) -> table.put(name.displacement(), name.momentum(), times));
    return table.rowMap();
  }

  /** What a set lacks of another. */
  static <T> SortedSet<T> lacking(Collection<T> found, Collection<T> all) {
    SortedSet<T> rest = new TreeSet<>(all);
    rest.removeAll(found);
    return rest;
  }

  /** What times lack of others; nothing has been found where they are null. */
  static BitSet rest(@Nullable BitSet found, BitSet all) {
    BitSet rest = (BitSet) all.clone();
    rest.andNot(found == null ? new BitSet() : found);
    return rest;
  }

  /** Names the times that something lacks, if it does. */
  static void addGap(String what, @Nullable BitSet found, BitSet all, List<String> lacking) {
    BitSet rest = rest(found, all);
    if (!rest.isEmpty()) {
      lacking.add(what + " at times " + text(rest));
    }
  }
}
