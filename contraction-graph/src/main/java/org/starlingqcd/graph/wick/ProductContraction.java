package org.starlingqcd.graph.wick;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.graph.TetraquarkGraph;
import org.starlingqcd.graph.TetraquarkVertex;
import org.starlingqcd.graph.TimeSlot;

/**
 * The Wick contraction of one product of factors, those of the sink and those of the adjoint source
 * operator together: a sum of diagrams with signs.
 */
final class ProductContraction {
  /*
   * Without baryons the sum over permutations σ with quark(k) = bar(σ(k)) is a sum over covers of the mesons by directed cycles, each
   * cycle with a factor -1. It is built recursively: the first meson not yet covered lies on some cycle within the uncovered ones; for
   * each such cycle, the rest is the same problem on fewer mesons. The result for a set of uncovered mesons is kept, with equal diagrams
   * merged, so a set is expanded once however many ways lead to it. Cycles that flavour forbids are never walked, since a walk follows
   * allowed lines only.
   *
   * With baryons, each leg of the sink is first followed through mesons to a leg of the source; the mesons left over are covered by
   * cycles as above. Mesons commute with everything, so they do not change the sign of the path that they lie on. The fields of the sink's
   * legs stand in the order 1 2 3 …, those of the source in the order … 3 2 1, so pairing equal numbers gives nested pairs and the sign
   * +; any other pairing has the sign of its permutation.
   *
   * A tetraquark is minus two mesons with one elemental: q̄¹ q̄² q³ q⁴ = -(q̄¹ q³)(q̄² q⁴). So its quark legs are followed too, to
   * antiquark legs, and a factor -1 comes from every cycle that paths form where these mesons join them.
   */

  /** The most mesons of one product; a set of mesons is a bit mask. */
  static final int MAX_FACTORS = 30;

  private static final TimeSlot[] TIMES = TimeSlot.values();

  /** A meson factor at the sink or at the source. */
  static final class Meson {
    private final ElementalRef elemental;
    private final Gamma gamma;
    private final String bar;
    private final String quark;
    private final TimeSlot time;
    // Letters by the time at which the quark line begins; a letter is made when it is first needed,
    // so that only nodes that occur exist.
    private final int[] letters = {-1, -1, -1};

    Meson(ElementalRef elemental, Gamma gamma, String bar, String quark, TimeSlot time) {
      this.elemental = elemental;
      this.gamma = gamma;
      this.bar = bar;
      this.quark = quark;
      this.time = time;
    }

    String bar() {
      return bar;
    }

    String quark() {
      return quark;
    }
  }

  /**
   * A baryon factor.
   *
   * @param vertex its number in {@link GraphTable}
   * @param flavours one entry for each leg
   */
  record Baryon(int vertex, List<String> flavours) {}

  /**
   * A tetraquark factor, or its adjoint at the source.
   *
   * @param legs flavours and profiles of the legs, antiquarks first
   */
  record Tetraquark(TetraquarkVertex vertex, TetraquarkFactor legs) {
    /** The profile of the line at a leg: K has those that both legs of a pair share. */
    String profile(int leg) {
      String profile = legs.allProfiles().get(leg);
      return profile.equals(legs.allProfiles().get(leg ^ 1)) ? "" : profile;
    }
  }

  /** The factors of one side of the correlator. */
  record Factors(List<Meson> mesons, List<Baryon> baryons, List<Tetraquark> tetraquarks) {
    static final Factors NONE = new Factors(List.of(), List.of(), List.of());

    boolean hasQuarks() {
      return !mesons.isEmpty() || !baryons.isEmpty() || !tetraquarks.isEmpty();
    }
  }

  /**
   * Receives diagrams of the product with the sum of their signs; a diagram may come more than
   * once.
   */
  interface Receiver {
    void accept(int diagram, double weight);
  }

