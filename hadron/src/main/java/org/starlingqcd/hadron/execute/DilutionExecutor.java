package org.starlingqcd.hadron.execute;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.schedule.Input;
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
import org.starlingqcd.hadron.execute.DilutionProducts.Factor;
import org.starlingqcd.hadron.execute.DilutionProducts.Group;

/**
 * Computes correlators with stochastic lines of one configuration in dilution space: the tensors of
 * a {@link DilutionPlan} at given times, products on a device, everything else on the host. Values
 * stay in memory up to a bound, the last used ones; others are computed or read again when they are
 * needed. All numbers are double precision. One thread at a time.
 */
public final class DilutionExecutor implements AutoCloseable {
  private static final int SPINS = SpinMatrix.SPINS;

  /**
   * What an end of a line has: of exact lines τ at the quark and the unit matrix at the antiquark.
   */
  private enum End {
    UNIT,
    PERAMBULATOR,
    SINKS,
    SOURCES
  }

  /** What stands at an end of a line: {@code 4N × D} numbers. */
  private record Columns(
      CutLine.Kind kind, End end, String source, int noise, int time, int other) {}

  private record Shifted(
      ElementalRef elemental, int time, Columns columns, List<Integer> choices) {}

  private record Timed(Object what, int sink, int source) {}

  private final QuarkSinks sinks;
  private final InputBlocks blocks;
  private final List<String> noises;
  private final int extent;
  private final int n;
  private final long mostBytes;
  private final DilutionProducts products;
  private final LinkedHashMap<Object, double[][]> values = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  // Times of the sink and of the source.
  private int sink;
  private int source;

  /**
   * An executor that has read nothing.
   *
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
    this.products = new DilutionProducts(device);
    this.sinks = sinks;
    this.blocks = blocks;
    this.noises = List.copyOf(noises);
    this.extent = extent;
    this.n = eigenvectors;
    this.mostBytes = mostBytes;
  }

  @Override
  public void close() {
    products.close();
  }

  /** Real multiplications and additions of matrix products so far. */
  public double flops() {
    return products.flops();
  }

  /**
   * Correlators of a source, [K][separation][i][j], interleaved complex; K is 1 where all
   * assignments are one set.
   */
  public double[] correlators(DilutionPlan plan, int sourceTime, List<Integer> separations) {
    int operators = plan.operators();
    int sets = plan.sets();
    double[] result = new double[2 * sets * separations.size() * operators * operators];
    source = sourceTime;
    for (int d = 0; d < separations.size(); d++) {
      sink = (sourceTime + separations.get(d)) % extent;
      Map<Diagram, double[]> known = new HashMap<>();
      for (int k = 0; k < operators * operators; k++) {
        Sum sum = plan.element(k / operators, k % operators);
        for (int s = 0; s < sets; s++) {
          int at = 2 * ((s * separations.size() + d) * operators * operators + k);
          add(plan, sum, s, known, result, at);
        }
      }
      dropPairs();
    }
    return result;
  }

  /** One-point functions at a time, [K][i], interleaved complex. */
  public double[] onePoint(DilutionPlan plan, int time) {
    int operators = plan.operators();
    double[] result = new double[2 * plan.sets() * operators];
    sink = time;
    source = time;
    Map<Diagram, double[]> known = new HashMap<>();
    for (int i = 0; i < operators; i++) {
      for (int s = 0; s < plan.sets(); s++) {
        add(plan, plan.onePoint(i), s, known, result, 2 * (s * operators + i));
      }
    }
    return result;
  }

  private void add(
      DilutionPlan plan, Sum sum, int set, Map<Diagram, double[]> known, double[] result, int at) {
    for (int k = 0; k < sum.diagrams().size(); k++) {
      Diagram diagram = sum.diagrams().get(k);
      double[] means = known.get(diagram);
      if (means == null) {
        means = means(plan, diagram);
        known.put(diagram, means);
      }
      Complex c = sum.coefficients().get(k);
      result[at] += c.re() * means[2 * set] - c.im() * means[2 * set + 1];
      result[at + 1] += c.re() * means[2 * set + 1] + c.im() * means[2 * set];
    }
  }

