package org.starlingqcd.correlators.inspection;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.common.collect.TreeMultimap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Inspects the distillation data of one ensemble: everything that any configuration has, and what
 * is missing from single configurations.
 */
final class DataInspection {
  private DataInspection() {}

  /**
   * Inspects the configurations of one ensemble.
   *
   * @param verify whether the numbers are checked, block by block
   */
  static Report of(List<DistillationFiles.Configuration> configurations, boolean verify) {
    SortedMap<Long, DistillationFiles.Configuration> sorted = new TreeMap<>();
    Map<Long, BlockCatalog> contents = new HashMap<>();
    BlockCatalog all = new BlockCatalog();
    List<String> faults = new ArrayList<>();
    SortedSet<Integer> sites = new TreeSet<>();
    for (DistillationFiles.Configuration configuration : configurations) {
      sorted.put(configuration.number(), configuration);
      try (DistillationData data = configuration.open()) {
        BlockCatalog found = data.blocks();
        contents.put(configuration.number(), found);
        all.addAll(found);
        if (data.hasSamples()) {
          for (boolean atSource : new boolean[] {false, true}) {
            // Read, so that damage is said.
            sites.add(data.sites(atSource).length / (3 * data.header().temporalExtent()));
          }
        }
        if (verify) {
          faults.addAll(new DataVerification(data).faults());
        }
      } catch (DistillationException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
    DistillationHeader header = configurations.get(0).header();
    SortedMap<Long, List<String>> missing = new TreeMap<>();
    List<Map<String, Object>> described = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    sorted.forEach(
        (number, configuration) -> {
          BlockCatalog found = contents.get(number);
          List<String> lacking =
              found == null ? List.of() : lacking(found, all, header.temporalExtent());
          missing.put(number, lacking);
          files.addAll(configuration.files());
          described.add(
              ImmutableMap.of(
                  "configuration", number,
                  "files", Report.names(configuration.files()),
                  "missing", lacking));
        });
    return report(all, header, described, files, missing, sites).faults(faults, verify);
  }

  /** What a configuration lacks: times of the blocks that it has, and what others have. */
  private static List<String> lacking(BlockCatalog found, BlockCatalog all, int extent) {
    List<String> lacking = new ArrayList<>();
    BitSet everyTime = BlockCatalog.all(extent);
    for (String label : found.labels()) {
      found
          .sinkTimes(label)
          .forEach(
              (source, sinks) ->
                  Report.addGap(
                      "perambulators/" + label + " of source time " + source,
                      sinks,
                      everyTime,
                      lacking));
    }
    for (DataBlock.Kind kind : DataBlock.Kind.values()) {
      found
          .elementals(kind)
          .forEach(
              (name, times) -> Report.addGap(kind.group + "/" + name, times, everyTime, lacking));
    }
    for (String label : all.labels()) {
      SortedSet<Integer> rest =
          Report.lacking(found.sinkTimes(label).keySet(), all.sinkTimes(label).keySet());
      if (!rest.isEmpty()) {
        lacking.add("perambulators/" + label + " at source times " + NumberSelection.text(rest));
      }
    }
    for (DataBlock.Kind kind : DataBlock.Kind.values()) {
      Set<ElementalName> there = found.elementals(kind).keySet();
      Report.byDisplacement(Maps.filterKeys(all.elementals(kind), name -> !there.contains(name)))
          .forEach((d, n) -> lacking.add(kind.group + "/" + d + " at " + n.keySet()));
    }
    Currents.lacking(found, all, lacking);
    Sinks.lacking(found, all, lacking);
    return lacking;
  }

  private static Report report(
      BlockCatalog all,
      DistillationHeader header,
      List<Map<String, Object>> configurations,
      Collection<Path> files,
      SortedMap<Long, List<String>> missing,
      SortedSet<Integer> sites) {
    long checksummed = files.stream().filter(Hdf5File::isChecksummed).count();
    String boundary = header.temporalBoundary();
    Map<String, Set<Integer>> perambulators = new LinkedHashMap<>();
    all.labels().forEach(label -> perambulators.put(label, all.sinkTimes(label).keySet()));
    List<String> stochastic =
        all.labels().stream().filter(label -> !all.gamma5Hermitian(label)).toList();
    Report report =
        new Report("data", header.ensemble() + ": distillation data")
            .header(PartialHeader.of(header))
            .put("configurations", configurations)
            .put("files_with_checksums", checksummed)
            .put("perambulators", perambulators)
            .put("not_gamma5_hermitian", stochastic)
            .put("sampled_sites", sites)
            .line(
                "lattice",
                "%d^3 x %d%s"
                    .formatted(
                        header.spatialExtent(),
                        header.temporalExtent(),
                        boundary.isEmpty() ? "" : ", quarks " + boundary + " in time"))
            .line("eigenvectors", Integer.toString(header.eigenvectors()))
            .line("gamma basis", header.gammaBasis())
            .line(
                "configurations",
                NumberSelection.text(missing.keySet().stream().map(Math::toIntExact).toList()))
            .files(files);
    if (checksummed > 0) {
      report.line(
          "checksums", checksummed == files.size() ? "yes" : "in " + checksummed + " of the files");
    }
    perambulators.forEach(
        (label, times) ->
            report.line(
                "perambulators",
                label
                    + ": source times "
                    + NumberSelection.text(times)
                    + (stochastic.contains(label) ? ", not gamma5-hermitian" : "")));
    boolean elementals = false;
    for (DataBlock.Kind kind : DataBlock.Kind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      Map<String, List<List<Integer>>> momenta = new LinkedHashMap<>();
      TreeMultimap<String, Momentum> lines = TreeMultimap.create();
      Report.byDisplacement(all.elementals(kind))
          .forEach(
              (d, times) -> {
                momenta.put(d, times.keySet().stream().map(Report::numbers).toList());
                lines.putAll(d + ": ", times.keySet());
              });
      report
          .put(name + "_elementals", momenta)
          .lines(kind == DataBlock.Kind.TETRAQUARK ? "tetraquarks" : name + " elementals", lines);
      elementals |= !momenta.isEmpty();
    }
    if (!sites.isEmpty()) {
      report.line("sampled vectors", "on " + NumberSelection.text(sites) + " sites at each time");
    }
    Currents.report(all, report);
    if (!Sinks.report(all, report) && perambulators.isEmpty()) {
      report.line("perambulators", "none; a run needs files that hold them too");
    }
    if (!elementals) {
      report.line("elementals", "none; a run needs files that hold them too");
    }
    if (missing.values().stream().allMatch(List::isEmpty)) {
      report.line("missing", "nothing that another configuration has");
    }
    missing.forEach(
        (number, lacking) ->
            lacking.forEach(
                what -> report.line("missing", "configuration " + number + ": " + what)));
    return report;
  }
}