  private final DiagramSet set;
  private final Map<String, String> labels;
  private final List<Meson> mesons;
  private final List<Baryon> sinks;
  private final List<Baryon> sources;
  private final GraphTable graphs;
  private final FieldFlavours flavours;
  private final List<Tetraquark> tetraquarks;
  // Legs before this are those of baryons, at either end of a path.
  private final int baryonLegs;
  // By flavour the letters of bare lines, by the times where they begin and end; -1: not known.
  private final int[] @Nullable [] lineLetters;
  private final double[] signs;
  private final int[] times;
  // lines[k]: the mesons whose antiquark meson k's quark may contract with.
  private final int[] lines;
  private final Map<Integer, Map<Components, Double>> covers = new HashMap<>();
  // By leg: the leg where its path ends, and the number of its word.
  private final int[] ends;
  private final int[] words;
  private boolean hasCurrent;

  /**
   * A product whose diagrams are added to a set.
   *
   * @param graphs of the set
   * @param sink factors of the sink, whose mesons are used with this set and these labels only
   * @param source factors of the adjoint source operator, likewise
   * @param currents mesons at neither
   * @param labels perambulator labels by flavour
   */
  ProductContraction(
      DiagramSet set,
      GraphTable graphs,
      Factors sink,
      Factors source,
      List<Meson> currents,
      Map<String, String> labels) {
    this.set = set;
    this.graphs = graphs;
    this.labels = labels;
    mesons = new ArrayList<>(sink.mesons());
    mesons.addAll(source.mesons());
    mesons.addAll(currents);
    sinks = sink.baryons();
    sources = source.baryons();
    tetraquarks = new ArrayList<>(sink.tetraquarks());
    tetraquarks.addAll(source.tetraquarks());
    baryonLegs = BaryonVertex.LEGS * sinks.size();
    List<String> legFlavours = new ArrayList<>();
    sinks.forEach(baryon -> legFlavours.addAll(baryon.flavours()));
    List<String> endFlavours = new ArrayList<>();
    sources.forEach(baryon -> endFlavours.addAll(baryon.flavours()));
    for (Tetraquark tetraquark : tetraquarks) {
      endFlavours.addAll(tetraquark.legs().flavours().subList(0, TetraquarkVertex.LEGS));
      legFlavours.addAll(tetraquark.legs().flavours().subList(TetraquarkVertex.LEGS, 4));
    }
    int n = mesons.size();
    ends = new int[legFlavours.size()];
    words = new int[ends.length];
    signs = new double[n];
    times = new int[n];
    lines = new int[n];
    flavours = new FieldFlavours(mesons, legFlavours, endFlavours);
    lineLetters = new int[flavours.size()][];
    for (int k = 0; k < n; k++) {
      Meson meson = mesons.get(k);
      times[k] = slot(meson.time);
      signs[k] = meson.gamma.sign();
      lines[k] = flavours.barsWith(flavours.ofQuark(k));
      if (meson.time == TimeSlot.INSERTION) {
        // A current that contracts with itself is a loop, which multiplies everything else.
        lines[k] &= ~(1 << k);
        hasCurrent = true;
      }
    }
  }

  /** All diagrams of the product. */
  void diagrams(Receiver receiver) {
    int all = (1 << mesons.size()) - 1;
    if (ends.length == 0) {
      if (all != 0) {
        cover(all).forEach((found, weight) -> receiver.accept(set.diagram(found.numbers), weight));
      }
      return;
    }
    follow(0, all, 0, 1, receiver);
  }

  /** The number of a time: 0 for the sink, 1 for the source, 2 for a current. */
  static int slot(TimeSlot time) {
    return switch (time) {
      case SINK -> 0;
      case SOURCE -> 1;
      case INSERTION -> 2;
    };
  }

  private static TimeSlot time(int slot) {
    return TIMES[slot];
  }

  /**
   * The first letters of a walk. The two lines that a current joins become one, with the current on
   * it, and the elemental where it ends stands alone.
   */
  private int[] joined(int[] walk, int length) {
    int[] word = Arrays.copyOf(walk, length);
    for (int k = 0; hasCurrent && k < length; k++) {
      NodeRef current = set.nodeAt(word[k] / 16);
      if (current.time() == TimeSlot.INSERTION) {
        int before = (k + length - 1) % length;
        NodeRef end = set.nodeAt(word[before] / 16);
        word[k] =
            16
                * set.node(
                    NodeRef.current(end.time(), end.label(), current.label(), current.next()));
        if (end.isLine()) {
          System.arraycopy(word, 1, word, 0, length - 1);
          return Arrays.copyOf(word, length - 1);
        }
        word[before] =
            16 * set.node(NodeRef.elemental(end.elemental(), end.time())) + word[before] % 16;
      }
    }
    return word;
  }

