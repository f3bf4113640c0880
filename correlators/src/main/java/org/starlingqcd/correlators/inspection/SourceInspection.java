package org.starlingqcd.correlators.inspection;

import com.google.common.collect.Maps;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationFiles.Found;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/**
 * Inspects data of another program: one source, which may be several files. Nothing is asked of it
 * but that it can be read; what it does not say is null.
 */
final class SourceInspection {
  /** Gaps that are listed one by one; the rest is counted. */
  private static final int LISTED = 8;

  private final PartialHeader header;
  private final BlockCatalog blocks;
  private final Map<String, String> renamed = new TreeMap<>();
  private final Map<String, SortedMap<Momentum, BitSet>> mesons;
  private final Map<String, SortedMap<Momentum, BitSet>> baryons;
  private final List<String> missing = new ArrayList<>();

  private SourceInspection(PartialHeader header, BlockCatalog blocks, Found found) {
    this.header = header;
    this.blocks = blocks;
    for (String label : blocks.labels()) {
      findMissingSinks(label, blocks.sinkTimes(label));
      String translated = found.translated(label);
      if (!translated.equals(label)) {
        renamed.put(label, translated);
      }
    }
    mesons = Report.byDisplacement(blocks.elementals(DataBlock.Kind.MESON));
    baryons = Report.byDisplacement(blocks.elementals(DataBlock.Kind.BARYON));
    findMissingTimes("elementals/meson/", mesons);
    findMissingTimes("elementals/baryon/", baryons);
    if (missing.size() > LISTED) {
      int rest = missing.size() - LISTED;
      missing.subList(LISTED, missing.size()).clear();
      missing.add("… and " + rest + " more such lines");
    }
  }

  /**
   * Opens a source and lists what it holds.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException if it is damaged
   */
  static Report of(Found found) {
    try (ChunkCaches caches = new ChunkCaches(HostMemoryBudget.unbounded());
        BlockSource source = found.source().open(caches)) {
      return new SourceInspection(source.header().or(found.header()), source.blocks(), found)
          .report(found.source());
    }
  }

  /** What single source times lack of what others have. */
  private void findMissingSinks(String label, SortedMap<Integer, BitSet> columns) {
    // Sink times count from the source: a source may be followed for a part of the lattice.
    SortedSet<Integer> all = new TreeSet<>();
    columns.forEach((source, sinks) -> all.addAll(distances(source, sinks)));
    columns.forEach(
        (source, sinks) -> {
          SortedSet<Integer> rest = Report.lacking(distances(source, sinks), all);
          if (!rest.isEmpty()) {
            missing.add(
                "perambulators/%s of source time %d at %d %s that others have: %s"
                    .formatted(
                        Printable.of(label),
                        source,
                        rest.size(),
                        rest.size() == 1 ? "distance" : "distances",
                        NumberSelection.text(rest)));
          }
        });
  }

  /** Distances from the source, modulo T where it is known. */
  private SortedSet<Integer> distances(int source, BitSet sinks) {
    SortedSet<Integer> distances = new TreeSet<>();
    Integer extent = header.temporalExtent();
    for (int sink : Report.set(sinks)) {
      distances.add(extent == null ? sink - source : Math.floorMod(sink - source, extent));
    }
    return distances;
  }

  /** What single momenta lack of what others have. */
  private void findMissingTimes(String kind, Map<String, SortedMap<Momentum, BitSet>> elementals) {
    elementals.forEach(
        (displacement, momenta) -> {
          SortedSet<Integer> all = union(momenta.values());
          momenta.forEach(
              (momentum, times) -> {
                SortedSet<Integer> rest = Report.lacking(Report.set(times), all);
                if (!rest.isEmpty()) {
                  missing.add(
                      "%s%s at %s at times %s"
                          .formatted(kind, displacement, momentum, NumberSelection.text(rest)));
                }
              });
        });
  }

  private static SortedSet<Integer> union(Collection<BitSet> several) {
    BitSet all = new BitSet();
    several.forEach(all::or);
    return Report.set(all);
  }

  private Report report(DataSource source) {
    long bytes = Report.bytes(source.files());
    Map<String, Object> labels = new LinkedHashMap<>();
    for (String label : blocks.labels()) {
      labels.put(label, Maps.transformValues(blocks.sinkTimes(label), Report::set));
    }
    boolean noLattice = header.spatialExtent() == null && header.temporalExtent() == null;
    Report report =
        new Report("source", source.files().get(0) + ": " + source.format())
            .put("format", source.format())
            .put("files", Report.names(source.files()))
            .put("bytes", bytes)
            .put("ensemble", header.ensemble())
            .put("configuration", header.configuration())
            .put("spatial_extent", header.spatialExtent())
            .put("temporal_extent", header.temporalExtent())
            .put("num_eigenvectors", header.eigenvectors())
            .put("gamma_basis", header.gammaBasis())
            .put("temporal_boundary", header.temporalBoundary())
            .put("perambulators", labels)
            .put("labels", renamed)
            .put("meson_elementals", times(mesons))
            .put("baryon_elementals", times(baryons))
            .put("missing", missing)
            .line("files", source.files().size() + ", " + MemorySize.text(bytes))
            .line("ensemble", said(header.ensemble()))
            .line("configuration", said(header.configuration()))
            .line(
                "lattice",
                noLattice
                    ? said(null)
                    : said(header.spatialExtent()) + "^3 x " + said(header.temporalExtent()))
            .line("eigenvectors", said(header.eigenvectors()));
    if (header.gammaBasis() != null) {
      report.line("gamma basis", header.gammaBasis());
    }
    for (String label : blocks.labels()) {
      SortedMap<Integer, BitSet> columns = blocks.sinkTimes(label);
      report.line(
          "perambulators",
          "%s%s: source times %s, sink times %s, %d blocks"
              .formatted(
                  label.isEmpty() ? "without a label" : Printable.of(label),
                  renamed.containsKey(label) ? ", called " + renamed.get(label) : "",
                  NumberSelection.text(columns.keySet()),
                  NumberSelection.text(union(columns.values())),
                  columns.values().stream().mapToInt(BitSet::cardinality).sum()));
    }
    mesons.forEach((d, momenta) -> report.line("meson elementals", text(d, momenta)));
    baryons.forEach((d, momenta) -> report.line("baryon elementals", text(d, momenta)));
    Currents.report(blocks, report);
    if (missing.isEmpty()) {
      report.line("missing", "nothing that other blocks of the source suggest");
    }
    missing.forEach(what -> report.line("missing", what));
    return report;
  }

  private static Map<String, List<Map<String, Object>>> times(
      Map<String, SortedMap<Momentum, BitSet>> elementals) {
    Map<String, List<Map<String, Object>>> map = new LinkedHashMap<>();
    elementals.forEach(
        (displacement, momenta) -> {
          List<Map<String, Object>> list = new ArrayList<>();
          momenta.forEach(
              (n, times) ->
                  list.add(Map.of("momentum", Report.numbers(n), "times", Report.set(times))));
          map.put(displacement, list);
        });
    return map;
  }

  private static String text(String displacement, SortedMap<Momentum, BitSet> momenta) {
    return "%s: %s; times %s"
        .formatted(
            displacement,
            MomentumShells.text(momenta.keySet()),
            NumberSelection.text(union(momenta.values())));
  }

  private static String said(@Nullable Object value) {
    return value == null ? "not said" : Printable.of(value.toString());
  }
}
