package org.starlingqcd.correlators.inspection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * The contents of the distillation data of one ensemble: everything that any configuration has, and
 * what is missing from single configurations.
 *
 * @param header root attributes of the first configuration
 * @param configurations configuration numbers with their files
 * @param bytes size of all files
 * @param perambulators label to its source times
 * @param stochastic labels to which γ5-hermiticity does not apply
 * @param mesons displacement to its momenta
 * @param baryons displacement to its momenta
 * @param missing configuration to descriptions of what it lacks
 * @param verified whether the numbers were checked
 * @param faults descriptions of faults
 */
public record DataInspection(
    DistillationHeader header,
    SortedMap<Long, List<Path>> configurations,
    long bytes,
    SortedMap<String, SortedSet<Integer>> perambulators,
    Set<String> stochastic,
    SortedMap<String, SortedSet<Momentum>> mesons,
    SortedMap<String, SortedSet<Momentum>> baryons,
    SortedMap<Long, List<String>> missing,
    boolean verified,
    List<String> faults) {

  /** Copies the lists. */
  public DataInspection {
    stochastic = Set.copyOf(stochastic);
    faults = List.copyOf(faults);
  }

  /**
   * Inspects the configurations of one ensemble.
   *
   * @param verify whether the numbers are checked, block by block
   */
  public static DataInspection of(
      List<DistillationFiles.Configuration> configurations, boolean verify) {
    TreeMap<Long, Contents> contents = new TreeMap<>();
    TreeMap<Long, List<Path>> files = new TreeMap<>();
    List<String> faults = new ArrayList<>();
    Contents all = new Contents();
    long bytes = 0;
    for (DistillationFiles.Configuration configuration : configurations) {
      files.put(configuration.number(), configuration.files());
      bytes += configuration.files().stream().mapToLong(DataInspection::size).sum();
      try (DistillationData data = configuration.open()) {
        Contents found = Contents.of(data);
        contents.put(configuration.number(), found);
        all.add(found);
        if (verify) {
          faults.addAll(new DataVerification(data).faults());
        }
      } catch (DistillationException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
    TreeMap<Long, List<String>> missing = new TreeMap<>();
    contents.forEach(
        (number, found) -> {
          List<String> lacking = found.lacking(all);
          if (!lacking.isEmpty()) {
            missing.put(number, lacking);
          }
        });
    return new DataInspection(
        configurations.get(0).header(),
        files,
        bytes,
        all.perambulators,
        all.stochastic,
        all.mesons,
        all.baryons,
        missing,
        verify,
        faults);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The contents of one configuration, or of all together. */
  private static final class Contents {
    final TreeMap<String, SortedSet<Integer>> perambulators = new TreeMap<>();
    final TreeSet<String> stochastic = new TreeSet<>();
    final TreeMap<String, SortedSet<Momentum>> mesons = new TreeMap<>();
    final TreeMap<String, SortedSet<Momentum>> baryons = new TreeMap<>();
    final List<String> gaps = new ArrayList<>();

    static Contents of(DistillationData data) {
      Contents contents = new Contents();
      for (String label : data.labels()) {
        contents.perambulators.put(label, new TreeSet<>(data.sourceTimes(label)));
        if (!data.gamma5Hermitian(label)) {
          contents.stochastic.add(label);
        }
      }
      addAll(contents.mesons, data.mesonElementals());
      addAll(contents.baryons, data.baryonElementals());
      contents.addGaps(data);
      return contents;
    }

    private static void addAll(
        Map<String, SortedSet<Momentum>> target, Collection<ElementalName> names) {
      for (ElementalName name : names) {
        target
            .computeIfAbsent(name.displacement(), displacement -> new TreeSet<>())
            .add(name.momentum());
      }
    }

    /** Blocks that the masks of the files call missing. */
    private void addGaps(DistillationData data) {
      int extent = data.header().temporalExtent();
      for (String label : data.labels()) {
        for (int source : data.sourceTimes(label)) {
          BitSet sinks = data.sinkTimes(label, source);
          addGap("perambulators/" + label + " of source time " + source, sinks, extent);
        }
      }
      for (ElementalName name : data.mesonElementals()) {
        addGap("elementals/meson/" + name, data.mesonTimes(name), extent);
      }
      for (ElementalName name : data.baryonElementals()) {
        addGap("elementals/baryon/" + name, data.baryonTimes(name), extent);
      }
    }

    private void addGap(String what, BitSet times, int extent) {
      SortedSet<Integer> rest = new TreeSet<>();
      for (int t = times.nextClearBit(0); t < extent; t = times.nextClearBit(t + 1)) {
        rest.add(t);
      }
      if (!rest.isEmpty()) {
        gaps.add(what + " at times " + NumberSelection.text(rest));
      }
    }

    void add(Contents other) {
      addAll(perambulators, other.perambulators);
      addAll(mesons, other.mesons);
      addAll(baryons, other.baryons);
      stochastic.addAll(other.stochastic);
    }

    private static <T> void addAll(
        Map<String, SortedSet<T>> target, Map<String, SortedSet<T>> source) {
      source.forEach(
          (key, values) -> target.computeIfAbsent(key, k -> new TreeSet<>()).addAll(values));
    }

    List<String> lacking(Contents all) {
      List<String> lacking = new ArrayList<>(gaps);
      lacking(perambulators, all.perambulators)
          .forEach(
              (label, times) ->
                  lacking.add(
                      "perambulators/"
                          + label
                          + " at source times "
                          + NumberSelection.text(times)));
      lacking(mesons, all.mesons)
          .forEach(
              (displacement, momenta) ->
                  lacking.add("elementals/meson/" + displacement + " at " + momenta));
      lacking(baryons, all.baryons)
          .forEach(
              (displacement, momenta) ->
                  lacking.add("elementals/baryon/" + displacement + " at " + momenta));
      return lacking;
    }

    private static <T> Map<String, SortedSet<T>> lacking(
        Map<String, SortedSet<T>> found, Map<String, SortedSet<T>> all) {
      TreeMap<String, SortedSet<T>> result = new TreeMap<>();
      all.forEach(
          (key, values) -> {
            SortedSet<T> rest = new TreeSet<>(values);
            rest.removeAll(found.getOrDefault(key, new TreeSet<>()));
            if (!rest.isEmpty()) {
              result.put(key, rest);
            }
          });
      return result;
    }
  }

  /** The record that {@code starling inspect --json} prints. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("kind", "data");
    map.put("ensemble", header.ensemble());
    map.put("spatial_extent", header.spatialExtent());
    map.put("temporal_extent", header.temporalExtent());
    map.put("num_eigenvectors", header.eigenvectors());
    map.put("gamma_basis", header.gammaBasis());
    map.put("temporal_boundary", header.temporalBoundary());
    List<Map<String, Object>> list = new ArrayList<>();
    configurations.forEach(
        (number, files) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("configuration", number);
          entry.put("files", files.stream().map(Path::toString).toList());
          entry.put("missing", missing.getOrDefault(number, List.of()));
          list.add(entry);
        });
    map.put("configurations", list);
    map.put("bytes", bytes);
    map.put("perambulators", perambulators);
    map.put("not_gamma5_hermitian", new TreeSet<>(stochastic));
    map.put("meson_elementals", momenta(mesons));
    map.put("baryon_elementals", momenta(baryons));
    if (verified || !faults.isEmpty()) {
      map.put("faults", faults);
    }
    return map;
  }

  private static Map<String, List<List<Integer>>> momenta(
      SortedMap<String, SortedSet<Momentum>> elementals) {
    Map<String, List<List<Integer>>> map = new LinkedHashMap<>();
    elementals.forEach(
        (displacement, momenta) ->
            map.put(
                displacement, momenta.stream().map(n -> List.of(n.x(), n.y(), n.z())).toList()));
    return map;
  }

  /** The same as text. */
  public String text() {
    Listing text = new Listing(Inspection.COLUMN);
    text.heading(header.ensemble() + ": distillation data");
    text.line(
        "  lattice",
        header.spatialExtent()
            + "^3 x "
            + header.temporalExtent()
            + (header.temporalBoundary().isEmpty()
                ? ""
                : ", quarks " + header.temporalBoundary() + " in time"));
    text.line("  eigenvectors", Integer.toString(header.eigenvectors()));
    text.line("  gamma basis", header.gammaBasis());
    text.line(
        "  configurations",
        NumberSelection.text(configurations.keySet().stream().map(Math::toIntExact).toList()));
    int files = configurations.values().stream().mapToInt(List::size).sum();
    text.line("  files", files + ", " + MemorySize.text(bytes));
    perambulators.forEach(
        (label, times) ->
            text.line(
                "  perambulators",
                label
                    + ": source times "
                    + NumberSelection.text(times)
                    + (stochastic.contains(label) ? ", not gamma5-hermitian" : "")));
    mesons.forEach(
        (displacement, momenta) ->
            text.line("  meson elementals", displacement + ": " + MomentumShells.text(momenta)));
    baryons.forEach(
        (displacement, momenta) ->
            text.line("  baryon elementals", displacement + ": " + MomentumShells.text(momenta)));
    if (perambulators.isEmpty()) {
      text.line("  perambulators", "none; a run needs files that hold them too");
    }
    if (mesons.isEmpty() && baryons.isEmpty()) {
      text.line("  elementals", "none; a run needs files that hold them too");
    }
    if (missing.isEmpty()) {
      text.line("  missing", "nothing that another configuration has");
    }
    missing.forEach(
        (number, lacking) ->
            lacking.forEach(
                what -> text.line("  missing", "configuration " + number + ": " + what)));
    if (verified) {
      Inspection.addFaults(faults, text);
    } else {
      faults.forEach(fault -> text.line("  fault", fault));
    }
    return text.toString();
  }
}
