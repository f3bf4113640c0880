package org.starlingqcd.graph.wick;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.SequenceTable;
import org.starlingqcd.graph.TimeSlot;

/**
 * The baryon graphs of a set under construction as sequences of numbers: vertices and words have
 * numbers, and a graph is known by these and by where its paths end. Contractions meet the same
 * graph many times, in several forms; each form is brought into its canonical form once.
 */
final class GraphTable {
  private static final int LEGS = BaryonVertex.LEGS;

  private static final int TIMES = TimeSlot.values().length;

  private final DiagramSet set;
  private final Interner<BaryonVertex> vertices = new Interner<>();
  private final SequenceTable words = new SequenceTable();
  private final List<List<Integer>> wordLists = new ArrayList<>();
  private final Map<String, int[]> lines = new HashMap<>();
  private final SequenceTable paths = new SequenceTable();
  private final List<QuarkPath> pathList = new ArrayList<>();
  private final SequenceTable forms = new SequenceTable();
  private int[] components = new int[1024];
  private byte[] signs = new byte[1024];
  // By number of a graph the diagram that it is by itself, plus one; 0: not known.
  private int[] diagrams = new int[1024];
  private int[] form = new int[64];

  GraphTable(DiagramSet set) {
    this.set = set;
  }

  /** The number of a vertex. */
  int vertex(BaryonVertex vertex) {
    return vertices.of(vertex);
  }

  /** The letter of a bare line. */
  int line(TimeSlot time, String label, TimeSlot next) {
    int[] letters =
        lines.computeIfAbsent(
            label,
            key -> {
              int[] unknown = new int[TIMES * TIMES];
              Arrays.fill(unknown, -1);
              return unknown;
            });
    int place = TIMES * ProductContraction.slot(time) + ProductContraction.slot(next);
    if (letters[place] < 0) {
      letters[place] = 16 * set.node(NodeRef.line(time, label, next));
    }
    return letters[place];
  }

  /** The number of a word. */
  int word(int[] letters, int length) {
    int number = words.intern(letters, 0, length);
    if (number == wordLists.size()) {
      // A list that List.copyOf returns as it is: graphs then share their words.
      Integer[] list = new Integer[length];
      Arrays.setAll(list, k -> letters[k]);
      wordLists.add(List.of(list));
    }
    return number;
  }

  /** The letters of a word; equal words are one list. */
  List<Integer> wordAt(int number) {
    return wordLists.get(number);
  }

  /**
   * The number of a graph in a given form.
   *
   * @param n number of baryons on each side
   * @param sinks numbers of the sinks
   * @param sources numbers of the sources
   * @param ends for each leg of the sinks the leg of the sources where its path ends
   * @param pathWords for each leg of the sinks the number of its path's word
   */
  int graph(int n, int[] sinks, int[] sources, int[] ends, int[] pathWords) {
    int length = 2 * n * (1 + LEGS);
    if (length > form.length) {
      form = new int[length];
    }
    System.arraycopy(sinks, 0, form, 0, n);
    System.arraycopy(sources, 0, form, n, n);
    System.arraycopy(ends, 0, form, 2 * n, LEGS * n);
    System.arraycopy(pathWords, 0, form, (2 + LEGS) * n, LEGS * n);
    int number = forms.intern(form, 0, length);
    if (number >= components.length) {
      components = Arrays.copyOf(components, 2 * number);
      signs = Arrays.copyOf(signs, 2 * number);
      diagrams = Arrays.copyOf(diagrams, 2 * number);
    }
    if (signs[number] == 0) {
      if (n == 1) {
        ofOneBaryon(number);
      } else {
        BaryonGraph.Signed canonical = graph(n).canonical();
        components[number] = set.baryonGraph(canonical.graph());
        signs[number] = (byte) canonical.sign();
      }
    }
    return number;
  }

  /** The component of a graph in its canonical form. */
  int component(int number) {
    return components[number];
  }

  /** The diagram of which a graph is the only component. */
  int diagram(int number) {
    if (diagrams[number] == 0) {
      diagrams[number] = set.diagram(new int[] {components[number]}) + 1;
    }
    return diagrams[number] - 1;
  }

