package org.starlingqcd.correlators.inspection;

import com.google.common.collect.Maps;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.run.NumberSelection;
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

  private static final List<DataBlock.Kind> KINDS =
      List.of(DataBlock.Kind.MESON, DataBlock.Kind.BARYON);

  private final PartialHeader header;
  private final BlockCatalog blocks;
  private final Map<String, String> renamed = new TreeMap<>();
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
    for (DataBlock.Kind kind : KINDS) {
      Report.byDisplacement(blocks.elementals(kind))
          .forEach(
              (d, momenta) -> {
                BitSet all = Report.union(momenta.values());
                momenta.forEach(
                    (n, times) ->
                        Report.addGap(kind.group + "/" + d + " at " + n, times, all, missing));
              });
    }
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

  private Report report(DataSource source) {
    Map<String, Object> labels = new LinkedHashMap<>();
    for (String label : blocks.labels()) {
      labels.put(label, Maps.transformValues(blocks.sinkTimes(label), Report::set));
    }
    boolean noLattice = header.spatialExtent() == null && header.temporalExtent() == null;
    Report report =
        new Report("source", source.files().get(0) + ": " + source.format())
            .put("format", source.format())
            .put("files", Report.names(source.files()))
            .header(header)
            .put("configuration", header.configuration())
            .put("perambulators", labels)
            .put("labels", renamed)
            .put("missing", missing)
            .files(source.files())
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
                  Report.text(Report.union(columns.values())),
                  columns.values().stream().mapToInt(BitSet::cardinality).sum()));
    }
    addSinks(report);
    for (DataBlock.Kind kind : KINDS) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      Map<String, List<Map<String, Object>>> described = new LinkedHashMap<>();
      Report.byDisplacement(blocks.elementals(kind))
          .forEach(
              (d, momenta) -> {
                List<Map<String, Object>> list = new ArrayList<>();
                momenta.forEach(
                    (n, times) ->
                        list.add(
                            Map.of("momentum", Report.numbers(n), "times", Report.set(times))));
                described.put(d, list);
                report.line(
                    name + " elementals",
                    "%s: %s; times %s"
                        .formatted(
                            d,
                            MomentumShells.text(momenta.keySet()),
                            Report.text(Report.union(momenta.values()))));
              });
      report.put(name + "_elementals", described);
    }
    Currents.report(blocks, report);
    if (missing.isEmpty()) {
      report.line("missing", "nothing that other blocks of the source suggest");
    }
    missing.forEach(what -> report.line("missing", what));
    return report;
  }

  /** Adds quark sinks, with the time classes of each noise, and noises. */
  private void addSinks(Report report) {
    SortedMap<String, SortedSet<Integer>> sinks = new TreeMap<>();
    SortedSet<String> noises = new TreeSet<>();
    for (DataBlock block : blocks.series().keySet()) {
      if (block instanceof DataBlock.Sink sink) {
        String set = sink.set().isEmpty() ? "without a label" : Printable.of(sink.set());
        String name = "%s: D = %d, noise %s".formatted(set, sink.scheme().size(), sink.noise());
        sinks.computeIfAbsent(name, key -> new TreeSet<>()).add(sink.timeClass());
      } else if (block instanceof DataBlock.Noise noise) {
        noises.add(noise.name());
      }
    }
    if (!sinks.isEmpty() || !noises.isEmpty()) {
      report.put("quark_sinks", sinks).put("noises", noises);
      report.line("noises", noises.isEmpty() ? "none" : String.join(", ", noises));
    }
    sinks.forEach(
        (name, classes) ->
            report.line("quark sinks", name + ", time classes " + NumberSelection.text(classes)));
  }

  private static String said(@Nullable Object value) {
    return value == null ? "not said" : Printable.of(value.toString());
  }
}
