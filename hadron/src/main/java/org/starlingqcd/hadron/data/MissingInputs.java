package org.starlingqcd.hadron.data;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.starlingqcd.graph.schedule.Input;

/**
 * Collects what a run needs and the data of a configuration do not hold, and says so in one
 * message: pairs of times by label with the source times that would do, elementals by name.
 */
final class MissingInputs {
  /** The largest number of pairs of times or elementals in the message; it counts the rest. */
  private static final int LISTED = 6;

  private final DistillationData data;

  /** Missing times by series. */
  private final SortedMap<DataBlock, Set<Integer>> missing = new TreeMap<>();

  MissingInputs(DistillationData data) {
    this.data = data;
  }

  /** Notes an input that the data do not hold. */
  void need(Input input) {
    if (!data.has(input)) {
      note(DataBlock.of(input));
    }
  }

  /** Notes a loop or a gluonic factor that the data do not hold. */
  void need(DataBlock number) {
    if (!data.has(number)) {
      note(number);
    }
  }

  private void note(DataBlock block) {
    missing.computeIfAbsent(block.at(0), key -> new TreeSet<>()).add(block.time());
  }

  void throwIfAny() {
    if (missing.isEmpty()) {
      return;
    }
    Map<String, Set<CurrentName.Ends>> pairs = new TreeMap<>();
    Map<CurrentName, Map<CurrentName.Ends, Set<Integer>>> generalized = new TreeMap<>();
    missing.forEach(
        (series, times) -> {
          if (series instanceof DataBlock.Perambulator tau) {
            Set<CurrentName.Ends> its = pairs.computeIfAbsent(tau.label(), l -> new TreeSet<>());
            times.forEach(sink -> its.add(new CurrentName.Ends(sink, tau.sourceTime())));
          } else if (series instanceof DataBlock.Generalized tau) {
            generalized.computeIfAbsent(tau.name(), key -> new TreeMap<>()).put(tau.ends(), times);
          }
        });
    List<String> lines = new ArrayList<>();
    pairs.forEach((label, its) -> lines.add(describe(label, its)));
    Set<ElementalName> mesons = names(DataBlock.Kind.MESON);
    if (!mesons.isEmpty()) {
      lines.add(
          "meson elementals (displacement/momentum): "
              + listed(DataBlock.Kind.MESON)
              + alternatives(mesons));
      lines.addAll(vanishing(mesons));
    }
    if (!names(DataBlock.Kind.BARYON).isEmpty()) {
      lines.add(
          "baryon elementals (displacement/momentum): %s; the opposite momentum does not supply them"
              .formatted(listed(DataBlock.Kind.BARYON)));
    }
    Set<ElementalName> tetraquarks = names(DataBlock.Kind.TETRAQUARK);
    boolean sites = missing.keySet().stream().anyMatch(DataBlock.Sites.class::isInstance);
    if (sites || (!tetraquarks.isEmpty() && data.samplesTetraquarks())) {
      lines.add(
          "sampled positions of tetraquarks, as many at the sink as at the source, %s; --tetraquarks elementals does without them"
              .formatted(DistillationData.SAMPLES));
    } else if (!tetraquarks.isEmpty()) {
      lines.add(
          "elementals of tetraquarks (colour/momentum): "
              + listed(DataBlock.Kind.TETRAQUARK)
              + alternatives(tetraquarks)
              + (data.hasSamples()
                  ? "; --tetraquarks sampled estimates them from sampled positions"
                  : ""));
    }
    generalized.forEach((name, its) -> lines.add(describe(name, its)));
    Set<String> loops = texts(block -> block instanceof DataBlock.Loop);
    if (!loops.isEmpty()) {
      lines.add(
          "loops (label/gamma/displacement/momentum): %s%s; without disconnected: true none is needed"
              .formatted(shortened(loops), thereAre()));
    }
    Set<String> gluonic = texts(block -> block instanceof DataBlock.GluonicValue);
    if (!gluonic.isEmpty()) {
      lines.add(
          "gluonic factors (name/momentum/row): %s; there are %s"
              .formatted(
                  shortened(gluonic),
                  data.gluonic().isEmpty() ? "none" : shortened(data.gluonic())));
    }
    throw new DistillationException(
        data.describe() + " lacks what the run needs:\n  " + String.join("\n  ", lines));
  }

  private Set<ElementalName> names(DataBlock.Kind kind) {
    Set<ElementalName> names = new TreeSet<>();
    for (DataBlock block : missing.keySet()) {
      if (block instanceof DataBlock.Elemental e && e.kind() == kind) {
        names.add(e.name());
      }
    }
    return names;
  }

  private String listed(DataBlock.Kind kind) {
    return shortened(texts(block -> block instanceof DataBlock.Elemental e && e.kind() == kind));
  }

