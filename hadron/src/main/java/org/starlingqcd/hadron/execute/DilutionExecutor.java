package org.starlingqcd.hadron.execute;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.QuarkSinks;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.execute.DilutionPlan.Baryon;
import org.starlingqcd.hadron.execute.DilutionPlan.Content;
import org.starlingqcd.hadron.execute.DilutionPlan.Diagram;
import org.starlingqcd.hadron.execute.DilutionPlan.Meson;
import org.starlingqcd.hadron.execute.DilutionPlan.Pairing;
import org.starlingqcd.hadron.execute.DilutionPlan.Product;
import org.starlingqcd.hadron.execute.DilutionPlan.Sum;
import org.starlingqcd.hadron.execute.DilutionPlan.Tensor;

/**
 * Computes correlators with stochastic lines of one configuration in dilution space: the tensors of
 * a {@link DilutionPlan} at given times. The blocks of a tensor for all choices of noises lie one
 * after the other in memory of the device and are computed by one call. Values stay in memory up to
 * a bound, the last used ones; others are computed or read again when they are needed. All numbers
 * are double precision. One thread at a time.
 */
public final class DilutionExecutor implements AutoCloseable {
  private static final int SPINS = SpinMatrix.SPINS;
  private static final SpinMatrix G5 = SpinMatrix.deGrandRossi(Gamma.G5);

  /** Products of numbers in traces that are computed together. */
  private static final int TOGETHER = 1 << 14;

  /**
   * What an end of a line has: of exact lines τ at the quark and the unit matrix at the antiquark.
   */
  private enum End {
    UNIT,
    PERAMBULATOR,
    SINKS,
    SOURCES
  }

  /** What stands at an end of a line: {@code 4N × D} numbers for each of its noises. */
  private record Columns(
      CutLine.Kind kind,
      End end,
      String source,
      List<Integer> noises,
      int time,
      int other,
      boolean conjugated) {}

  /** {@code R† Φ} of all noises of a line that ends at a meson, {@code [noise][4][D][N]}. */
  private record Ending(ElementalRef elemental, int time, Columns columns) {}

  private record Timed(Object what, int sink, int source) {}

  /** Sums over all numbers of two blocks, places as those of {@link #multiply}. */
  private record Trace(int inner, List<long[]> places, Value left, Value right) {}

  /** A value whose legs have another order. */
  private record Ordered(Timed value, List<Integer> order) {}

  /** Complex numbers in memory of the device. */
  private static final class Value {
    final DeviceMemory memory;

    /** How many use it at the moment. */
    int users;

    Value(DeviceMemory memory) {
      this.memory = memory;
    }

    Place place() {
      return Place.of(memory);
    }
  }

  private final Device device;
  private final MatrixOperations calls;
  private final DeviceStream stream;
  private final QuarkSinks sinks;
  private final InputBlocks blocks;
  private final List<String> noises;
  private final int extent;
  private final int n;
  private final long mostBytes;
  private final Map<Object, Value> values = new LinkedHashMap<>(16, 0.75f, true);

  /** Memory of values that were dropped, by its size. */
  private final Map<Long, Deque<DeviceMemory>> spare = new HashMap<>();

  private long bytes;
  private double flops;
  private long nanos;

  /** Nodes, products, traces, blocks read and their bytes. */
  private final long[] count = new long[5];

  // Times of the sink and of the source.
  private int sink;
  private int source;

  /**
   * An executor that has read nothing.
   *
   * @param device with matrix calls, and memory for more than {@code mostBytes}
   * @param noises names by number
   * @param extent T
   * @param eigenvectors N
   * @param mostBytes of values that are kept
   */
  public DilutionExecutor(
      Device device,
      QuarkSinks sinks,
      InputBlocks blocks,
      List<String> noises,
      int extent,
      int eigenvectors,
      long mostBytes) {
    this.device = device;
    calls = device.matrices().orElseThrow(() -> new BackendException("no matrix products"));
    stream = device.computeStream();
    this.sinks = sinks;
    this.blocks = blocks;
    this.noises = List.copyOf(noises);
    this.extent = extent;
    this.n = eigenvectors;
    this.mostBytes = mostBytes;
  }

