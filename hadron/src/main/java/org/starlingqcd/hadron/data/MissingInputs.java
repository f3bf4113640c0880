package org.starlingqcd.hadron.data;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.schedule.Input;

/**
 * Collects what a run needs and the data of a configuration do not hold, and says so in one
 * message: pairs of times by label with the source times that would do, elementals by name.
 */
final class MissingInputs {
  /** The largest number of pairs of times or elementals in the message; it counts the rest. */
  private static final int LISTED = 6;

  private record Pair(int sink, int source) implements Comparable<Pair> {
    private static final Comparator<Pair> ORDER =
        Comparator.comparingInt(Pair::source).thenComparingInt(Pair::sink);

    @Override
    public int compareTo(Pair other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return "(" + sink + ", " + source + ")";
    }
  }

  private final DistillationData data;
  private final Map<String, Set<Pair>> pairs = new TreeMap<>();
  private final Map<ElementalName, Set<Integer>> elementals = new TreeMap<>();
  private final Map<ElementalName, Set<Integer>> baryons = new TreeMap<>();
  private final Map<ElementalName, Set<Integer>> tetraquarks = new TreeMap<>();
  private final Map<CurrentName, Map<CurrentName.Ends, Set<Integer>>> generalized = new TreeMap<>();
  private final Map<CurrentName, Set<Integer>> loops = new TreeMap<>();
  private final Map<Gluonic, Set<Integer>> gluonic = new TreeMap<>();

  MissingInputs(DistillationData data) {
    this.data = data;
  }

  /** Notes an input that the data do not hold. */
  void need(Input input) {
    if (input instanceof Input.Perambulator tau) {
      if (!data.hasPerambulator(tau.label(), tau.sinkTime(), tau.sourceTime())) {
        pairs
            .computeIfAbsent(tau.label(), label -> new TreeSet<>())
            .add(new Pair(tau.sinkTime(), tau.sourceTime()));
      }
    } else if (input instanceof Input.Elemental phi) {
      ElementalRef elemental = phi.elemental();
      if (!data.hasElemental(elemental, phi.time())) {
        elementals
            .computeIfAbsent(
                new ElementalName(elemental.displacement(), elemental.momentum()),
                name -> new TreeSet<>())
            .add(phi.time());
      }
    } else if (input instanceof Input.BaryonElemental b) {
      ElementalName name = new ElementalName(b.displacement(), b.momentum());
      if (!data.hasBaryonElemental(name, b.time())) {
        baryons.computeIfAbsent(name, key -> new TreeSet<>()).add(b.time());
      }
    } else if (input instanceof Input.Tetraquark k && !data.hasTetraquark(k)) {
      tetraquarks
          .computeIfAbsent(
              new ElementalName(k.colour().toString(), k.momentum()), name -> new TreeSet<>())
          .add(k.time());
    } else if (input instanceof Input.Generalized tau && data.origin(tau) == null) {
      DataBlock.Generalized block = DataBlock.Generalized.of(tau);
      generalized
          .computeIfAbsent(block.name(), key -> new TreeMap<>())
          .computeIfAbsent(block.ends(), key -> new TreeSet<>())
          .add(block.insertionTime());
    }
  }

  /** Notes a loop or a gluonic factor that the data do not hold. */
  void need(DataBlock number) {
    if (number instanceof DataBlock.GluonicValue value
        && !data.gluonicTimes(value.factor()).get(value.time())) {
      gluonic.computeIfAbsent(value.factor(), key -> new TreeSet<>()).add(value.time());
    }
    if (number instanceof DataBlock.Loop loop
        && !data.hasLoop(loop.label(), loop.vertex(), loop.time())) {
      loops.computeIfAbsent(loop.name(), key -> new TreeSet<>()).add(loop.time());
    }
  }

