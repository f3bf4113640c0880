package org.starlingqcd.correlators.inspection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.ElementalName;

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

  static long bytes(Collection<Path> files) {
    long bytes = 0;
    for (Path file : files) {
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return bytes;
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

  /** The times of elementals by displacement and momentum. */
  static SortedMap<String, SortedMap<Momentum, BitSet>> byDisplacement(
      Map<ElementalName, BitSet> elementals) {
    SortedMap<String, SortedMap<Momentum, BitSet>> result = new TreeMap<>();
    elementals.forEach(
        (name, times) ->
            result
                .computeIfAbsent(name.displacement(), d -> new TreeMap<>())
                .put(name.momentum(), times));
    return result;
  }

  /** What a set lacks of another. */
  static <T> SortedSet<T> lacking(Collection<T> found, Collection<T> all) {
    SortedSet<T> rest = new TreeSet<>(all);
    rest.removeAll(found);
    return rest;
  }
}