  /** Blocks by name; those that are stored at other times with the times that they lack. */
  private Set<String> texts(Predicate<DataBlock> wanted) {
    Set<String> texts = new LinkedHashSet<>();
    missing.forEach(
        (block, times) -> {
          if (wanted.test(block)) {
            String name =
                block instanceof DataBlock.Elemental e
                    ? e.name().toString()
                    : block instanceof DataBlock.GluonicValue value
                        ? value.factor().toString()
                        : "'" + block.object().substring(DistillationFile.LOOPS.length() + 1) + "'";
            texts.add(data.times(block).isEmpty() ? name : name + " at times " + join(times));
          }
        });
    return texts;
  }

  /** Stored under which other names the missing elementals would be found. */
  private String alternatives(Set<ElementalName> missing) {
    Set<ElementalName> others = new TreeSet<>();
    for (ElementalName name : missing) {
      if (!name.vanishes(data.header().spatialExtent())) {
        name.aliases().stream()
            .map(ElementalName.Alias::name)
            .filter(alias -> !missing.contains(alias))
            .forEach(others::add);
      }
    }
    return others.isEmpty() ? "" : "; in their place " + shortened(others) + " would do";
  }

  private List<String> vanishing(Set<ElementalName> mesons) {
    int extent = data.header().spatialExtent();
    Set<ElementalName> zero = new TreeSet<>(mesons);
    zero.removeIf(name -> !name.vanishes(extent));
    return zero.isEmpty()
        ? List.of()
        : List.of(
            ("of these %s vanish identically, because the derivative D_k is zero where 2 n_k is an odd"
                    + " multiple of L = %d; choose other momenta or operators")
                .formatted(shortened(zero), extent));
  }

  private String thereAre() {
    Set<String> names = new LinkedHashSet<>();
    data.loops().forEach(name -> names.add(name.bar() + "/" + name.vertex()));
    return names.isEmpty() ? "; there are none" : "; there are " + shortened(names);
  }

  private String describe(CurrentName name, Map<CurrentName.Ends, Set<Integer>> its) {
    Set<Integer> insertions = new TreeSet<>();
    its.values().forEach(insertions::addAll);
    Set<CurrentName.Ends> there =
        data.generalizedTimes(name.bar(), name.quark(), name.vertex()).keySet();
    String known;
    if (there.isEmpty()) {
      Set<String> others = new LinkedHashSet<>();
      data.generalizedPerambulators().stream()
          .filter(other -> other.bar().equals(name.bar()) && other.quark().equals(name.quark()))
          .forEach(other -> others.add(other.vertex().toString()));
      known =
          "; there are none of this current"
              + (others.isEmpty()
                  ? " and none of these labels"
                  : ", of these labels there are " + shortened(others));
    } else {
      known = "; there are (sink, source) = " + shortened(there);
    }
    return "generalized perambulators '%s' at (sink, source) = %s, insertion times %s%s"
        .formatted(name, shortened(its.keySet()), join(insertions), known);
  }

  private String describe(String label, Set<CurrentName.Ends> pairs) {
    String what = "perambulators '%s' at (sink, source) = %s".formatted(label, shortened(pairs));
    if (!data.labels().contains(label)) {
      return "%s; there are none of this label, the labels are %s"
          .formatted(what, data.labels().isEmpty() ? "none" : String.join(", ", data.labels()));
    }
    return "%s; there are source times %s, further source times %s would do%s"
        .formatted(
            what,
            join(data.sourceTimes(label)),
            join(remedy(label, pairs)),
            data.gamma5Hermitian(label)
                ? ""
                : " (this label has gamma5_hermitian = 0, so (t, t') does not supply (t', t))");
  }

  /**
   * Source times that would supply all missing pairs. With γ5-hermiticity either time of a pair
   * will do, so the time that serves most pairs is taken first.
   */
  private Set<Integer> remedy(String label, Set<CurrentName.Ends> pairs) {
    Set<Integer> times = new TreeSet<>();
    if (!data.gamma5Hermitian(label)) {
      pairs.forEach(pair -> times.add(pair.sourceTime()));
      return times;
    }
    Set<CurrentName.Ends> left = new LinkedHashSet<>(pairs);
    while (!left.isEmpty()) {
      Map<Integer, Integer> served = new TreeMap<>();
      for (CurrentName.Ends pair : left) {
        served.merge(pair.sourceTime(), 1, Integer::sum);
        if (pair.sinkTime() != pair.sourceTime()) {
          served.merge(pair.sinkTime(), 1, Integer::sum);
        }
      }
      int best =
          served.entrySet().stream()
              .max(
                  Map.Entry.<Integer, Integer>comparingByValue()
                      .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
              .orElseThrow()
              .getKey();
      times.add(best);
      left.removeIf(pair -> pair.sourceTime() == best || pair.sinkTime() == best);
    }
    return times;
  }

  private static String shortened(Set<?> things) {
    String listed =
        things.stream().limit(LISTED).map(Object::toString).collect(Collectors.joining(", "));
    return things.size() <= LISTED ? listed : listed + ", … (" + things.size() + " in all)";
  }

  private static String join(Set<Integer> times) {
    return times.isEmpty()
        ? "none"
        : times.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
