package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CurrentSettings.Part;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.correlators.InputException;

/** The analysis of three-point functions: ratios that tend to matrix elements. */
public final class CurrentAnalysis implements Analysis {
  private static final String UNDEFINED =
      "two-point functions vanish, or those under the root differ in sign";

  /** What is formed of a three-point function C(t) with the two-point functions of both sides. */
  enum Kind {
    /** C(t) / C_f(dt) times the root of two-point functions. */
    PLATEAU("plateau ratio", true),
    /** C(t) / C₂(dt), the same operator at both ends. */
    FORWARD("forward ratio", true),
    /** The sum of the ratio over t strictly between the ends. */
    SUM("sum", false),
    /** Its difference between neighbouring separations, by dt. */
    SLOPE("slope", false),
    /** The sum of the forward ratio over all t. */
    FEYNMAN_HELLMANN("FH sum", false),
    /** Its difference likewise. */
    FEYNMAN_HELLMANN_SLOPE("FH slope", false),
    /** C(t) without the overlaps and exponentials of fits to the two-point functions. */
    OPTIMIZED("optimized operators", true);

    /** In tables. */
    final String title;

    /** Whether it depends on t. */
    final boolean byTime;

    Kind(String title, boolean byTime) {
      this.title = title;
      this.byTime = byTime;
    }

    /** The name in files. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The table of it, without rows. */
    Table table() {
      String keys = "insertion sink source " + (byTime ? Table.TIME + " " : "") + Table.SEPARATION;
      return new Table(label(), title, 3, keys, Table.COMPLEX, new ArrayList<>());
    }
  }

  private final CurrentData data;
  private final AnalysisSettings options;
  private final CurrentSettings currents;
  private final Resampling resampling;
  private final CurrentSide sink;
  private final CurrentSide source;
  private final int times;
  private final Map<Kind, Table> ratios = new EnumMap<>(Kind.class);
  private final Table fits =
      new Table(
          "fits",
          "fits Z^2 exp(-E dt) to the two-point functions",
          "side of",
          "energy overlap chi_squared dof");
  private final Set<Integer> lacking = new TreeSet<>();
  private final Set<String> warnings = new LinkedHashSet<>();

  /**
   * Analyses three-point functions.
   *
   * @param ofSink two-point functions of the sink's operators, in their order; null where those of
   *     the result or of the source serve
   * @param ofSource likewise of the source
   * @param options resampling, subtraction of the vacuum, the generalized eigenvalue problem of
   *     both sides, and how the two-point functions are fitted
   * @throws InputException if two-point functions are missing, or the options do not fit the data
   */
  public CurrentAnalysis(
      CurrentData data,
      @Nullable CorrelatorData ofSink,
      @Nullable CorrelatorData ofSource,
      AnalysisSettings options,
      CurrentSettings currents) {
    if (!data.hasEqualSides() && (ofSink == null || ofSource == null)) {
      throw InputException.of(
          "%s: sink %s and source %s have operators of their own, and ratios need the two-point"
              + " functions of both: %s is missing",
          data.name(),
          data.sinkOperators(),
          data.sourceOperators(),
          ofSink == null ? "--sink-two-point FILE" : "--source-two-point FILE");
    }
    this.data = data;
    this.options = options;
    this.currents = currents;
    CorrelatorData one = ofSink != null ? ofSink : ofSource != null ? ofSource : data.twoPoint();
    CorrelatorData other = ofSource != null ? ofSource : one;
    sink = CurrentSide.of(data, one, options, currents.sinkState, currents.window(true));
    source = CurrentSide.of(data, other, options, currents.sourceState, currents.window(false));
    resampling = options.resampling(data.configurations().size());
    times = data.insertionSeparations().size();
    int count = data.configurations().size();
    if (resampling.samples() == 0) {
      warnings.add(CorrelatorAnalysis.noErrors(count));
    }
    for (int m = 0; m < data.insertions().size(); m++) {
      if (currents.part == Part.DISCONNECTED && !data.hasLoops(m)) {
        throw InputException.of(
            "%s: the insertion '%s' has no disconnected part; --insertions selects others",
            data.name(), data.insertions().get(m));
      }
      for (int f = 0; f < sink.labels().size(); f++) {
        for (int i = 0; i < source.labels().size(); i++) {
          form(m, f, i);
        }
      }
    }
    if (subtracts() && count == 1) {
      warnings.add(
          "the vacuum is subtracted with loops of a single configuration: nothing is left of the"
              + " disconnected part");
    }
    if (!lacking.isEmpty()) {
      warnings.add("ratios need two-point functions at the separations " + lacking + ", too");
    }
    if (ratios.isEmpty()) {
      throw InputException.of(
          "%s: no ratio can be formed of the separations %s and t - t_i %s; ratios need two-point"
              + " functions at %s",
          data.name(), data.separations(), data.insertionSeparations(), lacking);
    }
    addFits("sink", sink);
    addFits("source", source);
  }