  @Override
  public void close() {
    values.values().forEach(this::free);
    values.clear();
    freeSpare();
  }

  /** What was computed and read since this was asked the last time. */
  public ExecutionStatistics statistics() {
    QueueWork work = new QueueWork(count[0], count[1], count[2], flops);
    ExecutionStatistics its =
        new ExecutionStatistics(work, count[3], count[4], 0, 0, 0, 0, 0, 0, 0, 1e-9 * nanos);
    Arrays.fill(count, 0);
    flops = 0;
    nanos = 0;
    return its;
  }

  /**
   * Correlators of a source, [K][separation][i][j], interleaved complex; K is 1 where all
   * assignments are one set.
   */
  public double[] correlators(DilutionPlan plan, int sourceTime, List<Integer> separations) {
    int operators = plan.operators();
    List<Sum> sums = new ArrayList<>();
    for (int k = 0; k < operators * operators; k++) {
      sums.add(plan.element(k / operators, k % operators));
    }
    double[] result = new double[2 * plan.sets() * separations.size() * sums.size()];
    source = sourceTime;
    for (int d = 0; d < separations.size(); d++) {
      sink = (sourceTime + separations.get(d)) % extent;
      add(plan, sums, result, d, separations.size());
      drop(value -> value.sink() >= 0 && value.source() >= 0);
    }
    return result;
  }

  /** One-point functions at a time, [K][i], interleaved complex. */
  public double[] onePoint(DilutionPlan plan, int time) {
    List<Sum> sums = IntStream.range(0, plan.operators()).mapToObj(plan::onePoint).toList();
    double[] result = new double[2 * plan.sets() * sums.size()];
    sink = time;
    source = time;
    add(plan, sums, result, 0, 1);
    return result;
  }

  /** Adds sums to row {@code row} of {@code rows} of each set. */
  private void add(DilutionPlan plan, List<Sum> sums, double[] result, int row, int rows) {
    long begin = System.nanoTime();
    Map<Tensor, double[]> numbers = numbers(plan, sums);
    nanos += System.nanoTime() - begin;
    Map<Diagram, double[]> known = new HashMap<>();
    for (int k = 0; k < sums.size(); k++) {
      Sum sum = sums.get(k);
      for (int t = 0; t < sum.diagrams().size(); t++) {
        double[] means =
            known.computeIfAbsent(
                sum.diagrams().get(t), diagram -> means(plan.sets(), diagram, numbers));
        Complex c = sum.coefficients().get(t);
        for (int set = 0; set < plan.sets(); set++) {
          int at = 2 * ((set * rows + row) * sums.size() + k);
          result[at] += c.re() * means[2 * set] - c.im() * means[2 * set + 1];
          result[at + 1] += c.re() * means[2 * set + 1] + c.im() * means[2 * set];
        }
      }
    }
  }

  /** The numbers of all parts of diagrams; the device is waited for once. */
  private Map<Tensor, double[]> numbers(DilutionPlan plan, List<Sum> sums) {
    Map<Tensor, double[]> numbers = new LinkedHashMap<>();
    long size = 0;
    for (Sum sum : sums) {
      for (Diagram diagram : sum.diagrams()) {
        for (Tensor part : diagram.parts()) {
          int its = part.tuples().all.size();
          size += numbers.putIfAbsent(part, new double[2 * its]) == null ? its : 0;
        }
      }
    }
    Value all = allocate(size);
    List<Trace> traces = new ArrayList<>();
    long at = 0;
    for (Tensor part : numbers.keySet()) {
      if (part.content() instanceof Product product) {
        traces.add(trace(plan, part, product, at));
      } else {
        meson(part, (Meson) part.content(), all, at);
      }
      if (bytes > mostBytes) {
        run(traces, all);
      }
      at += part.tuples().all.size();
    }
    run(traces, all);
    double[] values = get(all);
    free(all);
    int from = 0;
    for (double[] its : numbers.values()) {
      System.arraycopy(values, from, its, 0, its.length);
      from += its.length;
    }
    return numbers;
  }

