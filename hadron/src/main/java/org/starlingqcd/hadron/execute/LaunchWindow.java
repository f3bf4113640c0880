package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.hadron.execute.PreparedQueue.Contraction;
import org.starlingqcd.hadron.execute.PreparedQueue.Copying;
import org.starlingqcd.hadron.execute.PreparedQueue.TraceTile;
import org.starlingqcd.hadron.execute.StageTimes.Stage;

/**
 * Steps of one or several vectors that are launched together: first the nodes, then the products,
 * level after level, then the traces. A product is one level above the products that it reads. All
 * contributions to an element are added in the order in which they come, so a result does not
 * depend on what else is in the window.
 */
final class LaunchWindow {
  /** The level of what no product of the window makes. */
  private static final int BEFORE = -1;

  private static final int BY_TRACES = Integer.MAX_VALUE;

  private final Device device;
  private final int n;
  private final IntFunction<DeviceMemory> memory;
  private final ContractionBatch batch;
  private final List<Contraction> nodes = new ArrayList<>();
  private final List<Level> levels = new ArrayList<>();
  private final List<TraceTile> traces = new ArrayList<>();
  private final List<TraceBlock> traceBlocks = new ArrayList<>();
  private final List<DeviceMemory> lefts = new ArrayList<>();
  private final List<DeviceMemory> rights = new ArrayList<>();
  private int used;
  private double flops;

  /** By element of MemHC: the window that the two entries below are of. */
  private int[] windowOf = new int[64];

  /** The last level that writes it. */
  private int[] written = new int[64];

  /** The last level that reads it. */
  private int[] read = new int[64];

  private int window = 1;

  /** Products that read nothing of each other, and before them copies of earlier products. */
  private static final class Level {
    private final List<Copying> copies = new ArrayList<>();
    private final List<Contraction> products = new ArrayList<>();
    private int lastDestination = -1;
  }

  /**
   * An empty window.
   *
   * @param n rows of all matrices
   * @param memory of an element, which is asked for when everything in the window is pinned
   */
  LaunchWindow(Device device, int n, IntFunction<DeviceMemory> memory) {
    this.device = device;
    this.n = n;
    this.memory = memory;
    batch = new ContractionBatch(n, n, n);
  }

  boolean isEmpty() {
    return nodes.isEmpty() && used == 0 && traces.isEmpty();
  }

  /** Flops of its contractions. */
  double flops() {
    return flops;
  }

  /**
   * Whether it has to be launched first, because a trace in it reads what the contraction writes.
   */
  boolean mustPrecede(Contraction contraction) {
    return known(contraction.destination()) && read[contraction.destination()] == BY_TRACES;
  }

  /** Adds the contraction that makes a node of inputs. */
  void addNode(Contraction contraction) {
    nodes.add(contraction);
    count(contraction);
  }

  /** Adds a copy, which is made before the products of its level. */
  void addCopy(Copying copy) {
    int level = above(copy.from());
    level(level).copies.add(copy);
    note(copy.from());
    read[copy.from()] = Math.max(read[copy.from()], level);
    note(copy.to());
    written[copy.to()] = level - 1;
  }

  private Level level(int number) {
    if (number == levels.size()) {
      levels.add(new Level());
    }
    used = Math.max(used, number + 1);
    return levels.get(number);
  }

  /** Adds a product. */
  void addProduct(Contraction contraction) {
    int target = contraction.destination();
    int level = Math.max(above(contraction.left()), above(contraction.right()));
    if (known(target)) {
      level = Math.max(level, read[target] + 1);
      int last = written[target];
      // A device keeps the order of consecutive contributions.
      boolean follows = level == last && levels.get(last).lastDestination == target;
      level = follows ? level : Math.max(level, last + 1);
    }
    Level its = level(level);
    its.lastDestination = target;
    its.products.add(contraction);
    count(contraction);
    note(contraction.left());
    read[contraction.left()] = Math.max(read[contraction.left()], level);
    note(contraction.right());
    read[contraction.right()] = Math.max(read[contraction.right()], level);
    note(target);
    written[target] = level;
  }

  private void count(Contraction contraction) {
    flops += 8.0 * n * n * n * contraction.mapping().size();
  }

  /** Adds traces, which run after all contractions of the window. */
  void add(TraceTile tile) {
    traces.add(tile);
    for (int left : tile.lefts()) {
      note(left);
      read[left] = BY_TRACES;
    }
    for (int right : tile.rights()) {
      note(right);
      read[right] = BY_TRACES;
    }
  }

  /** The least level of a product that reads an element. */
  private int above(int element) {
    return known(element) ? written[element] + 1 : 0;
  }

  private boolean known(int element) {
    return element < windowOf.length && windowOf[element] == window;
  }

  private void note(int element) {
    if (known(element)) {
      return;
    }
    if (element >= windowOf.length) {
      int length = 2 * element;
      windowOf = Arrays.copyOf(windowOf, length);
      written = Arrays.copyOf(written, length);
      read = Arrays.copyOf(read, length);
    }
    windowOf[element] = window;
    written[element] = BEFORE;
    read[element] = BEFORE;
  }

  /** Puts everything into the compute stream; the window is empty then. */
  void launch(HostMemory raw, StageTimes times) {
    if (!nodes.isEmpty()) {
      contract(nodes);
      times.end(Stage.NODES);
    }
    for (Level level : levels.subList(0, used)) {
      for (Copying copy : level.copies) {
        device.sumSpins(
            memory.apply(copy.from()),
            memory.apply(copy.to()),
            copy.mapping(),
            n,
            device.computeStream());
      }
      if (!level.products.isEmpty()) {
        contract(level.products);
      }
    }
    if (used > 0) {
      times.end(Stage.PRODUCTS);
    }
    if (!traces.isEmpty()) {
      trace(raw);
      times.end(Stage.TRACES);
    }
    clear();
  }

  private void contract(List<Contraction> contractions) {
    batch.clear();
    for (Contraction contraction : contractions) {
      add(
          contraction,
          memory.apply(contraction.left()),
          memory.apply(contraction.right()),
          memory.apply(contraction.destination()),
          batch);
    }
    device.contract(batch, device.computeStream());
  }

  private void trace(HostMemory raw) {
    traceBlocks.clear();
    for (TraceTile tile : traces) {
      traceBlocks.add(
          new TraceBlock(
              memories(tile.lefts(), lefts),
              memories(tile.rights(), rights),
              tile.mapping(),
              tile.extent(),
              tile.rawIndex()));
    }
    device.trace(traceBlocks, raw, device.computeStream());
  }

  private List<DeviceMemory> memories(List<Integer> elements, List<DeviceMemory> found) {
    found.clear();
    for (int element : elements) {
      found.add(memory.apply(element));
    }
    return found;
  }

  /** Drops what it holds. */
  private void clear() {
    nodes.clear();
    for (Level level : levels.subList(0, used)) {
      level.products.clear();
      level.copies.clear();
      level.lastDestination = -1;
    }
    traces.clear();
    used = 0;
    flops = 0;
    window++;
  }

  /** Adds a contraction to a batch. */
  static void add(
      Contraction contraction,
      DeviceMemory left,
      DeviceMemory right,
      DeviceMemory destination,
      ContractionBatch batch) {
    batch.add(
        left,
        right,
        destination,
        contraction.mapping(),
        contraction.coefficient().re(),
        contraction.coefficient().im(),
        contraction.adds());
  }
}
