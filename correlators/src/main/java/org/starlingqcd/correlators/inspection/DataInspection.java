package org.starlingqcd.correlators.inspection;

import java.nio.file.Path;
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
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Inspects the distillation data of one ensemble: everything that any configuration has, and what
 * is missing from single configurations.
 */
final class DataInspection {
  /**
   * What one configuration has, or all together: source times by label, momenta by displacement.
   */
  private final SortedMap<String, SortedSet<Integer>> perambulators = new TreeMap<>();

  private final SortedMap<String, SortedSet<Momentum>> mesons = new TreeMap<>();
  private final SortedMap<String, SortedSet<Momentum>> baryons = new TreeMap<>();

  private final Currents currents = new Currents();

  /** Labels to which γ5-hermiticity does not apply. */
  private final SortedSet<String> stochastic = new TreeSet<>();

  /** Blocks that the masks of the files call missing. */
  private final List<String> gaps = new ArrayList<>();

  private DataInspection() {}

  /**
   * Inspects the configurations of one ensemble.
   *
   * @param verify whether the numbers are checked, block by block
   */
  static Report of(List<DistillationFiles.Configuration> configurations, boolean verify) {
    SortedMap<Long, DistillationFiles.Configuration> sorted = new TreeMap<>();
    Map<Long, DataInspection> contents = new LinkedHashMap<>();
    DataInspection all = new DataInspection();
    List<String> faults = new ArrayList<>();
    for (DistillationFiles.Configuration configuration : configurations) {
      sorted.put(configuration.number(), configuration);
      try (DistillationData data = configuration.open()) {
        DataInspection found = new DataInspection();
        found.read(data);
        contents.put(configuration.number(), found);
        all.add(found);
        if (verify) {
          faults.addAll(new DataVerification(data).faults());
        }
      } catch (DistillationException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
    SortedMap<Long, List<String>> missing = new TreeMap<>();
    List<Map<String, Object>> described = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    sorted.forEach(
        (number, configuration) -> {
          DataInspection found = contents.get(number);
          List<String> lacking = found == null ? List.of() : found.lacking(all);
          missing.put(number, lacking);
          files.addAll(configuration.files());
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("configuration", number);
          one.put("files", Report.names(configuration.files()));
          one.put("missing", lacking);
          described.add(one);
        });
    return all.report(configurations.get(0).header(), described, files, missing)
        .faults(faults, verify);
  }

  private void read(DistillationData data) {
    int extent = data.header().temporalExtent();
    for (String label : data.labels()) {
      perambulators.put(label, new TreeSet<>(data.sourceTimes(label)));
      if (!data.gamma5Hermitian(label)) {
        stochastic.add(label);
      }
      for (int source : data.sourceTimes(label)) {
        String what = "perambulators/" + label + " of source time " + source;
        addGap(what, data.sinkTimes(label, source), extent);
      }
    }
    for (ElementalName name : data.mesonElementals()) {
      values(mesons, name.displacement()).add(name.momentum());
      addGap("elementals/meson/" + name, data.mesonTimes(name), extent);
    }
    for (ElementalName name : data.baryonElementals()) {
      values(baryons, name.displacement()).add(name.momentum());
      addGap("elementals/baryon/" + name, data.baryonTimes(name), extent);
    }
    currents.add(data);
  }

  private static <T> SortedSet<T> values(Map<String, SortedSet<T>> map, String key) {
    return map.computeIfAbsent(key, k -> new TreeSet<>());
  }

  private void addGap(String what, BitSet times, int extent) {
    BitSet rest = new BitSet();
    rest.set(0, extent);
    rest.andNot(times);
    if (!rest.isEmpty()) {
      gaps.add(what + " at times " + NumberSelection.text(Report.set(rest)));
    }
  }

  private void add(DataInspection other) {
    other.perambulators.forEach((key, its) -> values(perambulators, key).addAll(its));
    other.mesons.forEach((key, its) -> values(mesons, key).addAll(its));
    other.baryons.forEach((key, its) -> values(baryons, key).addAll(its));
    currents.add(other.currents);
    stochastic.addAll(other.stochastic);
  }

  private List<String> lacking(DataInspection all) {
    List<String> lacking = new ArrayList<>(gaps);
    all.perambulators.forEach(
        (label, times) -> {
          SortedSet<Integer> rest = Report.lacking(values(perambulators, label), times);
          if (!rest.isEmpty()) {
            lacking.add(
                "perambulators/" + label + " at source times " + NumberSelection.text(rest));
          }
        });
    addLacking("elementals/meson/", mesons, all.mesons, lacking);
    addLacking("elementals/baryon/", baryons, all.baryons, lacking);
    lacking.addAll(currents.lacking(all.currents));
    return lacking;
  }

  private static void addLacking(
      String kind,
      Map<String, SortedSet<Momentum>> found,
      Map<String, SortedSet<Momentum>> all,
      List<String> lacking) {
    all.forEach(
        (displacement, momenta) -> {
          SortedSet<Momentum> rest = Report.lacking(values(found, displacement), momenta);
          if (!rest.isEmpty()) {
            lacking.add(kind + displacement + " at " + rest);
          }
        });
  }

  private Report report(
      DistillationHeader header,
      List<Map<String, Object>> configurations,
      Collection<Path> files,
      SortedMap<Long, List<String>> missing) {
    boolean boundary = !header.temporalBoundary().isEmpty();
    long bytes = Report.bytes(files);
    Report report =
        new Report("data", header.ensemble() + ": distillation data")
            .put("ensemble", header.ensemble())
            .put("spatial_extent", header.spatialExtent())
            .put("temporal_extent", header.temporalExtent())
            .put("num_eigenvectors", header.eigenvectors())
            .put("gamma_basis", header.gammaBasis())
            .put("temporal_boundary", header.temporalBoundary())
            .put("configurations", configurations)
            .put("bytes", bytes)
            .put("perambulators", perambulators)
            .put("not_gamma5_hermitian", stochastic)
            .put("meson_elementals", momenta(mesons))
            .put("baryon_elementals", momenta(baryons))
            .line(
                "lattice",
                "%d^3 x %d%s"
                    .formatted(
                        header.spatialExtent(),
                        header.temporalExtent(),
                        boundary ? ", quarks " + header.temporalBoundary() + " in time" : ""))
            .line("eigenvectors", Integer.toString(header.eigenvectors()))
            .line("gamma basis", header.gammaBasis())
            .line(
                "configurations",
                NumberSelection.text(missing.keySet().stream().map(Math::toIntExact).toList()))
            .line("files", files.size() + ", " + MemorySize.text(bytes));
    perambulators.forEach(
        (label, times) ->
            report.line(
                "perambulators",
                label
                    + ": source times "
                    + NumberSelection.text(times)
                    + (stochastic.contains(label) ? ", not gamma5-hermitian" : "")));
    mesons.forEach((d, n) -> report.line("meson elementals", d + ": " + MomentumShells.text(n)));
    baryons.forEach((d, n) -> report.line("baryon elementals", d + ": " + MomentumShells.text(n)));
    currents.report(report);
    if (perambulators.isEmpty()) {
      report.line("perambulators", "none; a run needs files that hold them too");
    }
    if (mesons.isEmpty() && baryons.isEmpty()) {
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

  private static Map<String, List<List<Integer>>> momenta(
      SortedMap<String, SortedSet<Momentum>> elementals) {
    Map<String, List<List<Integer>>> map = new LinkedHashMap<>();
    elementals.forEach((d, momenta) -> map.put(d, momenta.stream().map(Report::numbers).toList()));
    return map;
  }
}
