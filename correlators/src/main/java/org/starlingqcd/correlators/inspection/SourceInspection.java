package org.starlingqcd.correlators.inspection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DistillationFiles.Found;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/**
 * What data of another program hold: one source, which may be several files. Nothing is asked of it
 * but that it can be read; what it does not say is null.
 *
 * @param format name of the format
 * @param files its files
 * @param bytes size of the files
 * @param header what the source says about itself, and what the user adds
 * @param perambulators label to the sink times of each source time
 * @param renamed label of the source to the label it gets, where they differ
 * @param mesons displacement to the times of each momentum
 * @param baryons displacement to the times of each momentum
 */
public record SourceInspection(
    String format,
    List<Path> files,
    long bytes,
    PartialHeader header,
    SortedMap<String, SortedMap<Integer, BitSet>> perambulators,
    Map<String, String> renamed,
    SortedMap<String, SortedMap<Momentum, BitSet>> mesons,
    SortedMap<String, SortedMap<Momentum, BitSet>> baryons) {
  /** Gaps that are listed one by one; the rest is counted. */
  private static final int LISTED = 8;

  /**
   * Opens a source and lists what it holds.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException when it is damaged
   */
  static SourceInspection of(Found found) {
    try (ChunkCaches caches = new ChunkCaches(HostMemoryBudget.unbounded());
        BlockSource source = found.source().open(caches)) {
      BlockCatalog blocks = source.blocks();
      SortedMap<String, SortedMap<Integer, BitSet>> perambulators = new TreeMap<>();
      Map<String, String> renamed = new TreeMap<>();
      for (String label : blocks.labels()) {
        perambulators.put(label, blocks.sinkTimes(label));
        String translated = found.translated(label);
        if (!translated.equals(label)) {
          renamed.put(label, translated);
        }
      }
      return new SourceInspection(
          found.source().format(),
          found.source().files(),
          found.source().files().stream().mapToLong(SourceInspection::size).sum(),
          source.header().or(found.header()),
          perambulators,
          renamed,
          byDisplacement(blocks.mesons()),
          byDisplacement(blocks.baryons()));
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SortedMap<String, SortedMap<Momentum, BitSet>> byDisplacement(
      SortedMap<ElementalName, BitSet> elementals) {
    SortedMap<String, SortedMap<Momentum, BitSet>> result = new TreeMap<>();
    elementals.forEach(
        (name, times) ->
            result
                .computeIfAbsent(name.displacement(), d -> new TreeMap<>())
                .put(name.momentum(), times));
    return result;
  }

  /** What single source times or momenta lack of what others of the same kind have. */
  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    perambulators.forEach(
        (label, columns) -> {
          // Sink times count from the source: a source may be followed for a part of the lattice.
          SortedSet<Integer> all = new TreeSet<>();
          columns.forEach((source, sinks) -> all.addAll(distances(source, sinks)));
          columns.forEach(
              (source, sinks) -> {
                SortedSet<Integer> rest = new TreeSet<>(all);
                rest.removeAll(distances(source, sinks));
                if (!rest.isEmpty()) {
                  missing.add(
                      "perambulators/"
                          + Printable.of(label)
                          + " of source time "
                          + source
                          + " at "
                          + rest.size()
                          + (rest.size() == 1 ? " distance" : " distances")
                          + " that others have: "
                          + NumberSelection.text(rest));
                }
              });
        });
    lacking("elementals/meson/", mesons, missing);
    lacking("elementals/baryon/", baryons, missing);
    if (missing.size() > LISTED) {
      int rest = missing.size() - LISTED;
      missing.subList(LISTED, missing.size()).clear();
      missing.add("… and " + rest + " more such lines");
    }
    return missing;
  }

  /** Distances from the source, modulo T where it is known. */
  private SortedSet<Integer> distances(int source, BitSet sinks) {
    SortedSet<Integer> distances = new TreeSet<>();
    Integer extent = header.temporalExtent();
    sinks.stream()
        .forEach(
            sink ->
                distances.add(
                    extent == null ? sink - source : Math.floorMod(sink - source, extent)));
    return distances;
  }

  private static void lacking(
      String kind,
      SortedMap<String, SortedMap<Momentum, BitSet>> elementals,
      List<String> missing) {
    elementals.forEach(
        (displacement, momenta) -> {
          BitSet all = new BitSet();
          momenta.values().forEach(all::or);
          momenta.forEach(
              (momentum, times) -> {
                BitSet rest = (BitSet) all.clone();
                rest.andNot(times);
                if (!rest.isEmpty()) {
                  missing.add(
                      kind
                          + displacement
                          + " at "
                          + momentum
                          + " at times "
                          + NumberSelection.text(set(rest)));
                }
              });
        });
  }

  private static SortedSet<Integer> set(BitSet times) {
    return times.stream().boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private static SortedSet<Integer> union(Iterable<BitSet> several) {
    BitSet all = new BitSet();
    several.forEach(all::or);
    return set(all);
  }

  private static long count(Iterable<BitSet> several) {
    long count = 0;
    for (BitSet times : several) {
      count += times.cardinality();
    }
    return count;
  }

  /** The record that {@code starling inspect --json} prints. */
  public Map<String, @Nullable Object> describe() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("kind", "source");
    map.put("format", format);
    map.put("files", files.stream().map(Path::toString).toList());
    map.put("bytes", bytes);
    map.put("ensemble", header.ensemble());
    map.put("configuration", header.configuration());
    map.put("spatial_extent", header.spatialExtent());
    map.put("temporal_extent", header.temporalExtent());
    map.put("num_eigenvectors", header.eigenvectors());
    map.put("gamma_basis", header.gammaBasis());
    map.put("temporal_boundary", header.temporalBoundary());
    Map<String, Object> labels = new LinkedHashMap<>();
    perambulators.forEach(
        (label, columns) -> {
          Map<String, Object> sinks = new LinkedHashMap<>();
          columns.forEach((source, times) -> sinks.put(String.valueOf(source), set(times)));
          labels.put(label, sinks);
        });
    map.put("perambulators", labels);
    map.put("labels", renamed);
    map.put("meson_elementals", times(mesons));
    map.put("baryon_elementals", times(baryons));
    map.put("missing", missing());
    return map;
  }

  private static Map<String, List<Map<String, Object>>> times(
      SortedMap<String, SortedMap<Momentum, BitSet>> elementals) {
    Map<String, List<Map<String, Object>>> map = new LinkedHashMap<>();
    elementals.forEach(
        (displacement, momenta) -> {
          List<Map<String, Object>> list = new ArrayList<>();
          momenta.forEach(
              (n, times) ->
                  list.add(Map.of("momentum", List.of(n.x(), n.y(), n.z()), "times", set(times))));
          map.put(displacement, list);
        });
    return map;
  }

  /** The same as text. */
  public String text() {
    Listing text = new Listing(Inspection.COLUMN);
    text.heading(files.get(0) + ": " + format);
    text.line("  files", files.size() + ", " + MemorySize.text(bytes));
    text.line("  ensemble", said(header.ensemble()));
    text.line("  configuration", said(header.configuration()));
    text.line(
        "  lattice",
        header.spatialExtent() == null && header.temporalExtent() == null
            ? said(null)
            : said(header.spatialExtent()) + "^3 x " + said(header.temporalExtent()));
    text.line("  eigenvectors", said(header.eigenvectors()));
    if (header.gammaBasis() != null) {
      text.line("  gamma basis", header.gammaBasis());
    }
    perambulators.forEach(
        (label, columns) ->
            text.line(
                "  perambulators",
                (label.isEmpty() ? "without a label" : Printable.of(label))
                    + (renamed.containsKey(label) ? ", called " + renamed.get(label) : "")
                    + ": source times "
                    + NumberSelection.text(columns.keySet())
                    + ", sink times "
                    + NumberSelection.text(union(columns.values()))
                    + ", "
                    + count(columns.values())
                    + " blocks"));
    elementals("  meson elementals", mesons, text);
    elementals("  baryon elementals", baryons, text);
    List<String> missing = missing();
    if (missing.isEmpty()) {
      text.line("  missing", "nothing that other blocks of the source suggest");
    }
    missing.forEach(what -> text.line("  missing", what));
    return text.toString();
  }

  private static void elementals(
      String name, SortedMap<String, SortedMap<Momentum, BitSet>> elementals, Listing text) {
    elementals.forEach(
        (displacement, momenta) ->
            text.line(
                name,
                displacement
                    + ": "
                    + MomentumShells.text(new TreeSet<>(momenta.keySet()))
                    + "; times "
                    + NumberSelection.text(union(momenta.values()))));
  }

  private static String said(@Nullable Object value) {
    return value == null ? "not said" : Printable.of(value.toString());
  }
}
