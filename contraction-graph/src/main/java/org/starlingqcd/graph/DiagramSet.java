package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * All Wick diagrams of one or several correlation matrices, merged. A diagram is a product of
 * cycles, baryon graphs and tetraquark graphs; equal cycles and equal diagrams are kept once, and
 * every matrix element is a linear combination of diagrams.
 *
 * <p>A <em>letter</em> is {@code 16 * node + gammaMask}: the spin matrix Γ followed by the node
 * {@code Φ τ}. A cycle {@code Tr[Γ_1 Φ_1 τ_1 Γ_2 Φ_2 τ_2 …]} is a sequence of letters up to
 * rotation, kept in its lexicographically least rotation. Signs of gammas and the sign of the
 * contraction are in the coefficients.
 *
 * <p>Everything is numbered by first appearance, so equal input gives equal numbers. A cycle and a
 * diagram take a few words of memory each.
 */
public final class DiagramSet {
  /** Component numbers of tetraquark graphs are below this. */
  private static final int TETRAQUARKS = Integer.MIN_VALUE / 2;

  /** A sum over diagrams: {@code value = Σ coefficient · Π_cycles Tr[cycle]}. */
  public static final class Combination {
    // The terms in the order in which they were added; the first are ascending and added up.
    private int[] diagrams = new int[4];
    private Complex[] coefficients = new Complex[4];
    private int size;
    private int addedUp;

    void add(int diagram, Complex coefficient) {
      if (size == diagrams.length) {
        addUp();
        if (2 * size > diagrams.length) {
          diagrams = Arrays.copyOf(diagrams, 2 * size);
          coefficients = Arrays.copyOf(coefficients, 2 * size);
        }
      }
      boolean isNext = size == addedUp && (size == 0 || diagrams[size - 1] < diagram);
      diagrams[size] = diagram;
      coefficients[size++] = coefficient;
      addedUp += isNext ? 1 : 0;
    }

    /** Sorts the terms and adds up those of one diagram, in the order in which they came. */
    private void addUp() {
      if (addedUp == size) {
        return;
      }
      long[] keys = new long[size];
      Arrays.setAll(keys, k -> (long) diagrams[k] << Integer.SIZE | k);
      Arrays.sort(keys);
      Complex[] given = Arrays.copyOf(coefficients, size);
      int n = 0;
      for (long key : keys) {
        int diagram = (int) (key >> Integer.SIZE);
        Complex coefficient = given[(int) key];
        if (n > 0 && diagrams[n - 1] == diagram) {
          coefficients[n - 1] = coefficients[n - 1].plus(coefficient);
        } else {
          diagrams[n] = diagram;
          coefficients[n++] = coefficient;
        }
      }
      Arrays.fill(coefficients, n, size, null);
      size = n;
      addedUp = n;
    }

    /**
     * Diagram to coefficient, ordered by diagram. Coefficients that cancelled may still be present,
     * as numbers close to zero.
     */
    public Map<Integer, Complex> terms() {
      addUp();
      return new DiagramTerms(Arrays.copyOf(diagrams, size), Arrays.copyOf(coefficients, size));
    }
  }

  private final List<CorrelationMatrix> matrices = new ArrayList<>();
  private final Interner<NodeRef> nodes = new Interner<>();
  private final List<int[]> cycles = new ArrayList<>();
  private final SequenceTable cycleIndex = new SequenceTable();
  private final Interner<BaryonGraph> baryonGraphs = new Interner<>();
  private final Interner<TetraquarkGraph> tetraquarkGraphs = new Interner<>();
  private final List<int[]> diagrams = new ArrayList<>();
  private final SequenceTable diagramIndex = new SequenceTable();
  private final List<Combination[][]> elements = new ArrayList<>();
  private final List<Combination[]> onePoint = new ArrayList<>();

  /** Adds a correlation matrix whose combinations are empty; returns its number. */
  public int addMatrix(CorrelationMatrix matrix) {
    int n = matrix.operators().size();
    Combination[][] table = new Combination[n][matrix.sources().size()];
    for (Combination[] row : table) {
      Arrays.setAll(row, j -> new Combination());
    }
    Combination[] single = new Combination[matrix.onePoint() ? n : 0];
    Arrays.setAll(single, j -> new Combination());
    matrices.add(matrix);
    elements.add(table);
    onePoint.add(single);
    return matrices.size() - 1;
  }

  /** Returns the number of a node; a new node gets the next number. */
  public int node(NodeRef node) {
    return nodes.of(node);
  }

  /** Returns the number of a cycle, given in any rotation; a new cycle gets the next number. */
  public int cycle(int[] letters) {
    int[] least = leastRotation(letters);
    int number = cycleIndex.intern(least, 0, least.length);
    if (number == cycles.size()) {
      cycles.add(least);
    }
    return number;
  }