  private String label(String flavour) {
    String label = labels.get(flavour);
    if (label == null) {
      throw new IllegalArgumentException("flavour has no perambulator label: " + flavour);
    }
    return label;
  }

  /** Letter of meson k whose quark line begins at {@code next}; its sign is apart. */
  private int letter(int k, int next) {
    Meson meson = mesons.get(k);
    if (meson.letters[next] < 0) {
      NodeRef node = new NodeRef(meson.elemental, meson.time, label(meson.quark), time(next));
      meson.letters[next] = 16 * set.node(node) + meson.gamma.mask();
    }
    return meson.letters[next];
  }

  /**
   * Every cover of the mesons in {@code open} by cycles, with the sum of the signs of equal ones.
   */
  private Map<Components, Double> cover(int open) {
    if (open == 0) {
      return Map.of(Components.NONE, 1.0);
    }
    Map<Components, Double> result = covers.get(open);
    if (result == null) {
      result = new LinkedHashMap<>();
      int first = Integer.numberOfTrailingZeros(open);
      cycles(open, first, first, 1 << first, new int[mesons.size()], 0, signs[first], result);
      covers.put(open, result);
    }
    return result;
  }

  /**
   * Extends the walk from {@code first} that stands at meson {@code at}, closing it wherever
   * flavour allows.
   */
  private void cycles(
      int open,
      int first,
      int at,
      int used,
      int[] walk,
      int length,
      double sign,
      Map<Components, Double> result) {
    if ((lines[at] >> first & 1) != 0) {
      walk[length] = letter(at, times[first]);
      int cycle = set.cycle(joined(walk, length + 1));
      for (Map.Entry<Components, Double> rest : cover(open & ~used).entrySet()) {
        result.merge(rest.getKey().with(cycle), -sign * rest.getValue(), Double::sum);
      }
    }
    for (int next = lines[at] & open & ~used; next != 0; next &= next - 1) {
      int l = Integer.numberOfTrailingZeros(next);
      walk[length] = letter(at, times[l]);
      cycles(open, first, l, used | 1 << l, walk, length + 1, sign * signs[l], result);
    }
  }

  /**
   * Follows leg number {@code leg} in every way, and then the legs after it.
   *
   * @param taken legs where paths end, as bits
   */
  private void follow(int leg, int open, int taken, double sign, Receiver receiver) {
    if (leg == ends.length) {
      finish(open, sign * pairingSign(), receiver);
      return;
    }
    int[] word = new int[mesons.size() + 1];
    step(leg, flavours.ofLeg(leg), -1, open, taken, sign, word, 0, receiver);
  }