  void throwIfAny() {
    List<String> lines = new ArrayList<>();
    pairs.forEach((label, missing) -> lines.add(describe(label, missing)));
    if (!elementals.isEmpty()) {
      lines.add(
          "meson elementals (displacement/momentum): "
              + shortened(at(elementals, data::mesonTimes))
              + alternatives(elementals.keySet()));
      lines.addAll(vanishing());
    }
    if (!baryons.isEmpty()) {
      lines.add(
          "baryon elementals (displacement/momentum): "
              + shortened(at(baryons, data::baryonTimes))
              + "; the opposite momentum does not supply them");
    }
    if (!tetraquarks.isEmpty() && data.samplesTetraquarks()) {
      lines.add(
          "sampled positions of tetraquarks, "
              + DistillationData.SAMPLES
              + "; --tetraquarks elementals does without them");
    } else if (!tetraquarks.isEmpty()) {
      lines.add(
          "elementals of tetraquarks (colour/momentum): "
              + shortened(at(tetraquarks, data::tetraquarkTimes))
              + alternatives(tetraquarks.keySet())
              + (data.hasSamples()
                  ? "; --tetraquarks sampled estimates them from sampled positions"
                  : ""));
    }
    generalized.forEach((name, missing) -> lines.add(describe(name, missing)));
    if (!loops.isEmpty()) {
      Set<String> texts = new LinkedHashSet<>();
      loops.forEach(
          (name, times) ->
              texts.add(
                  "'"
                      + name.bar()
                      + "/"
                      + name.vertex()
                      + "'"
                      + (data.loopTimes(name).isEmpty() ? "" : " at times " + join(times))));
      lines.add(
          "loops (label/gamma/displacement/momentum): "
              + shortened(texts)
              + thereAre()
              + "; without disconnected: true none is needed");
    }
    if (!gluonic.isEmpty()) {
      lines.add(
          "gluonic factors (name/momentum/row): "
              + shortened(at(gluonic, data::gluonicTimes))
              + (data.gluonic().isEmpty()
                  ? "; there are none"
                  : "; there are " + shortened(data.gluonic())));
    }
    if (!lines.isEmpty()) {
      throw new DistillationException(
          data.describe() + " lacks what the run needs:\n  " + String.join("\n  ", lines));
    }
  }

  /** Blocks by name; those that are stored at other times with the times that they lack. */
  private static <K> Set<String> at(Map<K, Set<Integer>> missing, Function<K, BitSet> stored) {
    Set<String> texts = new LinkedHashSet<>();
    missing.forEach(
        (name, times) ->
            texts.add(
                stored.apply(name).isEmpty()
                    ? name.toString()
                    : name + " at times " + join(times)));
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

  private List<String> vanishing() {
    int extent = data.header().spatialExtent();
    Set<ElementalName> zero = new TreeSet<>(elementals.keySet());
    zero.removeIf(name -> !name.vanishes(extent));
    return zero.isEmpty()
        ? List.of()
        : List.of(
            "of these "
                + shortened(zero)
                + " vanish identically, because the derivative D_k is zero where 2 n_k is an odd multiple of L = "
                + extent
                + "; choose other momenta or operators");
  }

  private String thereAre() {
    Set<String> names = new LinkedHashSet<>();
    data.loops().forEach(name -> names.add(name.bar() + "/" + name.vertex()));
    return names.isEmpty() ? "; there are none" : "; there are " + shortened(names);
  }

  private String describe(CurrentName name, Map<CurrentName.Ends, Set<Integer>> missing) {
    Set<Integer> insertions = new TreeSet<>();
    missing.values().forEach(insertions::addAll);
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
    return "generalized perambulators '"
        + name
        + "' at (sink, source) = "
        + shortened(missing.keySet())
        + ", insertion times "
        + join(insertions)
        + known;
  }

  private String describe(String label, Set<Pair> missing) {
    if (!data.labels().contains(label)) {
      return "perambulators '"
          + label
          + "' at (sink, source) = "
          + shortened(missing)
          + "; there are none of this label, the labels are "
          + (data.labels().isEmpty() ? "none" : String.join(", ", data.labels()));
    }
    return "perambulators '"
        + label
        + "' at (sink, source) = "
        + shortened(missing)
        + "; there are source times "
        + join(data.sourceTimes(label))
        + ", further source times "
        + join(remedy(label, missing))
        + " would do"
        + (data.gamma5Hermitian(label)
            ? ""
            : " (this label has gamma5_hermitian = 0, so (t, t') does not supply (t', t))");
  }

  /**
   * Source times that would supply all missing pairs. With γ5-hermiticity either time of a pair
   * will do, so the time that serves most pairs is taken first.
   */
  private Set<Integer> remedy(String label, Set<Pair> missing) {
    Set<Integer> times = new TreeSet<>();
    if (!data.gamma5Hermitian(label)) {
      missing.forEach(pair -> times.add(pair.source()));
      return times;
    }
    Set<Pair> left = new LinkedHashSet<>(missing);
    while (!left.isEmpty()) {
      Map<Integer, Integer> served = new TreeMap<>();
      for (Pair pair : left) {
        served.merge(pair.source(), 1, Integer::sum);
        if (pair.sink() != pair.source()) {
          served.merge(pair.sink(), 1, Integer::sum);
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
      left.removeIf(pair -> pair.source() == best || pair.sink() == best);
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