  /**
   * Returns the component number (negative) of a baryon graph in canonical form; a new graph gets
   * the next number.
   */
  public int baryonGraph(BaryonGraph graph) {
    return ~baryonGraphs.of(graph);
  }

  /** As {@link #baryonGraph} for a graph that is known to be new. */
  public int newBaryonGraph(BaryonGraph graph) {
    return ~baryonGraphs.ofNew(graph);
  }

  /**
   * Returns the component number, below half of the least integer, of a tetraquark graph in
   * canonical form; a new graph gets the next number.
   */
  public int tetraquarkGraph(TetraquarkGraph graph) {
    return Integer.MIN_VALUE + tetraquarkGraphs.of(graph);
  }

  /** Whether a component is a baryon graph. */
  public static boolean isBaryons(int component) {
    return component < 0 && component >= TETRAQUARKS;
  }

  /** Whether a component is a tetraquark graph. */
  public static boolean isTetraquarks(int component) {
    return component < TETRAQUARKS;
  }

  /**
   * Returns the number of the diagram with these components, in any order and with repetitions; a
   * new diagram gets the next number. A component is the number of a cycle or the negative number
   * of a baryon graph or a tetraquark graph.
   *
   * @param components sorted and perhaps kept: not to be changed afterwards
   */
  public int diagram(int[] components) {
    Arrays.sort(components);
    int number = diagramIndex.intern(components, 0, components.length);
    if (number == diagrams.size()) {
      diagrams.add(components);
    }
    return number;
  }

  /** Adds a diagram to matrix element (i, j) of a matrix. */
  public void add(int matrix, int i, int j, int diagram, Complex coefficient) {
    elements.get(matrix)[i][j].add(diagram, coefficient);
  }

  /**
   * Adds a diagram to the one-point function of operator i; all its nodes stand at {@link
   * TimeSlot#SINK}.
   */
  public void addOnePoint(int matrix, int i, int diagram, Complex coefficient) {
    onePoint.get(matrix)[i].add(diagram, coefficient);
  }

  /** Adds up what was added; several threads may then read the set. */
  public void addUp() {
    for (Combination[][] table : elements) {
      for (Combination[] row : table) {
        for (Combination sum : row) {
          sum.addUp();
        }
      }
    }
    for (Combination[] sums : onePoint) {
      for (Combination sum : sums) {
        sum.addUp();
      }
    }
  }

  /** The correlation matrices, in the order added. */
  public List<CorrelationMatrix> matrices() {
    return matrices;
  }

  /** Matrix element (i, j) of a matrix. */
  public Combination element(int matrix, int i, int j) {
    return elements.get(matrix)[i][j];
  }

  /** The one-point function of operator i; only for matrices that ask for one-point functions. */
  public Combination onePoint(int matrix, int i) {
    return onePoint.get(matrix)[i];
  }

  /** Number of distinct nodes. */
  public int nodeCount() {
    return nodes.size();
  }

  /** A node by its number. */
  public NodeRef nodeAt(int node) {
    return nodes.at(node);
  }

  /** Number of distinct cycles. */
  public int cycleCount() {
    return cycles.size();
  }

  /** The letters of a cycle; not to be changed. */
  public int[] cycleAt(int cycle) {
    return cycles.get(cycle);
  }

  /** Number of distinct diagrams. */
  public int diagramCount() {
    return diagrams.size();
  }

  /** Number of distinct baryon graphs. */
  public int baryonGraphCount() {
    return baryonGraphs.size();
  }

  /** Whether any component is a graph of baryons or tetraquarks. */
  public boolean hasGraphs() {
    return baryonGraphs.size() + tetraquarkGraphs.size() > 0;
  }

  /** The baryon graph with index {@code ~component}. */
  public BaryonGraph baryonGraphAt(int place) {
    return baryonGraphs.at(place);
  }

  /** The tetraquark graph with a component number. */
  public TetraquarkGraph tetraquarkGraphAt(int component) {
    return tetraquarkGraphs.at(component - Integer.MIN_VALUE);
  }

  /**
   * The components of a diagram, ascending: tetraquark graphs and baryon graphs (negative), then
   * cycles; not to be changed.
   */
  public int[] diagramAt(int diagram) {
    return diagrams.get(diagram);
  }

  /**
   * The lexicographically least rotation (Booth's algorithm is not worth it: cycles have fewer than
   * 20 letters).
   */
  public static int[] leastRotation(int[] letters) {
    int n = letters.length;
    int best = 0;
    for (int start = 1; start < n; start++) {
      int a = start;
      int b = best;
      int k = 0;
      while (k < n && letters[a] == letters[b]) {
        a = a + 1 == n ? 0 : a + 1;
        b = b + 1 == n ? 0 : b + 1;
        k++;
      }
      best = k < n && letters[a] < letters[b] ? start : best;
    }
    int[] result = new int[n];
    System.arraycopy(letters, best, result, 0, n - best);
    System.arraycopy(letters, 0, result, n - best, best);
    return result;
  }
}