  private void addFits(String at, CurrentSide side) {
    for (int k = 0; k < side.labels().size(); k++) {
      WindowFit fit = side.fits().get(k);
      if (fit != null) {
        double[] overlaps = Arrays.stream(fit.amplitudes()).map(Math::sqrt).toArray();
        fits.row(
            List.of(at, side.labels().get(k)),
            Estimate.of(fit.energies(), resampling, "Z^2 is negative"),
            Estimate.of(overlaps, resampling, "Z^2 is negative"),
            fit.chiSquared(),
            fit.degrees());
      }
    }
  }

  /** Whether ⟨J₁⟩⟨C₂⟩ is subtracted from loops of an insertion. */
  private boolean subtracts(int insertion) {
    return !options.noSubtraction
        && currents.part != Part.CONNECTED
        && data.hasCurrent(insertion)
        && data.hasLoops(insertion);
  }

  private boolean subtracts() {
    return IntStream.range(0, data.insertions().size()).anyMatch(this::subtracts);
  }

  private void form(int insertion, int f, int i) {
    List<Object> block =
        List.of(data.insertions().get(insertion), sink.labels().get(f), source.labels().get(i));
    double[] v = sink.vectors().get(f);
    double[] w = source.vectors().get(i);
    double[][] c3 = averages(insertion, v, w);
    // Of one operator, or one state, all two-point functions under the root cancel. Correlators of
    // one name are one definition on one ensemble.
    boolean forward =
        sink.data().name().equals(source.data().name())
            && sink.data().operators().equals(source.data().operators())
            && Arrays.equals(v, w);
    Kind kind = forward ? Kind.FORWARD : Kind.PLATEAU;
    double[][] values =
        scaled(c3, (s, dt, t) -> (forward ? 1 : root(f, i, s, dt, t)) / sink.at(f, s, dt));
    rows(kind, block, values);
    addSums(Kind.SUM, kind, block, values, (dt, t) -> t > 0 && t < dt);
    OptionalInt known = data.temporalExtent();
    OptionalInt extent = known.isPresent() ? known : sink.data().temporalExtent();
    if (forward && extent.isPresent() && extent.getAsInt() == times) {
      addSums(Kind.FEYNMAN_HELLMANN, kind, block, values, (dt, t) -> true);
    }
    if (!currents.windows.isEmpty()) {
      addOptimized(block, c3, f, i);
    }
  }

  /*
   * With vectors v of sink and source, C = v_f† C_ij v_i and likewise the two-point function C₂ between the
   * operators of both sides. Loops need the covariance of the current and C₂,
   *
   *   Σ_{t_i} w(t_i) ( ⟨J₁(t) C₂(t_f, t_i)⟩ - ⟨J₁(t)⟩ ⟨C₂(t_f, t_i)⟩ ),
   *
   * where ⟨ ⟩ averages over the configurations of the sample and w(t_i) is the share of t_i among all pairs of
   * configuration and source. The vector of a bin (see Resampling) is
   *
   *   [ Σ C (2 D M) | units per source (K) | Σ C₂ per source (2 K D) | configurations (1) | Σ J₁ (2 T) ].
   */