  /** The value of the graph in the form given is this sign times that of its canonical form. */
  int sign(int number) {
    return signs[number];
  }

  /** Does for the graph in {@link #form} what {@link BaryonGraph#canonical} does. */
  private void ofOneBaryon(int number) {
    BaryonVertex sink = vertices.at(form[0]);
    BaryonVertex source = vertices.at(form[1]);
    int[] given = Arrays.copyOf(form, 2 + 2 * LEGS);
    int sign = 1;
    for (int swaps = 1; swaps < 4; swaps++) {
      boolean atSink = (swaps & 1) != 0;
      boolean atSource = (swaps & 2) != 0;
      if ((!atSink || sink.isAntisymmetric()) && (!atSource || source.isAntisymmetric())) {
        int[] other = swapped(given, atSink, atSource);
        if (compare(other) < 0) {
          System.arraycopy(other, 0, form, 0, other.length);
          sign =
              (atSink ? -sink.diquarkSymmetry() : 1) * (atSource ? -source.diquarkSymmetry() : 1);
        }
      }
    }
    int canonical = number;
    if (!Arrays.equals(given, 0, given.length, form, 0, given.length)) {
      int[] sinks = {form[0]};
      int[] sources = {form[1]};
      canonical =
          graph(
              1,
              sinks,
              sources,
              Arrays.copyOfRange(form, 2, 2 + LEGS),
              Arrays.copyOfRange(form, 2 + LEGS, 2 + 2 * LEGS));
      components[number] = components[canonical];
    } else {
      components[number] = set.newBaryonGraph(graph(1));
    }
    signs[number] = (byte) sign;
  }

  /** The form with the first two legs exchanged. */
  private static int[] swapped(int[] given, boolean atSink, boolean atSource) {
    int[] other = new int[given.length];
    other[0] = given[0];
    other[1] = given[1];
    for (int leg = 0; leg < LEGS; leg++) {
      int from = atSink && leg < 2 ? 1 - leg : leg;
      int end = given[2 + from];
      other[2 + leg] = atSource && end < 2 ? 1 - end : end;
      other[2 + LEGS + leg] = given[2 + LEGS + from];
    }
    return other;
  }

  /** Compares paths with those of the present form. */
  private int compare(int[] other) {
    for (int leg = 0; leg < LEGS; leg++) {
      int c = Integer.compare(other[2 + leg], form[2 + leg]);
      if (c == 0) {
        c = compareWords(other[2 + LEGS + leg], form[2 + LEGS + leg]);
      }
      if (c != 0) {
        return c;
      }
    }
    return 0;
  }

  private int compareWords(int a, int b) {
    int shorter = Math.min(words.length(a), words.length(b));
    for (int k = 0; k < shorter; k++) {
      int c = Integer.compare(words.letter(a, k), words.letter(b, k));
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(words.length(a), words.length(b));
  }

  /** The graph in {@link #form}. */
  private BaryonGraph graph(int n) {
    List<BaryonVertex> sinks = new ArrayList<>(n);
    List<BaryonVertex> sources = new ArrayList<>(n);
    for (int k = 0; k < n; k++) {
      sinks.add(vertices.at(form[k]));
      sources.add(vertices.at(form[n + k]));
    }
    List<QuarkPath> paths = new ArrayList<>(LEGS * n);
    for (int leg = 0; leg < LEGS * n; leg++) {
      paths.add(path(leg, form[2 * n + leg], form[(2 + LEGS) * n + leg]));
    }
    return new BaryonGraph(sinks, sources, paths);
  }

  /** A path between legs, counted over all baryons of a side; graphs share their paths. */
  private QuarkPath path(int leg, int end, int word) {
    int number = paths.intern(new int[] {leg, end, word}, 0, 3);
    if (number == pathList.size()) {
      pathList.add(
          new QuarkPath(leg / LEGS, leg % LEGS, end / LEGS, end % LEGS, wordLists.get(word)));
    }
    return pathList.get(number);
  }
}