  /** Computes traces, of each some at a time, so that the blocks that they share stay in caches. */
  private void run(List<Trace> traces, Value all) {
    boolean more = true;
    for (int c = 0; more; c++) {
      more = false;
      for (Trace trace : traces) {
        if (c < trace.places().size()) {
          more = true;
          long[] places = trace.places().get(c);
          sum(trace.inner(), places, trace.left(), trace.right(), all);
        }
      }
    }
    for (Trace trace : traces) {
      trace.left().users--;
      trace.right().users--;
    }
    traces.clear();
  }

  /** The mean over the assignments of each set. */
  private static double[] means(int sets, Diagram diagram, Map<Tensor, double[]> all) {
    int parts = diagram.parts().size();
    double[][] numbers = new double[parts][];
    for (int p = 0; p < parts; p++) {
      numbers[p] = Objects.requireNonNull(all.get(diagram.parts().get(p)));
    }
    int assignments = diagram.places()[0].length / sets;
    double[] means = new double[2 * sets];
    for (int a = 0; a < sets * assignments; a++) {
      double re = 1.0 / assignments;
      double im = 0;
      for (int p = 0; p < parts; p++) {
        int at = 2 * diagram.places()[p][a];
        double x = numbers[p][at];
        double y = numbers[p][at + 1];
        double product = re * x - im * y;
        im = re * y + im * x;
        re = product;
      }
      means[2 * (a / assignments)] += re;
      means[2 * (a / assignments) + 1] += im;
    }
    return means;
  }

  private int time(TimeSlot slot) {
    return slot == TimeSlot.SINK ? sink : source;
  }

  // Values that are kept.

  /** A value that is there or made now; who asks has it in use until he says otherwise. */
  private Value kept(Object key, long size, Consumer<Value> made) {
    Value value = values.get(key);
    if (value == null) {
      value = allocate(size);
      value.users++;
      values.put(key, value);
      made.accept(value);
      value.users--;
    }
    value.users++;
    return value;
  }

  /** Takes memory that was given back, or new memory, for which old values make room. */
  private Value allocate(long size) {
    long its = NumberKind.COMPLEX.bytes() * size;
    Deque<DeviceMemory> same = spare.get(its);
    if (same != null && !same.isEmpty()) {
      return new Value(same.pop());
    }
    Iterator<Value> oldest = values.values().iterator();
    while (bytes + its > mostBytes) {
      freeSpare();
      if (!oldest.hasNext()) {
        break;
      }
      Value value = oldest.next();
      if (value.users == 0) {
        oldest.remove();
        free(value);
      }
    }
    bytes += its;
    return new Value(device.allocate(its));
  }

  private void freeSpare() {
    for (Deque<DeviceMemory> some : spare.values()) {
      for (DeviceMemory memory : some) {
        bytes -= memory.bytes();
        device.free(memory);
      }
    }
    spare.clear();
  }

  private void free(Value value) {
    spare.computeIfAbsent(value.memory.bytes(), key -> new ArrayDeque<>()).push(value.memory);
  }

  private void drop(Predicate<Timed> dropped) {
    Iterator<Map.Entry<Object, Value>> each = values.entrySet().iterator();
    while (each.hasNext()) {
      var entry = each.next();
      Object key = entry.getKey() instanceof Ordered ordered ? ordered.value() : entry.getKey();
      if (key instanceof Timed timed && dropped.test(timed)) {
        each.remove();
        free(entry.getValue());
      }
    }
  }

  /** Copies numbers to a value, from a complex number on. */
  private void put(Value value, long at, double[] numbers) {
    long size = (long) Double.BYTES * numbers.length;
    try (HostMemory host = HostMemory.allocate(size)) {
      host.put(0, numbers, 0, numbers.length);
      calls.toDevice(host, 0, place(value, at), size, stream);
      device.synchronize(stream);
    }
  }

  private double[] get(Value value) {
    double[] numbers = new double[Math.toIntExact(value.memory.bytes() / Double.BYTES)];
    try (HostMemory host = HostMemory.allocate(value.memory.bytes())) {
      calls.toHost(value.place(), host, 0, value.memory.bytes(), stream);
      device.synchronize(stream);
      host.get(0, numbers, 0, numbers.length);
    }
    return numbers;
  }

  private static Place place(Value value, long number) {
    return value.place().plus(NumberKind.COMPLEX.bytes() * number);
  }