  /** The mean over the assignments of each set. */
  private double[] means(DilutionPlan plan, Diagram diagram) {
    int sets = plan.sets();
    int parts = diagram.parts().size();
    double[][] numbers = new double[parts][];
    for (int p = 0; p < parts; p++) {
      numbers[p] = value(plan, diagram.parts().get(p))[0];
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

  private interface Made {
    double[][] make();
  }

  private double[][] kept(Object key, Made made) {
    double[][] known = values.get(key);
    return known != null ? known : keep(key, made.make());
  }

  private double[][] keep(Object key, double[][] value) {
    values.put(key, value);
    bytes += size(value);
    var oldest = values.entrySet().iterator();
    while (bytes > mostBytes && oldest.hasNext()) {
      var entry = oldest.next();
      if (!entry.getKey().equals(key)) {
        bytes -= size(entry.getValue());
        oldest.remove();
      }
    }
    return value;
  }

  private static long size(double[][] value) {
    long size = 0;
    for (double[] block : value) {
      size += (long) Double.BYTES * block.length;
    }
    return size;
  }

  /** Drops what depends on both times, which do not come again. */
  private void dropPairs() {
    values
        .entrySet()
        .removeIf(
            entry -> {
              boolean drops =
                  entry.getKey() instanceof Timed timed && timed.sink() >= 0 && timed.source() >= 0;
              bytes -= drops ? size(entry.getValue()) : 0;
              return drops;
            });
  }

  /** The blocks of a tensor by number of its tuple; of numbers one array. */
  private double[][] value(DilutionPlan plan, Tensor tensor) {
    Timed key = new Timed(tensor, tensor.atSink() ? sink : -1, tensor.atSource() ? source : -1);
    double[][] known = values.get(key);
    if (known == null) {
      Content content = tensor.content();
      double[][] value =
          tensor.open().isEmpty()
              ? new double[1][2 * tensor.tuples().all.size()]
              : new double[tensor.tuples().all.size()][];
      if (content instanceof Meson meson) {
        meson(tensor, meson, value);
      } else if (content instanceof Baryon baryon) {
        baryon(tensor, baryon, value);
      } else {
        product(plan, tensor, (Product) content, value);
      }
      known = keep(key, value);
    }
    return known;
  }

  // Ends of lines.

  private Columns columns(CutLine line, boolean atQuark, int noise) {
    int quark = time(line.quark());
    int antiquark = time(line.antiquark());
    int here = atQuark ? quark : antiquark;
    boolean sinksHere = line.kind() == CutLine.Kind.FORWARD == atQuark;
    if (!line.isStochastic()) {
      return atQuark
          ? new Columns(line.kind(), End.PERAMBULATOR, line.source(), noise, quark, antiquark)
          : new Columns(CutLine.Kind.EXACT, End.UNIT, "", noise, 0, 0);
    }
    End end = sinksHere ? End.SINKS : End.SOURCES;
    int noiseTime = time(line.noiseEnd());
    int timeClass = sinksHere ? sinks.scheme(line.source()).times().get(noiseTime) : -1;
    return new Columns(line.kind(), end, line.source(), noise, here, timeClass);
  }

  /** [4 · N][D]. */
  private double[] numbers(CutLine line, boolean atQuark, int noise) {
    Columns key = columns(line, atQuark, noise);
    return kept(key, () -> new double[][] {read(key, time(line.noiseEnd()))})[0];
  }

  private double[] read(Columns key, int noiseTime) {
    if (key.end() == End.UNIT) {
      double[] unit = new double[2 * SPINS * n * SPINS * n];
      for (int k = 0; k < SPINS * n; k++) {
        unit[2 * k * (SPINS * n + 1)] = 1;
      }
      return unit;
    }
    if (key.end() == End.PERAMBULATOR) {
      return key.kind() == CutLine.Kind.EXACT
          ? perambulator(key.source(), key.time(), key.other())
          : reversed(perambulator(key.source(), key.other(), key.time()));
    }
    String name = noises.get(key.noise());
    double[] numbers =
        key.end() == End.SINKS
            ? sinks.sinks(key.source(), name, key.time(), noiseTime)
            : sinks.sources(key.source(), name, key.time());
    if (key.kind() == CutLine.Kind.REVERSED) {
      signs(numbers, numbers.length / SPINS);
    }
    return numbers;
  }

  private static double sign5(int spin) {
    return SpinMatrix.deGrandRossi(Gamma.G5).re(spin, spin);
  }

  /** Multiplies by γ5 from the left. */
  private static void signs(double[] numbers, int ofSpin) {
    for (int spin = 0; spin < SPINS; spin++) {
      if (sign5(spin) < 0) {
        for (int k = spin * ofSpin; k < (spin + 1) * ofSpin; k++) {
          numbers[k] = -numbers[k];
        }
      }
    }
  }

  /** γ5 τ† γ5. */
  private double[] reversed(double[] tau) {
    double[] result = adjoint(tau, SPINS * n);
    for (int row = 0; row < SPINS * n; row++) {
      for (int column = 0; column < SPINS * n; column++) {
        if (sign5(row / n) * sign5(column / n) < 0) {
          int k = 2 * (row * SPINS * n + column);
          result[k] = -result[k];
          result[k + 1] = -result[k + 1];
        }
      }
    }
    return result;
  }

  /** The adjoint of a matrix with so many columns. */
  private static double[] adjoint(double[] matrix, int columns) {
    return conjugated(transposed(matrix, columns, 0, matrix.length / 2 / columns));
  }

  /** Conjugates numbers in their place, and returns them. */
  private static double[] conjugated(double[] numbers) {
    for (int k = 1; k < numbers.length; k += 2) {
      numbers[k] = -numbers[k];
    }
    return numbers;
  }

  /** Adds a multiple of complex numbers to others. */
  private static void addMultiple(
      double re, double im, double[] numbers, int from, double[] sum, int to, int count) {
    for (int k = 0; k < 2 * count; k += 2) {
      sum[to + k] += re * numbers[from + k] - im * numbers[from + k + 1];
      sum[to + k + 1] += re * numbers[from + k + 1] + im * numbers[from + k];
    }
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

  /** Φ L_b of all noises of a line, [4][N][D] each. */
  private double[][] shifted(Meson meson, CutLine line) {
    int at = time(meson.time());
    List<Integer> choices = line.choices();
    return kept(
        new Shifted(meson.elemental(), at, columns(line, true, choices.get(0)), choices),
        () -> {
          double[] phi =
              kept(
                  new Input.Elemental(meson.elemental(), at),
                  () -> new double[][] {input(new Input.Elemental(meson.elemental(), at))})[0];
          int slice = 2 * n * line.size();
          List<Factor> rights = new ArrayList<>();
          double[][] result = new double[choices.size()][SPINS * slice];
          for (int noise : choices) {
            double[] its = numbers(line, true, noise);
            for (int spin = 0; spin < SPINS; spin++) {
              rights.add(new Factor(its, spin * slice, null));
            }
          }
          products.multiply(
              n,
              line.size(),
              n,
              List.of(new Group(0, List.of(new Factor(phi)), rights)),
              (group, left, right, numbers, offset, stride) ->
                  copy(
                      numbers,
                      offset,
                      stride,
                      result[right / SPINS],
                      right % SPINS * slice,
                      slice / 2));
          return result;
        });
  }

  private static void copy(double[] from, int offset, int stride, double[] to, int at, int count) {
    if (stride == 1) {
      System.arraycopy(from, 2 * offset, to, at, 2 * count);
      return;
    }
    for (int k = 0; k < count; k++) {
      to[at + 2 * k] = from[2 * (offset + k * stride)];
      to[at + 2 * k + 1] = from[2 * (offset + k * stride) + 1];
    }
  }

  // Nodes.

  private void meson(Tensor tensor, Meson meson, double[][] value) {
    CutLine ending = tensor.lines().get(0);
    CutLine beginning = tensor.lines().get(tensor.lines().size() - 1);
    double[][] shifted = shifted(meson, beginning);
    int d = beginning.size();
    SpinMatrix gamma = SpinMatrix.deGrandRossi(new Gamma(meson.gamma(), 1));
    List<Integer> choices = beginning.choices();
    // Γ Φ L, [4 · N][D].
    double[][] whole = new double[shifted.length][];
    for (int k = 0; k < whole.length; k++) {
      whole[k] = times(gamma, shifted[k], n * d);
    }
    boolean sparse = ending.kind() != CutLine.Kind.REVERSED;
    List<int[]> tuples = tensor.tuples().all;
    if (tensor.open().isEmpty()) {
      for (int k = 0; k < tuples.size(); k++) {
        int noise = tuples.get(k)[0];
        trace(numbers(ending, false, noise), whole[choices.indexOf(noise)], value[0], 2 * k);
      }
    } else if (sparse) {
      Map<Integer, double[]> rows = new HashMap<>();
      tuples.forEach(
          tuple -> rows.computeIfAbsent(tuple[0], noise -> numbers(ending, false, noise)));
      IntStream.range(0, tuples.size())
          .parallel()
          .forEach(
              k -> {
                int[] tuple = tuples.get(k);
                double[] right = whole[choices.indexOf(tuple[1])];
                value[k] = sparseProduct(Objects.requireNonNull(rows.get(tuple[0])), right, d);
              });
    } else {
      List<Integer> others = ending.choices();
      List<Factor> lefts = new ArrayList<>();
      for (int noise : others) {
        lefts.add(new Factor(adjoint(numbers(ending, false, noise), ending.size())));
      }
      List<Factor> rights = Arrays.stream(whole).map(Factor::new).toList();
      products.multiply(
          ending.size(),
          d,
          SPINS * n,
          List.of(new Group(0, lefts, rights)),
          (group, left, right, numbers, offset, stride) -> {
            int k = tensor.tuples().number(new int[] {others.get(left), choices.get(right)});
            if (k >= 0) {
              value[k] = new double[2 * ending.size() * d];
              copy(numbers, offset, stride, value[k], 0, ending.size() * d);
            }
          });
    }
  }

  /** Γ times [4][length]. */
  private static double[] times(SpinMatrix gamma, double[] numbers, int length) {
    double[] result = new double[numbers.length];
    for (int a = 0; a < SPINS; a++) {
      for (int b = 0; b < SPINS; b++) {
        double re = gamma.re(a, b);
        double im = gamma.im(a, b);
        if (re != 0 || im != 0) {
          addMultiple(re, im, numbers, 2 * b * length, result, 2 * a * length, length);
        }
      }
    }
    return result;
  }

  /** R† Y, where most numbers of R are zero: R has D' columns, Y has D. */
  private double[] sparseProduct(double[] r, double[] y, int d) {
    int rows = SPINS * n;
    int columns = r.length / 2 / rows;
    double[] result = new double[2 * columns * d];
    for (int row = 0; row < rows; row++) {
      for (int c = 0; c < columns; c++) {
        double re = r[2 * (row * columns + c)];
        double im = -r[2 * (row * columns + c) + 1];
        if (re != 0 || im != 0) {
          addMultiple(re, im, y, 2 * row * d, result, 2 * c * d, d);
        }
      }
    }
    return result;
  }

  /** Tr R† Y. */
  private static void trace(double[] r, double[] y, double[] result, int at) {
    double re = 0;
    double im = 0;
    for (int k = 0; k < r.length; k += 2) {
      re += r[k] * y[k] + r[k + 1] * y[k + 1];
      im += r[k] * y[k + 1] - r[k + 1] * y[k];
    }
    result[at] = re;
    result[at + 1] = im;
  }

  /** {@code T[d1,d2,d3] = Σ S[α,β,γ] B[i,j,k] V1[αi,d1] V2[βj,d2] V3[γk,d3]}. */
  private void baryon(Tensor tensor, Baryon baryon, double[][] value) {
    boolean atSource = baryon.time() == TimeSlot.SOURCE;
    Complex[] spins =
        BaryonSpin.structure(SpinStructure.of(baryon.vertex()), blocks.gammaBasis(), atSource);
    double[] elemental =
        input(
            new Input.BaryonElemental(
                baryon.vertex().displacement(),
                baryon.vertex().momentum(),
                time(baryon.time()),
                atSource,
                BaryonPart.Legs.NATURAL));
    int[] sizes = tensor.lines().stream().mapToInt(CutLine::size).toArray();
    List<int[]> tuples = tensor.tuples().all;
    // By the noises of the third and the second leg.
    Map<Integer, Map<Integer, List<Integer>>> order = new TreeMap<>();
    for (int k = 0; k < tuples.size(); k++) {
      order
          .computeIfAbsent(tuples.get(k)[2], key -> new TreeMap<>())
          .computeIfAbsent(tuples.get(k)[1], key -> new ArrayList<>())
          .add(k);
    }
    order.forEach(
        (third, bySecond) -> {
          double[][] closed = new double[SPINS][];
          bySecond.forEach(
              (second, its) -> {
                double[] open = new double[2 * SPINS * n * sizes[1] * sizes[2]];
                for (int beta = 0; beta < SPINS; beta++) {
                  for (int gamma = 0; gamma < SPINS; gamma++) {
                    if (usesLegs(spins, beta, gamma)) {
                      if (closed[gamma] == null) {
                        closed[gamma] =
                            closeThird(elemental, leg(tensor, 2, third, atSource), gamma, sizes[2]);
                      }
                      closeSecond(
                          closed[gamma],
                          leg(tensor, 1, second, atSource),
                          spins,
                          beta,
                          gamma,
                          sizes,
                          open);
                    }
                  }
                }
                List<Factor> lefts = new ArrayList<>();
                for (int k : its) {
                  double[] first = leg(tensor, 0, tuples.get(k)[0], atSource);
                  lefts.add(new Factor(transposed(first, sizes[0], 0, SPINS * n)));
                }
                products.multiply(
                    sizes[0],
                    sizes[1] * sizes[2],
                    SPINS * n,
                    List.of(new Group(0, lefts, List.of(new Factor(open)))),
                    (group, left, right, numbers, offset, stride) -> {
                      int size = sizes[0] * sizes[1] * sizes[2];
                      double[] block = new double[2 * size];
                      copy(numbers, offset, stride, block, 0, size);
                      value[its.get(left)] = block;
                    });
              });
        });
  }

  private static boolean usesLegs(Complex[] spins, int beta, int gamma) {
    boolean uses = false;
    for (int alpha = 0; alpha < SPINS; alpha++) {
      uses |= spins[16 * alpha + 4 * beta + gamma].abs() > 0;
    }
    return uses;
  }

  /** What is multiplied to a leg: L, or R* at the source. */
  private double[] leg(Tensor tensor, int leg, int noise, boolean atSource) {
    double[] numbers = numbers(tensor.lines().get(leg), !atSource, noise);
    return atSource ? conjugated(numbers.clone()) : numbers;
  }

  /** Rows from a number on, transposed. */
  private static double[] transposed(double[] matrix, int columns, int first, int rows) {
    double[] result = new double[2 * rows * columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        result[2 * (j * rows + i)] = matrix[2 * ((first + i) * columns + j)];
        result[2 * (j * rows + i) + 1] = matrix[2 * ((first + i) * columns + j) + 1];
      }
    }
    return result;
  }

  /** {@code Σ_k B[i,j,k] V3[γk,d3]}, [N][N][D]. */
  private double[] closeThird(double[] elemental, double[] third, int gamma, int size) {
    double[] result = new double[2 * n * n * size];
    List<Factor> lefts =
        IntStream.range(0, n).mapToObj(i -> new Factor(elemental, 2 * i * n * n, null)).toList();
    products.multiply(
        n,
        size,
        n,
        List.of(new Group(0, lefts, List.of(new Factor(third, 2 * gamma * n * size, null)))),
        (group, left, right, numbers, offset, stride) ->
            copy(numbers, offset, stride, result, 2 * left * n * size, n * size));
    return result;
  }

  /** Adds {@code S[α,β,γ] Σ_j V2[βj,d2] closed[i,j,d3]} to open, [4][N][D2][D3]. */
  private void closeSecond(
      double[] closed,
      double[] second,
      Complex[] spins,
      int beta,
      int gamma,
      int[] sizes,
      double[] open) {
    int block = sizes[1] * sizes[2];
    Factor left = new Factor(transposed(second, sizes[1], beta * n, n));
    List<Factor> rights =
        IntStream.range(0, n)
            .mapToObj(i -> new Factor(closed, 2 * i * n * sizes[2], null))
            .toList();
    products.multiply(
        sizes[1],
        sizes[2],
        n,
        List.of(new Group(0, List.of(left), rights)),
        (group, unused, i, numbers, offset, stride) -> {
          for (int alpha = 0; alpha < SPINS; alpha++) {
            Complex s = spins[16 * alpha + 4 * beta + gamma];
            if (s.abs() > 0) {
              int to = 2 * (alpha * n + i) * block;
              for (int k = 0; k < block; k++) {
                double re = numbers[2 * (offset + k * stride)];
                double im = numbers[2 * (offset + k * stride) + 1];
                open[to + 2 * k] += s.re() * re - s.im() * im;
                open[to + 2 * k + 1] += s.re() * im + s.im() * re;
              }
            }
          }
        });
  }

  // Products.

  private void product(DilutionPlan plan, Tensor tensor, Product product, double[][] value) {
    Tensor left = product.left();
    Tensor right = product.right();
    double[][] lefts = value(plan, left);
    double[][] rights = value(plan, right);
    int inner = 1;
    for (int leg : product.leftLegs()) {
      inner *= left.lines().get(left.open().get(leg)).size();
    }
    int rows = (int) (left.blockSize() / inner);
    int columns = (int) (right.blockSize() / inner);
    int @Nullable [] leftOrder = order(left, product.leftLegs(), false);
    int @Nullable [] rightOrder = order(right, product.rightLegs(), columns > 1);
    Pairing pairing = plan.pairing(tensor, product);
    List<Group> groups = new ArrayList<>();
    for (int g = 0; g < pairing.lefts().size(); g++) {
      groups.add(
          new Group(
              g,
              factors(pairing.lefts().get(g), lefts, leftOrder),
              factors(pairing.rights().get(g), rights, rightOrder)));
    }
    boolean isNumber = tensor.open().isEmpty();
    products.multiply(
        rows,
        columns,
        inner,
        groups,
        (group, l, r, numbers, offset, stride) -> {
          int count = pairing.rights().get(group).length;
          int number = pairing.results().get(group)[l * count + r];
          if (number >= 0 && isNumber) {
            copy(numbers, offset, stride, value[0], 2 * number, 1);
          } else if (number >= 0) {
            value[number] = new double[2 * rows * columns];
            copy(numbers, offset, stride, value[number], 0, rows * columns);
          }
        });
  }

  private static List<Factor> factors(int[] numbers, double[][] blocks, int @Nullable [] order) {
    return Arrays.stream(numbers).mapToObj(k -> new Factor(blocks[k], 0, order)).toList();
  }

  /**
   * The order in which a block is read, with the summed legs behind the others or before them; null
   * where it stands so.
   */
  private static int @Nullable [] order(Tensor tensor, List<Integer> summed, boolean before) {
    int legs = tensor.open().size();
    List<Integer> order = new ArrayList<>(before ? summed : List.of());
    IntStream.range(0, legs).filter(k -> !summed.contains(k)).forEach(order::add);
    if (!before) {
      order.addAll(summed);
    }
    if (order.equals(IntStream.range(0, legs).boxed().toList())) {
      return null;
    }
    int[] steps = new int[legs];
    int step = 1;
    for (int k = legs - 1; k >= 0; k--) {
      steps[k] = step;
      step *= tensor.lines().get(tensor.open().get(k)).size();
    }
    int[] from = new int[step];
    for (int at = 0; at < step; at++) {
      int left = at;
      for (int k = legs - 1; k >= 0; k--) {
        int size = tensor.lines().get(tensor.open().get(order.get(k))).size();
        from[at] += left % size * steps[order.get(k)];
        left /= size;
      }
    }
    return from;
  }
}