  /**
   * Goes on from a quark of {@code flavour} that belongs to meson {@code meson}, or to the leg
   * itself when that is -1.
   *
   * @param word {@code length} letters so far, without that of the quark's own line
   */
  private void step(
      int leg,
      int flavour,
      int meson,
      int open,
      int taken,
      double sign,
      int[] word,
      int length,
      Receiver receiver) {
    int number = -1;
    int before = -1;
    for (int next = flavours.legsWith(flavour) & ~taken; next != 0; next &= next - 1) {
      int end = Integer.numberOfTrailingZeros(next);
      int time = slot(end < baryonLegs ? TimeSlot.SOURCE : tetraquark(end).vertex().time());
      if (end < baryonLegs != leg < baryonLegs) {
        throw new UnsupportedOperationException(
            "a quark line of flavour "
                + flavours.name(flavour)
                + " leads from a baryon to a tetraquark, which is not computed: only mesons exchange"
                + " quarks with a tetraquark; leave one of the two out");
      }
      if (number < 0 || time != before || !tetraquarks.isEmpty()) {
        word[length] = lineLetter(leg, flavour, meson, time);
        int[] letters =
            hasCurrent
                ? joined(word, length + 1)
                : leg < baryonLegs ? word : weighted(word, length, leg, end);
        number = graphs.word(letters, hasCurrent ? letters.length : length + 1);
        before = time;
      }
      ends[leg] = end;
      words[leg] = number;
      follow(leg + 1, open, taken | 1 << end, sign, receiver);
    }
    for (int next = flavours.barsWith(flavour) & open; next != 0; next &= next - 1) {
      int l = Integer.numberOfTrailingZeros(next);
      if (leg >= baryonLegs && mesons.get(l).time == TimeSlot.INSERTION) {
        throw new UnsupportedOperationException(
            "the current meets a quark line of a tetraquark, of flavour "
                + flavours.name(flavour)
                + ", which is not computed: currents reach only mesons and baryons that exchange no"
                + " quarks with it; leave this flavour out of the insertions, or the tetraquark out");
      }
      word[length] = lineLetter(leg, flavour, meson, times[l]);
      step(
          leg,
          flavours.ofQuark(l),
          l,
          open & ~(1 << l),
          taken,
          sign * signs[l],
          word,
          length + 1,
          receiver);
    }
  }

  private Tetraquark tetraquark(int leg) {
    return tetraquarks.get((leg - baryonLegs) / TetraquarkVertex.LEGS);
  }

  /** A word whose line begins and ends with the profiles of its legs. */
  private int[] weighted(int[] word, int last, int leg, int end) {
    int legs = TetraquarkVertex.LEGS;
    String left = tetraquark(leg).profile(legs + (leg - baryonLegs) % legs);
    String right = tetraquark(end).profile((end - baryonLegs) % legs);
    int[] letters = word.clone();
    for (int k = 0; k <= last; k += Math.max(1, last)) {
      NodeRef node = set.nodeAt(word[k] / 16).weighted(k == 0 ? left : "", k == last ? right : "");
      letters[k] = 16 * set.node(node) + word[k] % 16;
    }
    return letters;
  }

  /** The letter of a meson's quark line, or of the line that begins at a leg without a meson. */
  private int lineLetter(int leg, int flavour, int meson, int next) {
    if (meson >= 0) {
      return letter(meson, next);
    }
    TimeSlot time = leg < baryonLegs ? TimeSlot.SINK : tetraquark(leg).vertex().time();
    int[] letters = lineLetters[flavour];
    if (letters == null) {
      letters = new int[TIMES.length * TIMES.length];
      Arrays.fill(letters, -1);
      lineLetters[flavour] = letters;
    }
    int place = TIMES.length * slot(time) + next;
    if (letters[place] < 0) {
      letters[place] = graphs.line(time, label(flavours.name(flavour)), time(next));
    }
    return letters[place];
  }

  private double pairingSign() {
    double sign = 1;
    for (int a = 0; a < baryonLegs; a++) {
      for (int b = a + 1; b < baryonLegs; b++) {
        if (ends[a] > ends[b]) {
          sign = -sign;
        }
      }
    }
    int walked = 0;
    for (int a = baryonLegs; a < ends.length; a++) {
      sign = (walked >> a & 1) == 0 ? -sign : sign;
      for (int b = a; (walked >> b & 1) == 0; b = ends[b]) {
        walked |= 1 << b;
      }
    }
    return sign * ((tetraquarks.size() & 1) == 0 ? 1 : -1);
  }