  /** The blocks of a tensor by number of its tuple. */
  private Value value(DilutionPlan plan, Tensor tensor) {
    return kept(
        timed(tensor),
        tensor.tuples().all.size() * tensor.blockSize(),
        value -> {
          Content content = tensor.content();
          if (content instanceof Meson meson) {
            meson(tensor, meson, value, 0);
          } else if (content instanceof Baryon baryon) {
            baryon(tensor, baryon, value);
          } else {
            product(plan, tensor, (Product) content, false, value);
          }
        });
  }

  private Timed timed(Tensor tensor) {
    return new Timed(tensor, tensor.atSink() ? sink : -1, tensor.atSource() ? source : -1);
  }

  // Ends of lines.

  /** The numbers of all noises of a line at one of its ends, {@code [noise][4 · N][D]}. */
  private Value columns(CutLine line, boolean atQuark, boolean conjugated) {
    Columns key = key(line, atQuark, conjugated);
    long one = (long) SPINS * n * line.size();
    return kept(
        key,
        one * key.noises().size(),
        value -> {
          for (int k = 0; k < key.noises().size(); k++) {
            double[] numbers = read(key, key.noises().get(k), time(line.noiseEnd()));
            if (conjugated) {
              for (int i = 1; i < numbers.length; i += 2) {
                numbers[i] = -numbers[i];
              }
            }
            put(value, k * one, numbers);
          }
        });
  }

  private Columns key(CutLine line, boolean atQuark, boolean conjugated) {
    int quark = time(line.quark());
    int antiquark = time(line.antiquark());
    List<Integer> choices = line.choices();
    if (!line.isStochastic()) {
      return atQuark
          ? new Columns(
              line.kind(), End.PERAMBULATOR, line.source(), choices, quark, antiquark, conjugated)
          : new Columns(CutLine.Kind.EXACT, End.UNIT, "", choices, 0, 0, false);
    }
    boolean sinksHere = line.kind() == CutLine.Kind.FORWARD == atQuark;
    int noiseTime = time(line.noiseEnd());
    return new Columns(
        line.kind(),
        sinksHere ? End.SINKS : End.SOURCES,
        line.source(),
        choices,
        atQuark ? quark : antiquark,
        sinksHere ? sinks.scheme(line.source()).times().get(noiseTime) : -1,
        conjugated);
  }

  /**
   * By spin, the first column of a line's end at the antiquark that is not zero and how many there
   * are; those of two spins are the same or apart.
   */
  private int[][] filled(CutLine line) {
    int[][] filled = new int[SPINS][];
    SpinMatrix rotation = blocks.gammaBasis().rotation();
    for (int spin = 0; spin < SPINS; spin++) {
      filled[spin] = new int[] {spin * n, n};
      if (line.isStochastic()) {
        DilutionScheme scheme = sinks.scheme(line.source());
        List<Integer> stored = new ArrayList<>();
        for (int k = 0; k < SPINS; k++) {
          if (rotation.re(k, spin) != 0 || rotation.im(k, spin) != 0) {
            stored.add(k);
          }
        }
        if (line.kind() == CutLine.Kind.REVERSED || stored.size() > 1) {
          Arrays.fill(filled, new int[] {0, line.size()});
          return filled;
        }
        int classes = scheme.vectorClasses();
        filled[spin] = new int[] {scheme.spins().get(stored.get(0)) * classes, classes};
      }
    }
    return filled;
  }