  /** C on the ensemble, then on every sample: interleaved complex [dt][t - t_i]. */
  private double[][] averages(int insertion, double[] v, double[] w) {
    List<CurrentData.Configuration> all = data.configurations();
    List<Integer> sources =
        all.stream().flatMap(c -> c.sourceTimes().stream()).distinct().sorted().toList();
    int extent = all.get(0).insertions().get(insertion).current().length / 2;
    int separations = data.separations().size();
    int units = 2 * separations * times;
    int twoPoints = units + sources.size();
    int currentAt = twoPoints + 2 * sources.size() * separations + 1;
    boolean subtract = subtracts(insertion);
    return resampling.resampled(
        all.size(),
        currentAt + 2 * extent,
        (c, bin) -> {
          CurrentData.Configuration one = all.get(c);
          CurrentData.Insertion numbers = one.insertions().get(insertion);
          if (currents.part != Part.DISCONNECTED) {
            add(ResampledCorrelator.projected(numbers.connected(), v, w), bin, 0);
          }
          if (currents.part != Part.CONNECTED) {
            add(ResampledCorrelator.projected(numbers.disconnected(), v, w), bin, 0);
          }
          double[] two = ResampledCorrelator.projected(one.twoPoint(), v, w);
          for (int k = 0; k < one.sourceTimes().size(); k++) {
            int at = sources.indexOf(one.sourceTimes().get(k));
            bin[units + at]++;
            double[] its = Arrays.copyOfRange(two, 2 * k * separations, 2 * (k + 1) * separations);
            add(its, bin, twoPoints + 2 * at * separations);
          }
          bin[currentAt - 1]++;
          add(numbers.current(), bin, currentAt);
        },
        sums -> {
          double count = Arrays.stream(sums, units, twoPoints).sum();
          double[] result = Arrays.stream(sums, 0, units).map(x -> x / count).toArray();
          double scale = 1 / (count * sums[currentAt - 1]);
          for (int k = 0; k < sources.size() && subtract; k++) {
            for (int place = 0; place < units / 2; place++) {
              int at = currentAt + 2 * ((sources.get(k) + time(place)) % extent);
              int two = twoPoints + 2 * (k * separations + place / times);
              result[2 * place] -= scale * (sums[at] * sums[two] - sums[at + 1] * sums[two + 1]);
              result[2 * place + 1] -=
                  scale * (sums[at] * sums[two + 1] + sums[at + 1] * sums[two]);
            }
          }
          return result;
        });
  }

  private static void add(double[] values, double[] target, int at) {
    for (int k = 0; k < values.length; k++) {
      target[at + k] += values[k];
    }
  }

  /** A function of a sample, dt and t - t_i. */
  private interface Factor {
    double at(int sample, int dt, int t);
  }

  private int separation(int place) {
    return data.separations().get(place / times);
  }

  private int time(int place) {
    return data.insertionSeparations().get(place % times);
  }

  /** The numbers of a three-point function multiplied by a factor. */
  private double[][] scaled(double[][] c3, Factor factor) {
    double[][] result = new double[c3.length][c3[0].length];
    for (int s = 0; s < c3.length; s++) {
      for (int k = 0; k < c3[s].length; k += 2) {
        double by = factor.at(s, separation(k / 2), time(k / 2));
        result[s][k] = by * c3[s][k];
        result[s][k + 1] = by * c3[s][k + 1];
      }
    }
    return result;
  }

  /** √[C_i(t_f-t) C_f(t-t_i) C_f(dt) / (C_f(t_f-t) C_i(t-t_i) C_i(dt))], NaN where undefined. */
  private double root(int f, int i, int s, int dt, int t) {
    return Math.sqrt(
        source.at(i, s, dt - t)
            * sink.at(f, s, t)
            * sink.at(f, s, dt)
            / (sink.at(f, s, dt - t) * source.at(i, s, t) * source.at(i, s, dt)));
  }

  /** Whether there is everything that a point needs; notes separations that are not there. */
  private boolean isThere(Kind kind, int dt, int t) {
    if (kind != Kind.FORWARD && t > dt) {
      return false;
    }
    List<Integer> missing = new ArrayList<>();
    if (kind != Kind.OPTIMIZED) {
      missing.addAll(kind == Kind.FORWARD ? List.of(dt) : List.of(t, dt - t, dt));
      missing.removeIf(
          d -> sink.data().separations().contains(d) && source.data().separations().contains(d));
    }
    lacking.addAll(missing);
    return missing.isEmpty();
  }

  /** Adds sums over the chosen t at each dt that has all of them, and their differences. */
  private void addSums(
      Kind total,
      Kind ratio,
      List<Object> block,
      double[][] of,
      BiPredicate<Integer, Integer> chosen) {
    List<Integer> at = new ArrayList<>();
    double[][] sums = new double[of.length][2 * data.separations().size()];
    for (int d = 0; d < data.separations().size(); d++) {
      int dt = data.separations().get(d);
      int[] places =
          IntStream.range(d * times, (d + 1) * times)
              .filter(place -> chosen.test(dt, time(place)) && isThere(ratio, dt, time(place)))
              .toArray();
      if (places.length > 0 && places.length == (total == Kind.SUM ? dt - 1 : times)) {
        for (int s = 0; s < of.length; s++) {
          for (int place : places) {
            sums[s][2 * at.size()] += of[s][2 * place];
            sums[s][2 * at.size() + 1] += of[s][2 * place + 1];
          }
        }
        row(total, block, sums, at.size(), dt, -1);
        at.add(dt);
      }
    }
    for (int d = 0; d + 1 < at.size(); d++) {
      int steps = at.get(d + 1) - at.get(d);
      for (double[] sum : sums) {
        // In place: the sums before are not needed any more.
        sum[2 * d] = (sum[2 * d + 2] - sum[2 * d]) / steps;
        sum[2 * d + 1] = (sum[2 * d + 3] - sum[2 * d + 1]) / steps;
      }
      row(
          total == Kind.SUM ? Kind.SLOPE : Kind.FEYNMAN_HELLMANN_SLOPE,
          block,
          sums,
          d,
          at.get(d),
          -1);
    }
  }