  /** Splits the paths into connected graphs and covers the remaining mesons. */
  private void finish(int open, double sign, Receiver receiver) {
    int n = sinks.size();
    if (n == 1 && tetraquarks.isEmpty()) {
      int graph = graphs.graph(1, firstVertex(sinks), firstVertex(sources), ends, words);
      double total = sign * graphs.sign(graph);
      if (open == 0) {
        receiver.accept(graphs.diagram(graph), total);
      } else {
        finish(open, Components.NONE.with(graphs.component(graph)), total, receiver);
      }
      return;
    }
    int[] part = new int[2 * n];
    Arrays.setAll(part, k -> k);
    for (int leg = 0; leg < baryonLegs; leg++) {
      int from = part[leg / BaryonVertex.LEGS];
      int to = part[n + ends[leg] / BaryonVertex.LEGS];
      for (int k = 0; k < part.length; k++) {
        if (part[k] == to) {
          part[k] = from;
        }
      }
    }
    Components connected = Components.NONE;
    double total = sign;
    for (TetraquarkGraph graph : tetraquarkGraphs()) {
      TetraquarkGraph.Signed canonical = graph.canonical();
      if (canonical.sign() == 0) {
        return;
      }
      connected = connected.with(set.tetraquarkGraph(canonical.graph()));
      total *= canonical.sign();
    }
    for (int root = 0; root < n; root++) {
      if (!seenBefore(part, root)) {
        int graph = part(part, part[root]);
        connected = connected.with(graphs.component(graph));
        total *= graphs.sign(graph);
      }
    }
    finish(open, connected, total, receiver);
  }

  /** The connected graphs of the tetraquarks, one or two. */
  private List<TetraquarkGraph> tetraquarkGraphs() {
    List<TetraquarkVertex> vertices = tetraquarks.stream().map(Tetraquark::vertex).toList();
    int legs = TetraquarkVertex.LEGS;
    List<QuarkPath> paths = new ArrayList<>();
    boolean apart = true;
    for (int k = 0; k < ends.length - baryonLegs; k++) {
      int end = ends[baryonLegs + k] - baryonLegs;
      List<Integer> word = graphs.wordAt(words[baryonLegs + k]);
      paths.add(new QuarkPath(k / legs, k % legs, end / legs, end % legs, word));
      apart &= k / legs == end / legs;
    }
    if (!apart) {
      return List.of(new TetraquarkGraph(vertices, paths));
    }
    paths.replaceAll(p -> new QuarkPath(0, p.sinkLeg(), 0, p.sourceLeg(), p.word()));
    return IntStream.range(0, vertices.size())
        .mapToObj(
            t ->
                new TetraquarkGraph(
                    List.of(vertices.get(t)), paths.subList(legs * t, legs * (t + 1))))
        .toList();
  }

  private static int[] firstVertex(List<Baryon> baryons) {
    return new int[] {baryons.get(0).vertex()};
  }

  private void finish(int open, Components connected, double total, Receiver receiver) {
    for (Map.Entry<Components, Double> rest : cover(open).entrySet()) {
      Components all = connected;
      for (int cycle : rest.getKey().numbers) {
        all = all.with(cycle);
      }
      receiver.accept(set.diagram(all.numbers), total * rest.getValue());
    }
  }

  private static boolean seenBefore(int[] part, int k) {
    for (int l = 0; l < k; l++) {
      if (part[l] == part[k]) {
        return true;
      }
    }
    return false;
  }

  /** The number in {@link GraphTable} of the graph of some baryons. */
  private int part(int[] part, int which) {
    int n = sinks.size();
    int[] place = new int[2 * n];
    int[] partSinks = new int[n];
    int[] partSources = new int[n];
    int[] partEnds = new int[baryonLegs];
    int[] partWords = new int[baryonLegs];
    int size = 0;
    int count = 0;
    for (int k = 0; k < n; k++) {
      if (part[n + k] == which) {
        place[n + k] = count;
        partSources[count++] = sources.get(k).vertex();
      }
    }
    for (int k = 0; k < n; k++) {
      if (part[k] == which) {
        partSinks[size] = sinks.get(k).vertex();
        for (int j = 0; j < BaryonVertex.LEGS; j++) {
          int end = ends[BaryonVertex.LEGS * k + j];
          partEnds[BaryonVertex.LEGS * size + j] =
              BaryonVertex.LEGS * place[n + end / BaryonVertex.LEGS] + end % BaryonVertex.LEGS;
          partWords[BaryonVertex.LEGS * size + j] = words[BaryonVertex.LEGS * k + j];
        }
        size++;
      }
    }
    return graphs.graph(size, partSinks, partSources, partEnds, partWords);
  }
}
