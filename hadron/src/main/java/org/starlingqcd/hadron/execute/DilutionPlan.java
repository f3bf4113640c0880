package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.hadron.execute.NoiseTuples.Windows;

/**
 * Diagrams with stochastic lines as products in dilution space. All lines are cut ({@link
 * CutLine}): what stands at a hadron is a tensor with a leg for each line that ends there, without
 * spin. Diagrams are planned without noises; a tensor then has a block of numbers for each choice
 * of different noises for the lines that it touches ({@link NoiseTuples}), and equal tensors are
 * one, in whatever diagrams they occur.
 *
 * <p>The value of a diagram is the mean over the assignments of noises to all its lines.
 */
public final class DilutionPlan {
  /** Of the cost of what depends on one time alone, which serves other times too. */
  private static final double REUSED = 0.1;

  /** Entries of a baryon's spin structure that are not zero. */
  private static final int SPIN_ENTRIES = 8;

  /**
   * A tensor: a hadron, or the product of two tensors, summed over the legs that they share.
   *
   * @param number in the order in which they were found
   * @param lines that it touches
   * @param open numbers of the lines that are its legs, in the order of the indices
   * @param tuples choices of noises for the lines
   * @param content what it is made of
   * @param atSink whether it depends on the time of the sink
   * @param atSource whether it depends on the time of the source
   */
  record Tensor(
      int number,
      List<CutLine> lines,
      List<Integer> open,
      NoiseTuples tuples,
      Content content,
      boolean atSink,
      boolean atSource) {
    /** Complex numbers of a block. */
    long blockSize() {
      long size = 1;
      for (int leg : open) {
        size *= lines.get(leg).size();
      }
      return size;
    }

    /** D of a leg. */
    int legSize(int leg) {
      return lines.get(open.get(leg)).size();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  /** What a tensor is made of. */
  sealed interface Content {}

  /**
   * {@code R_a† Γ Φ L_b} at a time, where line a ends and line b begins; a number where they are
   * one.
   */
  record Meson(ElementalRef elemental, int gamma, TimeSlot time) implements Content {}

  /** {@code Σ S B L_1 L_2 L_3}, or at the source {@code Σ S̄ B* R_1* R_2* R_3*}. */
  record Baryon(BaryonVertex vertex, TimeSlot time) implements Content {}

  /**
   * A sum over legs.
   *
   * @param leftLegs places in {@code open} of the left tensor
   * @param rightLegs the same legs of the right tensor
   */
  record Product(Tensor left, Tensor right, List<Integer> leftLegs, List<Integer> rightLegs)
      implements Content {}

  /**
   * By tuple of a product, the numbers of the tuples of its factors; the same at all times.
   *
   * @param lefts of the left tensor
   * @param rights of the right tensor
   * @param order of the tuples by the noises of the summed legs, so that blocks stay in caches
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Pairing(int[] lefts, int[] rights, int[] order) {}

  private record PairingKey(
      NoiseTuples left,
      NoiseTuples right,
      NoiseTuples joined,
      List<Integer> leftShared,
      List<Integer> rightShared) {}

  private record NodeKey(Content content, List<CutLine> lines, @Nullable Windows windows) {}

  private record ProductKey(int left, int right, List<Integer> leftLegs, List<Integer> rightLegs) {}

  private record TuplesKey(List<List<Integer>> choices, @Nullable Windows windows) {}

  /** Parts of a diagram by the choices for their lines. */
  private record Shape(List<List<List<Integer>>> parts, @Nullable Windows windows) {}

  /** A tensor of a diagram, with a number for each of the lines. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Placed(Tensor tensor, int[] lines) {
    /** The number of the line that is a leg. */
    int leg(int leg) {
      return lines[tensor.open().get(leg)];
    }
  }

  /**
   * A diagram: a product of numbers.
   *
   * @param parts tensors without legs
   * @param places by part and assignment, the number of the part's tuple
   */
  @SuppressWarnings("ArrayRecordComponent") // each is equal to itself alone
  record Diagram(List<Tensor> parts, int[][] places) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** A sum of diagrams. */
  record Sum(List<Diagram> diagrams, List<Complex> coefficients) {}

  private final DiagramSet set;
  private final Function<NodeRef, CutLine> cut;
  private final int subsets;
  private final Map<NodeRef, CutLine> lines = new HashMap<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final Map<Object, Tensor> known = new HashMap<>();
  private final Map<TuplesKey, NoiseTuples> tuples = new HashMap<>();
  private final Map<Shape, int[][]> shapes = new HashMap<>();
  private final Map<PairingKey, Pairing> pairings = new HashMap<>();
  private final Map<Integer, Diagram> diagrams = new HashMap<>();
  private final Sum[][] elements;
  private final Sum[] onePoint;
  private int mostAssignments = 1;

  /**
   * Plans the first matrix of a set.
   *
   * @param cut how the line of a node is cut; equal lines are equal
   * @param subsets K; 0 for all assignments
   * @throws IllegalArgumentException when there are too many assignments
   */
  public DilutionPlan(DiagramSet set, Function<NodeRef, CutLine> cut, int subsets) {
    this.set = set;
    this.cut = cut;
    this.subsets = subsets;
    int n = set.matrices().get(0).operators().size();
    elements = new Sum[n][n];
    onePoint = new Sum[set.matrices().get(0).onePoint() ? n : 0];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        elements[i][j] = sum(set.element(0, i, j));
      }
      if (onePoint.length > 0) {
        onePoint[i] = sum(set.onePoint(0, i));
      }
    }
  }

  /** The largest number of assignments of a diagram. */
  public int mostAssignments() {
    return mostAssignments;
  }

  /** All lines, each once. */
  public List<CutLine> lines() {
    return lines.values().stream().distinct().toList();
  }

  /**
   * What a source and a separation take.
   *
   * @param nodes blocks of numbers at hadrons
   * @param products of two blocks, without traces
   * @param traces sums over all legs of two blocks
   * @param flops real multiplications and additions, of nodes too
   */
  public record Work(long nodes, long products, long traces, double flops) {}

  /**
   * The work for all tensors.
   *
   * @param n eigenvectors
   */
  public Work work(int n) {
    long[] count = new long[3];
    double flops = 0;
    for (Tensor tensor : tensors) {
      int blocks = tensor.tuples().all.size();
      double size = tensor.blockSize();
      if (tensor.content() instanceof Product product) {
        count[tensor.open().isEmpty() ? 2 : 1] += blocks;
        for (int leg = 0; leg < product.leftLegs().size(); leg++) {
          size *= product.left().legSize(product.leftLegs().get(leg));
        }
        flops += 8 * size * blocks;
      } else {
        count[0] += blocks;
        // Sources have one spin for each column, sinks have four.
        boolean one = tensor.lines().get(0).kind() != CutLine.Kind.REVERSED;
        flops += 8 * blocks * size * n * (one && !(tensor.content() instanceof Baryon) ? 1 : 4);
        if (tensor.content() instanceof Baryon) {
          double second = (double) n * n * tensor.legSize(1) * tensor.legSize(2);
          double third = 4.0 * n * n * n * tensor.legSize(2);
          flops += 8 * (SPIN_ENTRIES * second * some(tensor, 1) + third * some(tensor, 2));
        }
      }
    }
    return new Work(count[0], count[1], count[2], flops);
  }

  /** Different noises of the lines from a number on. */
  private static long some(Tensor tensor, int from) {
    return tensor.tuples().all.stream()
        .map(tuple -> Arrays.stream(tuple).skip(from).boxed().toList())
        .distinct()
        .count();
  }

  int operators() {
    return elements.length;
  }

  /** K, or 1 where all assignments are one set. */
  int sets() {
    return Math.max(1, subsets);
  }

  Sum element(int i, int j) {
    return elements[i][j];
  }

  Sum onePoint(int i) {
    return onePoint[i];
  }

  /** Pairs the tuples of a product; called by several threads. */
  synchronized Pairing pairing(Tensor tensor, Product product) {
    List<Integer> leftShared = product.leftLegs().stream().map(product.left().open()::get).toList();
    List<Integer> rightShared =
        product.rightLegs().stream().map(product.right().open()::get).toList();
    return pairings.computeIfAbsent(
        new PairingKey(
            product.left().tuples(),
            product.right().tuples(),
            tensor.tuples(),
            leftShared,
            rightShared),
        DilutionPlan::pairing);
  }

  private static Pairing pairing(PairingKey key) {
    List<int[]> all = key.joined().all;
    int[] lefts = new int[all.size()];
    int[] rights = new int[all.size()];
    Map<List<Integer>, List<Integer>> bySummed = new LinkedHashMap<>();
    int lines = key.left().all.get(0).length;
    int[] right = new int[key.right().all.get(0).length];
    for (int k = 0; k < all.size(); k++) {
      int[] tuple = all.get(k);
      int next = lines;
      for (int line = 0; line < right.length; line++) {
        int shared = key.rightShared().indexOf(line);
        right[line] = tuple[shared < 0 ? next++ : key.leftShared().get(shared)];
      }
      lefts[k] = key.left().number(Arrays.copyOf(tuple, lines));
      rights[k] = key.right().number(right);
      bySummed
          .computeIfAbsent(
              key.leftShared().stream().map(line -> tuple[line]).toList(), n -> new ArrayList<>())
          .add(k);
    }
    int[] order = bySummed.values().stream().flatMap(List::stream).mapToInt(k -> k).toArray();
    return new Pairing(lefts, rights, order);
  }

  private Sum sum(DiagramSet.Combination combination) {
    List<Diagram> summed = new ArrayList<>();
    List<Complex> coefficients = new ArrayList<>();
    combination
        .terms()
        .forEach(
            (number, coefficient) -> {
              summed.add(diagrams.computeIfAbsent(number, this::diagram));
              coefficients.add(coefficient);
            });
    return new Sum(summed, coefficients);
  }

  private CutLine line(NodeRef node) {
    return lines.computeIfAbsent(node, cut);
  }

  private CutLine line(int letter) {
    return line(set.nodeAt(letter / 16));
  }

  private Diagram diagram(int number) {
    int[] components = set.diagramAt(number);
    Map<List<Integer>, Integer> counts = new LinkedHashMap<>();
    for (int component : components) {
      for (int letter : letters(set, component)) {
        CutLine line = line(letter);
        if (line.isStochastic()) {
          counts.merge(line.noises(), 1, Integer::sum);
        }
      }
    }
    counts.forEach(
        (noises, w) -> {
          if (w > noises.size()) {
            String sources =
                lines.values().stream()
                    .filter(line -> line.noises().equals(noises))
                    .map(line -> "quark_sinks/" + line.source())
                    .distinct()
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                "%d lines of a diagram draw on %d noises of %s; %d would do"
                    .formatted(w, noises.size(), sources, w));
          }
        });
    Windows windows = subsets == 0 ? null : new Windows(subsets, counts);
    List<Tensor> parts = new ArrayList<>();
    for (int component : components) {
      List<Placed> network =
          component < 0
              ? baryons(set.baryonGraphAt(~component), windows)
              : cycle(set.cycleAt(component), windows);
      parts.add(contracted(network, windows));
    }
    int[][] places =
        shapes.computeIfAbsent(
            new Shape(parts.stream().map(part -> choices(part.lines())).toList(), windows),
            shape -> places(parts, windows));
    if (places[0].length == 0) {
      throw new IllegalArgumentException(
          "%d lines of a diagram have no %d different noises; add noises to their sets"
              .formatted(
                  counts.values().stream().mapToInt(w -> w).sum(),
                  counts.values().stream().mapToInt(w -> w).sum()));
    }
    mostAssignments = Math.max(mostAssignments, places[0].length);
    return new Diagram(parts, places);
  }

  /** The letters of all lines of a component of a diagram. */
  public static List<Integer> letters(DiagramSet set, int component) {
    return component < 0
        ? set.baryonGraphAt(~component).paths().stream()
            .flatMap(path -> path.word().stream())
            .toList()
        : Arrays.stream(set.cycleAt(component)).boxed().toList();
  }

  private static List<List<Integer>> choices(List<CutLine> some) {
    return some.stream().map(CutLine::choices).toList();
  }

  private int[][] places(List<Tensor> parts, @Nullable Windows windows) {
    List<List<Integer>> all = new ArrayList<>();
    parts.forEach(part -> all.addAll(choices(part.lines())));
    List<int[]> assignments = new NoiseTuples(all, windows, true).all;
    int[][] places = new int[parts.size()][assignments.size()];
    int from = 0;
    for (int p = 0; p < parts.size(); p++) {
      int to = from + parts.get(p).lines().size();
      for (int a = 0; a < assignments.size(); a++) {
        places[p][a] =
            parts.get(p).tuples().number(Arrays.copyOfRange(assignments.get(a), from, to));
      }
      from = to;
    }
    return places;
  }

  /** {@code Tr Π_k R_{k-1}† M_k L_k}: line k begins at meson k. */
  private List<Placed> cycle(int[] letters, @Nullable Windows windows) {
    int n = letters.length;
    List<Placed> network = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      int before = (k + n - 1) % n;
      network.add(meson(letters[k], line(letters[before]), before, k, windows));
    }
    return network;
  }

  private Placed meson(int letter, CutLine ending, int endingNumber, int k, @Nullable Windows w) {
    NodeRef node = set.nodeAt(letter / 16);
    Meson content = new Meson(node.elemental(), letter % 16, node.time());
    CutLine beginning = line(node);
    return endingNumber == k
        ? new Placed(node(content, List.of(ending), List.of(), w), new int[] {k})
        : new Placed(
            node(content, List.of(ending, beginning), List.of(0, 1), w),
            new int[] {endingNumber, k});
  }

  private List<Placed> baryons(BaryonGraph graph, @Nullable Windows windows) {
    int n = graph.sinks().size();
    CutLine[][] legs = new CutLine[2 * n][BaryonVertex.LEGS];
    int[][] numbers = new int[2 * n][BaryonVertex.LEGS];
    List<Placed> network = new ArrayList<>();
    int count = 0;
    for (QuarkPath path : graph.paths()) {
      List<Integer> word = path.word();
      legs[path.sink()][path.sinkLeg()] = line(word.get(0));
      numbers[path.sink()][path.sinkLeg()] = count;
      for (int k = 1; k < word.size(); k++) {
        network.add(meson(word.get(k), line(word.get(k - 1)), count, count + 1, windows));
        count++;
      }
      legs[n + path.source()][path.sourceLeg()] = line(word.get(word.size() - 1));
      numbers[n + path.source()][path.sourceLeg()] = count++;
    }
    for (int k = 0; k < 2 * n; k++) {
      boolean atSink = k < n;
      Baryon content =
          new Baryon(
              atSink ? graph.sinks().get(k) : graph.sources().get(k - n),
              atSink ? TimeSlot.SINK : TimeSlot.SOURCE);
      network.add(
          new Placed(node(content, List.of(legs[k]), List.of(0, 1, 2), windows), numbers[k]));
    }
    return network;
  }

  private Tensor node(
      Content content, List<CutLine> touched, List<Integer> open, @Nullable Windows windows) {
    return known.computeIfAbsent(
        new NodeKey(content, touched, windows),
        key -> {
          boolean[] at = new boolean[2];
          if (content instanceof Meson meson) {
            at[place(meson.time())] = true;
            note(at, touched.get(0), false);
            note(at, touched.get(touched.size() - 1), true);
          } else if (content instanceof Baryon baryon) {
            at[place(baryon.time())] = true;
            touched.forEach(line -> note(at, line, baryon.time() == TimeSlot.SINK));
          }
          return add(content, touched, open, windows, at[0], at[1]);
        });
  }

  private static int place(TimeSlot time) {
    return time == TimeSlot.SINK ? 0 : 1;
  }

  private static void note(boolean[] at, CutLine line, boolean atQuark) {
    if (line.reaches(atQuark)) {
      at[place(line.quark())] = true;
      at[place(line.antiquark())] = true;
    }
  }

  private Tensor add(
      Content content,
      List<CutLine> touched,
      List<Integer> open,
      @Nullable Windows windows,
      boolean atSink,
      boolean atSource) {
    NoiseTuples its = tuples(touched, windows);
    Tensor tensor = new Tensor(tensors.size(), touched, open, its, content, atSink, atSource);
    tensors.add(tensor);
    return tensor;
  }

  private NoiseTuples tuples(List<CutLine> touched, @Nullable Windows windows) {
    return tuples.computeIfAbsent(
        new TuplesKey(choices(touched), windows),
        key -> new NoiseTuples(key.choices(), windows, false));
  }

  /** Multiplies pairs of tensors, the cheapest first, until a number is left. */
  private Tensor contracted(List<Placed> network, @Nullable Windows windows) {
    List<Placed> left = new ArrayList<>(network);
    while (left.size() > 1) {
      int[] best = {0, 0};
      double least = Double.POSITIVE_INFINITY;
      for (int a = 0; a < left.size(); a++) {
        for (int b = a + 1; b < left.size(); b++) {
          double cost = cost(left.get(a), left.get(b), windows);
          if (cost < least) {
            least = cost;
            best = new int[] {a, b};
          }
        }
      }
      Placed second = left.remove(best[1]);
      Placed first = left.remove(best[0]);
      left.add(best[0], product(first, second, windows));
    }
    return left.get(0).tensor();
  }

  /** Multiplications of a product that is new; infinite where no leg is shared. */
  private double cost(Placed a, Placed b, @Nullable Windows windows) {
    Joint joint = new Joint(a, b);
    if (joint.leftLegs.isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    if (known.containsKey(joint.key())) {
      return 0;
    }
    double cost = tuples(joint.lines, windows).all.size();
    for (int leg : joint.left.tensor().open()) {
      cost *= joint.left.tensor().lines().get(leg).size();
    }
    for (int leg : joint.open) {
      cost *= leg < joint.left.lines().length ? 1 : joint.lines.get(leg).size();
    }
    return cost * (joint.atSink && joint.atSource ? 1 : REUSED);
  }

  private Placed product(Placed a, Placed b, @Nullable Windows windows) {
    Joint joint = new Joint(a, b);
    Tensor tensor =
        known.computeIfAbsent(
            joint.key(),
            key ->
                add(
                    new Product(
                        joint.left.tensor(), joint.right.tensor(), joint.leftLegs, joint.rightLegs),
                    joint.lines,
                    joint.open,
                    windows,
                    joint.atSink,
                    joint.atSource));
    return new Placed(tensor, joint.numbers);
  }

  /**
   * The product of two tensors. The one found first is on the left, but of two matrices that share
   * a leg the one whose columns are summed.
   */
  private static final class Joint {
    final Placed left;
    final Placed right;
    final List<Integer> leftLegs = new ArrayList<>();
    final List<Integer> rightLegs = new ArrayList<>();
    final List<CutLine> lines;
    final List<Integer> open = new ArrayList<>();
    final int[] numbers;
    final boolean atSink;
    final boolean atSource;

    Joint(Placed a, Placed b) {
      boolean inOrder =
          chained(a, b) || (!chained(b, a) && a.tensor().number() <= b.tensor().number());
      left = inOrder ? a : b;
      right = inOrder ? b : a;
      atSink = a.tensor().atSink() || b.tensor().atSink();
      atSource = a.tensor().atSource() || b.tensor().atSource();
      List<Integer> leftOpen = left.tensor().open();
      List<Integer> rightOpen = right.tensor().open();
      boolean[] shared = new boolean[right.lines().length];
      for (int l = 0; l < leftOpen.size(); l++) {
        int number = left.lines()[leftOpen.get(l)];
        boolean found = false;
        for (int r = 0; r < rightOpen.size(); r++) {
          if (right.lines()[rightOpen.get(r)] == number) {
            leftLegs.add(l);
            rightLegs.add(r);
            shared[rightOpen.get(r)] = true;
            found = true;
          }
        }
        if (!found) {
          open.add(leftOpen.get(l));
        }
      }
      lines = new ArrayList<>(left.tensor().lines());
      int[] all = Arrays.copyOf(left.lines(), left.lines().length + right.lines().length);
      int count = left.lines().length;
      for (int k = 0; k < shared.length; k++) {
        if (!shared[k]) {
          if (rightOpen.contains(k)) {
            open.add(count);
          }
          lines.add(right.tensor().lines().get(k));
          all[count++] = right.lines()[k];
        }
      }
      numbers = Arrays.copyOf(all, count);
    }

    /** Whether the columns of a matrix are the rows of another, and no more is shared. */
    private static boolean chained(Placed a, Placed b) {
      return a.tensor().open().size() == 2
          && b.tensor().open().size() == 2
          && a.leg(1) == b.leg(0)
          && a.leg(0) != b.leg(1);
    }

    ProductKey key() {
      return new ProductKey(left.tensor().number(), right.tensor().number(), leftLegs, rightLegs);
    }
  }
}