  private void addOptimized(List<Object> block, double[][] c3, int f, int i) {
    WindowFit atSink = sink.fits().get(f);
    WindowFit atSource = source.fits().get(i);
    if (atSink == null || atSource == null) {
      warnings.add(
          block.get(atSink == null ? 1 : 2)
              + ": no exponential can be fitted to the two-point function"
              + (resampling.samples() < 3 ? " with fewer than three samples" : "")
              + ", so there are no optimized operators");
      return;
    }
    double[] ef = atSink.energies();
    double[] ei = atSource.energies();
    double[] zf = atSink.amplitudes();
    double[] zi = atSource.amplitudes();
    Factor factor =
        (s, dt, t) ->
            t > dt
                ? Double.NaN
                : 2
                    * Math.sqrt(ef[s] * ei[s] / (zf[s] * zi[s]))
                    * Math.exp(ef[s] * (dt - t) + ei[s] * t);
    rows(Kind.OPTIMIZED, block, scaled(c3, factor));
  }

  /** Adds the points that have their two-point functions. */
  private void rows(Kind kind, List<Object> block, double[][] all) {
    for (int place = 0; place < all[0].length / 2; place++) {
      if (isThere(kind, separation(place), time(place))) {
        row(kind, block, all, place, separation(place), time(place));
      }
    }
  }

  private void row(Kind kind, List<Object> block, double[][] all, int place, int dt, int t) {
    List<Object> at = new ArrayList<>(block);
    if (kind.byTime) {
      at.add(t);
    }
    at.add(dt);
    ratios
        .computeIfAbsent(kind, Kind::table)
        .row(
            at,
            Estimate.of(all, 2 * place, resampling, UNDEFINED),
            Estimate.of(all, 2 * place + 1, resampling, UNDEFINED));
  }

  /** The ratios by insertion, sink, source, t where it depends on it, and dt. */
  Map<Kind, Table> ratios() {
    return ratios;
  }

  @Override
  public Head head() {
    return new Head(
        data.name(),
        data.ensemble(),
        data.numbers(),
        data.units(),
        data.temporalExtent(),
        resampling,
        options.binSize,
        subtracts());
  }

  @Override
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public List<Table> tables() {
    List<Table> all = new ArrayList<>(ratios.values());
    if (!fits.rows().isEmpty()) {
      all.add(fits);
    }
    return all;
  }

  /**
   * Ratios over t with a series for each dt, and differences of sums over dt; each the part that is
   * larger.
   */
  @Override
  public Map<String, AnalysisPlot> plots() {
    Set<List<Object>> blocks = new LinkedHashSet<>();
    ratios.values().forEach(table -> blocks.addAll(table.parts().keySet()));
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    Map<String, Integer> parts = new HashMap<>();
    for (List<Object> block : blocks) {
      for (Kind kind : ratios.keySet()) {
        Table table = ratios.getOrDefault(kind, fits).part(block);
        if (kind == Kind.SUM || kind == Kind.FEYNMAN_HELLMANN || table.rows().isEmpty()) {
          continue;
        }
        String what = String.join("_", block.stream().map(String::valueOf).toList());
        String name = AnalysisOutput.fileName(what + "_" + (kind.byTime ? kind.label() : "slopes"));
        int part = parts.computeIfAbsent(name, x -> table.size(0) >= table.size(1) ? 0 : 1);
        plots
            .computeIfAbsent(
                name,
                x ->
                    new AnalysisPlot(
                        "%s: %s, %s <- %s on %s"
                            .formatted(
                                data.name(),
                                block.get(0),
                                block.get(1),
                                block.get(2),
                                data.ensemble()),
                        (kind.byTime ? kind.title : "difference of sums")
                            + (part == 0 ? ", real part" : ", imaginary part"),
                        kind.byTime ? "t - ti (lattice units)" : AnalysisPlot.SEPARATION,
                        false))
            .addAll(kind.byTime ? table.curves(part) : List.of(table.curve(kind.title, part)));
      }
    }
    return plots;
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("format", "current_analysis");
    facts.put("sink_operators", data.sinkOperators());
    facts.put("source_operators", data.sourceOperators());
    facts.put("insertions", data.insertions());
    facts.put("separations", data.separations());
    facts.put("insertion_separations", data.insertionSeparations());
    facts.put("part", currents.part.toString());
    return facts;
  }
}