  private double[] read(Columns key, int noise, int noiseTime) {
    if (key.end() == End.UNIT) {
      return unit(SPINS * n);
    }
    if (key.end() == End.PERAMBULATOR) {
      return key.kind() == CutLine.Kind.EXACT
          ? perambulator(key.source(), key.time(), key.other())
          : reversed(perambulator(key.source(), key.other(), key.time()));
    }
    String name = noises.get(noise);
    double[] numbers =
        key.end() == End.SINKS
            ? sinks.sinks(key.source(), name, key.time(), noiseTime)
            : sinks.sources(key.source(), name, key.time());
    noteRead(key.end() == End.SINKS ? (long) Double.BYTES * numbers.length : 0);
    if (key.kind() == CutLine.Kind.REVERSED) {
      int ofSpin = numbers.length / SPINS;
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] *= sign5(k / ofSpin);
      }
    }
    return numbers;
  }

  private void noteRead(long its) {
    count[3] += its > 0 ? 1 : 0;
    count[4] += its;
  }

  private static double[] unit(int rows) {
    double[] unit = new double[2 * rows * rows];
    for (int k = 0; k < rows; k++) {
      unit[2 * k * (rows + 1)] = 1;
    }
    return unit;
  }

  private static double sign5(int spin) {
    return G5.re(spin, spin);
  }

  /** γ5 τ† γ5. */
  private double[] reversed(double[] tau) {
    int rows = SPINS * n;
    double[] result = new double[tau.length];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < rows; j++) {
        double sign = sign5(i / n) * sign5(j / n);
        result[2 * (i * rows + j)] = sign * tau[2 * (j * rows + i)];
        result[2 * (i * rows + j) + 1] = -sign * tau[2 * (j * rows + i) + 1];
      }
    }
    return result;
  }

  /** τ(t, t') as a matrix, [4 · N][4 · N]. */
  private double[] perambulator(String label, int sinkTime, int sourceTime) {
    double[] stored = input(new Input.Perambulator(label, sinkTime, sourceTime));
    double[] matrix = new double[stored.length];
    for (int spins = 0; spins < SPINS * SPINS; spins++) {
      for (int i = 0; i < n; i++) {
        int to = ((spins / SPINS * n + i) * SPINS + spins % SPINS) * n;
        System.arraycopy(stored, 2 * (spins * n + i) * n, matrix, 2 * to, 2 * n);
      }
    }
    return matrix;
  }

  private double[] input(Input input) {
    long size = input.bytes(n);
    double[] numbers = new double[Math.toIntExact(size / Double.BYTES)];
    try (HostMemory memory = HostMemory.allocate(size)) {
      blocks.load(input, memory, 0);
      noteRead(size);
      if (blocks.precision() == Precision.DOUBLE) {
        memory.get(0, numbers, 0, numbers.length);
      } else {
        FloatBuffer floats =
            memory
                .bytes(0, numbers.length * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        for (int k = 0; k < numbers.length; k++) {
          numbers[k] = floats.get(k);
        }
      }
    }
    return numbers;
  }

  private Value elemental(Input input) {
    return kept(input, input.bytes(n) / NumberKind.COMPLEX.bytes(), v -> put(v, 0, input(input)));
  }

  // Nodes.

  /** Products of one shape at places of three operands, whose sum is {@code alpha · AB (+ C)}. */
  private void multiply(ProductShape shape, long[] places, Value a, Value b, Value c) {
    if (places.length == 3) {
      // One large product is cut into tiles.
      calls.multiply(shape, place(a, places[0]), place(b, places[1]), place(c, places[2]), stream);
    } else {
      calls.multiplyEach(shape, places, a.place(), b.place(), c.place(), stream);
    }
    int some = places.length / 3;
    flops += (double) shape.flops() * some;
  }

  private static ProductShape shape(Form a, Form b, int m, int n, int k) {
    return ProductShape.dense(NumberKind.COMPLEX, a, b, m, n, k);
  }

  /** {@code R† Φ} of all noises of a line, only where R has numbers. */
  private Value ending(Meson meson, CutLine line) {
    int at = time(meson.time());
    int size = line.size();
    int count = line.choices().size();
    return kept(
        new Ending(meson.elemental(), at, key(line, false, false)),
        (long) count * SPINS * size * n,
        value -> {
          Value phi = elemental(new Input.Elemental(meson.elemental(), at));
          Value r = columns(line, false, false);
          int[][] filled = filled(line);
          for (int spin = 0; spin < SPINS; spin++) {
            long[] places = new long[3 * count];
            for (int k = 0; k < count; k++) {
              places[3 * k] = ((long) k * SPINS + spin) * n * size + filled[spin][0];
              places[3 * k + 2] = (((long) k * SPINS + spin) * size + filled[spin][0]) * n;
            }
            ProductShape dense = shape(Form.ADJOINT, Form.PLAIN, filled[spin][1], n, n);
            multiply(dense.fromRowsOf(size), places, r, phi, value);
          }
          phi.users--;
          r.users--;
        });
  }

  /** {@code R† Γ Φ L}; of a line that is both, its trace. */
  private void meson(Tensor tensor, Meson meson, Value value, long at) {
    CutLine line = tensor.lines().get(0);
    CutLine beginning = tensor.lines().get(tensor.lines().size() - 1);
    List<int[]> tuples = tensor.tuples().all;
    int rows = line.size();
    int size = beginning.size();
    Value left = ending(meson, line);
    Value right = columns(beginning, true, false);
    boolean isNumber = tensor.open().isEmpty();
    Value nodes = isNumber ? allocate((long) tuples.size() * rows * size) : value;
    SpinMatrix gamma = SpinMatrix.deGrandRossi(new Gamma(meson.gamma(), 1));
    int[][] filled = filled(line);
    Set<Integer> begun = new HashSet<>();
    for (int a = 0; a < SPINS; a++) {
      int first = filled[a][0];
      for (int b = 0; b < SPINS; b++) {
        Scalar factor = new Scalar(gamma.re(a, b), gamma.im(a, b));
        if (!factor.isZero()) {
          long[] places = new long[3 * tuples.size()];
          for (int k = 0; k < tuples.size(); k++) {
            int[] tuple = tuples.get(k);
            long r = line.choices().indexOf(tuple[0]);
            long s = beginning.choices().indexOf(tuple[tuple.length - 1]);
            places[3 * k] = ((r * SPINS + a) * rows + first) * n;
            places[3 * k + 1] = (s * SPINS + b) * n * size;
            places[3 * k + 2] = ((long) k * rows + first) * size;
          }
          Scalar old = begun.add(first) ? Scalar.ZERO : Scalar.ONE;
          ProductShape shape = shape(Form.PLAIN, Form.PLAIN, filled[a][1], size, n);
          multiply(shape.scaled(factor, old), places, left, right, nodes);
        }
      }
    }
    count[0] += tuples.size();
    if (isNumber) {
      Value one = unitMatrix(rows);
      long[] places = new long[3 * tuples.size()];
      for (int k = 0; k < tuples.size(); k++) {
        places[3 * k] = (long) k * rows * size;
        places[3 * k + 2] = at + k;
      }
      sum(rows * size, places, nodes, one, value);
      one.users--;
      free(nodes);
    }
    left.users--;
    right.users--;
  }

  /** {@code T[d1,d2,d3] = Σ S[α,β,γ] B[i,j,k] V1[αi,d1] V2[βj,d2] V3[γk,d3]}. */
  private void baryon(Tensor tensor, Baryon baryon, Value value) {
    boolean atSource = baryon.time() == TimeSlot.SOURCE;
    Complex[] spins =
        BaryonSpin.structure(SpinStructure.of(baryon.vertex()), blocks.gammaBasis(), atSource);
    Value elemental =
        elemental(
            new Input.BaryonElemental(
                baryon.vertex().displacement(),
                baryon.vertex().momentum(),
                time(baryon.time()),
                atSource,
                BaryonPart.Legs.NATURAL));
    List<CutLine> lines = tensor.lines();
    List<Value> legs = lines.stream().map(line -> columns(line, !atSource, atSource)).toList();
    int[] sizes = lines.stream().mapToInt(CutLine::size).toArray();
    int block = sizes[1] * sizes[2];
    List<int[]> tuples = tensor.tuples().all;
    // By the noises of the third and the second leg.
    Map<Integer, Map<Integer, List<Integer>>> order = new TreeMap<>();
    for (int k = 0; k < tuples.size(); k++) {
      order
          .computeIfAbsent(tuples.get(k)[2], key -> new TreeMap<>())
          .computeIfAbsent(tuples.get(k)[1], key -> new ArrayList<>())
          .add(k);
    }
    Value closed = allocate((long) SPINS * n * n * sizes[2]);
    Value open = allocate((long) SPINS * n * block);
    order.forEach(
        (third, bySecond) -> {
          for (int gamma = 0; gamma < SPINS; gamma++) {
            ProductShape shape = shape(Form.PLAIN, Form.PLAIN, n * n, sizes[2], n);
            long[] places = {0, leg(lines.get(2), third, gamma), (long) gamma * n * n * sizes[2]};
            multiply(shape, places, elemental, legs.get(2), closed);
          }
          bySecond.forEach(
              (second, its) -> {
                Set<Integer> used = new LinkedHashSet<>();
                for (int entry = 0; entry < spins.length; entry++) {
                  if (spins[entry].abs() > 0) {
                    int alpha = entry / 16;
                    long[] places = new long[3 * n];
                    for (int i = 0; i < n; i++) {
                      places[3 * i] = leg(lines.get(1), second, entry / 4 % 4);
                      places[3 * i + 1] = ((long) (entry % 4) * n + i) * n * sizes[2];
                      places[3 * i + 2] = ((long) alpha * n + i) * block;
                    }
                    Scalar factor = new Scalar(spins[entry].re(), spins[entry].im());
                    multiply(
                        shape(Form.TRANSPOSED, Form.PLAIN, sizes[1], sizes[2], n)
                            .scaled(factor, used.add(alpha) ? Scalar.ZERO : Scalar.ONE),
                        places,
                        legs.get(1),
                        closed,
                        open);
                  }
                }
                for (int k : its) {
                  Scalar old = Scalar.ZERO;
                  for (int alpha : used) {
                    long[] places = {
                      leg(lines.get(0), tuples.get(k)[0], alpha),
                      (long) alpha * n * block,
                      (long) k * sizes[0] * block
                    };
                    ProductShape shape = shape(Form.TRANSPOSED, Form.PLAIN, sizes[0], block, n);
                    multiply(shape.scaled(Scalar.ONE, old), places, legs.get(0), open, value);
                    old = Scalar.ONE;
                  }
                }
              });
        });
    count[0] += tuples.size();
    free(closed);
    free(open);
    legs.forEach(leg -> leg.users--);
    elemental.users--;
  }

  /** Where the numbers of a spin of a leg begin. */
  private long leg(CutLine line, int noise, int spin) {
    return ((long) line.choices().indexOf(noise) * SPINS + spin) * n * line.size();
  }

  // Products.

  /** The product, or of two matrices its transpose. */
  private void product(
      DilutionPlan plan, Tensor tensor, Product product, boolean turned, Value value) {
    Tensor left = product.left();
    Tensor right = product.right();
    int inner = inner(product);
    int rows = (int) (left.blockSize() / inner);
    int columns = (int) (right.blockSize() / inner);
    Form formA = form(left, product.leftLegs(), false);
    Form formB = form(right, product.rightLegs(), true);
    Value a = operand(plan, left, product.leftLegs(), false);
    Value b = operand(plan, right, product.rightLegs(), true);
    long[] places = places(plan.pairing(tensor, product), product, tensor.blockSize(), 0);
    if (turned) {
      for (int k = 0; k < places.length; k += 3) {
        long place = places[k];
        places[k] = places[k + 1];
        places[k + 1] = place;
      }
      multiply(shape(turned(formB), turned(formA), columns, rows, inner), places, b, a, value);
    } else {
      multiply(shape(formA, formB, rows, columns, inner), places, a, b, value);
    }
    count[1] += places.length / 3;
    a.users--;
    b.users--;
  }

  private static Form turned(Form form) {
    return form == Form.PLAIN ? Form.TRANSPOSED : Form.PLAIN;
  }

  private static int inner(Product product) {
    int inner = 1;
    for (int leg : product.leftLegs()) {
      inner *= product.left().legSize(leg);
    }
    return inner;
  }

  private static long[] places(Pairing pairing, Product product, long blockSize, long at) {
    int[] order = pairing.order();
    long leftSize = product.left().blockSize();
    long rightSize = product.right().blockSize();
    long[] places = new long[3 * order.length];
    for (int k = 0; k < order.length; k++) {
      places[3 * k] = pairing.lefts()[order[k]] * leftSize;
      places[3 * k + 1] = pairing.rights()[order[k]] * rightSize;
      places[3 * k + 2] = at + order[k] * blockSize;
    }
    return places;
  }

  private Trace trace(DilutionPlan plan, Tensor tensor, Product product, long at) {
    Value a = value(plan, product.left());
    Value b = operand(plan, product.right(), product.rightLegs(), true);
    long[] places = places(plan.pairing(tensor, product), product, 1, at);
    List<long[]> parts = new ArrayList<>();
    int most = 3 * Math.max(1, TOGETHER / inner(product));
    for (int from = 0; from < places.length; from += most) {
      parts.add(Arrays.copyOfRange(places, from, Math.min(from + most, places.length)));
    }
    return new Trace(inner(product), parts, a, b);
  }

  private void sum(int inner, long[] places, Value a, Value b, Value c) {
    multiply(shape(Form.PLAIN, Form.PLAIN, 1, 1, inner), places, a, b, c);
    count[2] += places.length / 3;
  }

  /** The order of legs in which those that are summed stand behind the others or before them. */
  private static List<Integer> order(Tensor tensor, List<Integer> summed, boolean before) {
    List<Integer> order = new ArrayList<>(before ? summed : List.of());
    IntStream.range(0, tensor.open().size()).filter(k -> !summed.contains(k)).forEach(order::add);
    if (!before) {
      order.addAll(summed);
    }
    return order;
  }

  private static boolean stands(List<Integer> order) {
    return order.equals(IntStream.range(0, order.size()).boxed().toList());
  }

  /** How an operand is read: legs at the other side than asked for are a transposed matrix. */
  private static Form form(Tensor tensor, List<Integer> summed, boolean before) {
    return !stands(order(tensor, summed, before)) && stands(order(tensor, summed, !before))
        ? Form.TRANSPOSED
        : Form.PLAIN;
  }

  /** The value of a tensor, its legs in another order where it cannot be read as it stands. */
  private Value operand(DilutionPlan plan, Tensor tensor, List<Integer> summed, boolean before) {
    List<Integer> order = order(tensor, summed, before);
    if (stands(order) || form(tensor, summed, before) == Form.TRANSPOSED) {
      return value(plan, tensor);
    }
    return kept(
        new Ordered(timed(tensor), order),
        tensor.tuples().all.size() * tensor.blockSize(),
        to -> {
          if (order.size() == 2 && tensor.content() instanceof Product product) {
            product(plan, tensor, product, true, to);
          } else {
            Value value = value(plan, tensor);
            if (order.size() == 2) {
              transpose(tensor, value, to);
            } else {
              put(to, 0, reordered(tensor, order, get(value)));
            }
            value.users--;
          }
        });
  }

  /** Transposes all blocks by one call, of products with a unit matrix. */
  private void transpose(Tensor tensor, Value from, Value to) {
    int rows = tensor.legSize(0);
    Value one = unitMatrix(rows);
    long[] places = new long[3 * tensor.tuples().all.size()];
    for (int k = 0; k < places.length; k += 3) {
      places[k] = k / 3 * tensor.blockSize();
      places[k + 2] = places[k];
    }
    ProductShape shape = shape(Form.TRANSPOSED, Form.PLAIN, tensor.legSize(1), rows, rows);
    calls.multiplyEach(shape, places, from.place(), one.place(), to.place(), stream);
    one.users--;
  }

  private Value unitMatrix(int rows) {
    return kept(rows, (long) rows * rows, value -> put(value, 0, unit(rows)));
  }

  private static double[] reordered(Tensor tensor, List<Integer> order, double[] numbers) {
    int legs = order.size();
    int[] steps = new int[legs];
    int size = 1;
    for (int k = legs - 1; k >= 0; k--) {
      steps[k] = size;
      size *= tensor.legSize(k);
    }
    int[] from = new int[size];
    for (int at = 0; at < size; at++) {
      int left = at;
      for (int k = legs - 1; k >= 0; k--) {
        from[at] += left % tensor.legSize(order.get(k)) * steps[order.get(k)];
        left /= tensor.legSize(order.get(k));
      }
    }
    double[] result = new double[numbers.length];
    for (int k = 0; k < numbers.length / 2; k++) {
      int its = k / size * size + from[k % size];
      result[2 * k] = numbers[2 * its];
      result[2 * k + 1] = numbers[2 * its + 1];
    }
    return result;
  }
}
