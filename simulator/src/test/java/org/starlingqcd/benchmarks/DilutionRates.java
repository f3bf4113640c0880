package org.starlingqcd.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.StochasticPlan;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.NoiseGroup;
import org.starlingqcd.hadron.execute.DilutionExecutor;
import org.starlingqcd.hadron.synthetic.SinkSet;
import org.starlingqcd.hadron.synthetic.SyntheticCurrents;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Processor time of correlators with stochastic lines on one thread, after warming up, planning and
 * reading included: the correlators of one to four operators of the size of sLapH-contractions'
 * integration test (N = 16, D = 8, six noises, four times), some kinds by themselves and all at
 * once, and four-line diagrams at N = 112, D = 32 with their rate against products of large complex
 * matrices on the same thread in the same rounds.
 *
 * <pre>
 * DilutionRates FOLDER ROUNDS [CASE]
 * </pre>
 */
public final class DilutionRates {
  private static final int NOISES = 6;
  private static final int TIMES = 4;
  private static final int EXTENT = 768;
  private static final List<Momentum> MOMENTA = momenta();

  private static final String LIGHT = "a: light, b: light, c: light";
  private static final String DOWN = "a: light, b: down";

  /** Matrices of operators with all choices of quarks. */
  private record Case(String name, List<List<String>> matrices, List<String> quarks) {}

  private static final List<Case> CASES =
      List.of(
          new Case("C20", List.of(List.of("a g5 b", "a g1 b", "a g2 b")), List.of(LIGHT)),
          new Case(
              "C40B",
              List.of(List.of("a g5 b, b g5 c"), List.of("a g1 b, b g4g1 c")),
              List.of(LIGHT)),
          new Case(
              "C4cC",
              List.of(List.of("a g5 b, a g5 b"), List.of("a g1 b, a g4g1 b")),
              List.of(LIGHT)),
          new Case(
              "all",
              List.of(
                  List.of("a g5 a", "a g1 a", "a g2 a", "a g3 a", "a g5 b, b g5 a"),
                  List.of("a g1 a", "a g1 b, b g4g1 a"),
                  List.of("a g5 b, a g5 b"),
                  List.of("a g1 b, a g4g1 b")),
              List.of(LIGHT, DOWN)));

  private final Path folder;
  private final int rounds;
  private final Device device;

  private DilutionRates(Path folder, int rounds, Device device) {
    this.folder = folder;
    this.rounds = rounds;
    this.device = device;
  }

  /** Measures and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    String only = arguments.length > 2 ? arguments[2] : "";
    BackendProvider cpu = Backends.select("cpu", 0);
    try (Device device = cpu.open(new DeviceOptions(0, 1, 8L << 30, false))) {
      DilutionRates rates = new DilutionRates(folder, Integer.parseInt(arguments[1]), device);
      Path data = rates.data("small", 16, 2, 2);
      for (Case one : CASES) {
        if (one.name().startsWith(only)) {
          List<Path> files = new ArrayList<>();
          for (List<String> operators : one.matrices()) {
            for (String quarks : one.quarks()) {
              files.addAll(rates.definitions(one.name() + "_" + files.size(), quarks, operators));
            }
          }
          rates.measure(one.name(), files, data);
        }
      }
      for (String name : List.of("box", "pipi")) {
        if (("large " + name).startsWith(only)) {
          rates.measure(
              "large " + name, List.of(rates.atRest(name)), rates.data("large", 112, 8, TIMES));
        }
      }
    }
  }

  private static List<Momentum> momenta() {
    List<Momentum> all = new ArrayList<>(List.of(Momentum.ZERO));
    for (int sign = 1; sign >= -1; sign -= 2) {
      all.add(new Momentum(sign, 0, 0));
      all.add(new Momentum(0, sign, 0));
      all.add(new Momentum(0, 0, sign));
    }
    return all;
  }

  private static String meson(String bar, String gamma, String quark, Momentum p) {
    return "{bar: %s, gamma: %s, quark: %s, momentum: [%d, %d, %d]}"
        .formatted(bar, gamma, quark, p.x(), p.y(), p.z());
  }

  /**
   * One definition for each total momentum, of operators such as {@code "a g5 b, b g5 a"} with all
   * momenta.
   */
  private List<Path> definitions(String name, String quarks, List<String> operators)
      throws IOException {
    Map<String, StringBuilder> texts = new LinkedHashMap<>();
    for (int o = 0; o < operators.size(); o++) {
      String[] mesons = operators.get(o).split(", ");
      String[] first = mesons[0].split(" ");
      String[] second = mesons[mesons.length - 1].split(" ");
      for (int a = 0; a < MOMENTA.size(); a++) {
        // Of two equal mesons that are exchanged one order is enough.
        int end = mesons.length == 1 ? 1 : mesons[0].equals(mesons[1]) ? a + 1 : MOMENTA.size();
        for (int b = 0; b < end; b++) {
          Momentum p = MOMENTA.get(a);
          Momentum q = mesons.length == 1 ? Momentum.ZERO : MOMENTA.get(b);
          Momentum total = p.plus(q);
          String product = meson(first[0], first[1], first[2], p);
          if (mesons.length == 2) {
            product += ", " + meson(second[0], second[1], second[2], q);
          }
          String key = "%s_%d%d%d".formatted(name, total.x(), total.y(), total.z());
          texts
              .computeIfAbsent(
                  key.replace("-", "m"),
                  its ->
                      new StringBuilder(
                          """
                          name: %s
                          quarks: {%s}
                          momentum: [%d, %d, %d]
                          stochastic: {light: {}%s}
                          allow_zero: true
                          operators:
                          """
                              .formatted(
                                  its,
                                  quarks,
                                  total.x(),
                                  total.y(),
                                  total.z(),
                                  quarks.equals(DOWN) ? ", down: {conjugate_of: light}" : "")))
              .append(
                  "  - {name: o%d_%d_%d, terms: [{mesons: [%s]}]}\n".formatted(o, a, b, product));
        }
      }
    }
    List<Path> files = new ArrayList<>();
    for (var text : texts.entrySet()) {
      files.add(Files.writeString(folder.resolve(text.getKey() + ".yaml"), text.getValue()));
    }
    return files;
  }

  /** Two mesons of opposite momenta, with annihilation and without. */
  private Path atRest(String name) throws IOException {
    boolean box = name.equals("box");
    StringBuilder text =
        new StringBuilder(
            "name: %s\nquarks: {a: light, b: light%s}\nstochastic: {light: {}}\noperators:\n"
                .formatted(name, box ? ", c: light" : ""));
    for (int k = 0; k < MOMENTA.size() - (box ? 0 : 3); k++) {
      Momentum p = MOMENTA.get(k);
      text.append(
          "  - {name: o%d, terms: [{mesons: [%s, %s]}]}\n"
              .formatted(
                  k,
                  meson("a", "g5", "b", p),
                  meson(box ? "b" : "a", "g5", box ? "c" : "b", p.negate())));
    }
    return Files.writeString(folder.resolve(name + ".yaml"), text);
  }

  private Path data(String name, int eigenvectors, int vectorClasses, int timeClasses)
      throws IOException {
    Path out = Files.createDirectories(folder.resolve(name));
    Path file = out.resolve("test_cfg0001.h5");
    if (!Files.exists(file)) {
      DilutionScheme scheme =
          DilutionScheme.of(
              List.of("interlace " + timeClasses, "full", "interlace " + vectorClasses),
              4,
              eigenvectors,
              true);
      List<Integer> stored = IntStream.range(0, timeClasses).boxed().toList();
      List<String> noises = IntStream.range(0, NOISES).mapToObj(k -> "r" + k).toList();
      SinkSet set = new SinkSet("light", "light", scheme, stored, noises, NoiseGroup.U1, 5);
      file =
          SyntheticData.write(
              new SyntheticEnsemble(
                  "test",
                  TIMES,
                  4,
                  eigenvectors,
                  List.of("light"),
                  List.of(),
                  MOMENTA,
                  List.of(),
                  false,
                  0,
                  17,
                  List.of(),
                  SyntheticCurrents.NONE,
                  List.of(),
                  false,
                  List.of(set)),
              1,
              out,
              bytes -> {});
    }
    return file;
  }

  private void measure(String name, List<Path> files, Path data)
      throws IOException, InterruptedException {
    List<Definition> definitions = new ArrayList<>();
    for (Path file : files) {
      definitions.add((Definition) new DefinitionLoader().loadAny(file.toString()));
    }
    Medians medians = new Medians();
    double first = 0;
    for (int round = 0; round < rounds; round++) {
      double[] flops = new double[1];
      RateSample sample =
          RateSample.of(
              1,
              1,
              () -> {
                try (DistillationData opened = DistillationData.open(List.of(data))) {
                  for (Definition definition : definitions) {
                    flops[0] += compute(definition, opened);
                  }
                }
              });
      first = round == 0 ? sample.processorSeconds() : first;
      medians.add("seconds", sample.processorSeconds());
      medians.add("computing", sample.computingSeconds());
      double zgemm = large().flopsPerProcessorSecond();
      medians.add("zgemm", zgemm);
      medians.add("share", flops[0] / sample.processorSeconds() / zgemm);
      medians.add("computing share", flops[0] / sample.computingSeconds() / zgemm);
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %d definitions, %.3f s of processor time at first, median of %d: %.3f s, %.3f s without the"
            + " JVM's compilers; %.0f and %.0f %% of zgemm's %.1f GFLOP/s%n",
        name,
        definitions.size(),
        first,
        rounds,
        medians.of("seconds"),
        medians.of("computing"),
        100 * medians.of("share"),
        100 * medians.of("computing share"),
        1e-9 * medians.of("zgemm"));
  }

  private double compute(Definition definition, DistillationData data) {
    StochasticPlan.Lines lines = new StochasticPlan(definition).of(data);
    List<Integer> times = IntStream.range(0, TIMES).boxed().toList();
    Function<org.starlingqcd.hadron.data.DataBlock, Complex> none = block -> Complex.ONE;
    try (DilutionExecutor executor = lines.executor(device, data, 2L << 30)) {
      for (int source : times) {
        lines.unit(executor, 1, source, times, false, none);
      }
      return executor.statistics().work().flops();
    }
  }

  /** Products of large complex matrices. */
  private RateSample large() throws InterruptedException {
    MatrixOperations calls = device.matrices().orElseThrow();
    long bytes = 16L * EXTENT * EXTENT;
    List<DeviceMemory> memory =
        IntStream.range(0, 3).mapToObj(k -> device.allocate(bytes)).toList();
    try (HostMemory host = HostMemory.allocate(bytes)) {
      double[] numbers = new Random(1).doubles(bytes / 8, -1, 1).toArray();
      host.put(0, numbers, 0, numbers.length);
      for (DeviceMemory one : memory) {
        calls.toDevice(host, 0, Place.of(one), bytes, device.computeStream());
      }
      device.synchronize(device.computeStream());
      ProductShape shape =
          ProductShape.dense(NumberKind.COMPLEX, Form.PLAIN, Form.PLAIN, EXTENT, EXTENT, EXTENT);
      return RateSample.of(
          (double) shape.flops(),
          8,
          () -> {
            calls.multiply(
                shape,
                Place.of(memory.get(0)),
                Place.of(memory.get(1)),
                Place.of(memory.get(2)),
                device.computeStream());
            device.synchronize(device.computeStream());
          });
    } finally {
      memory.forEach(device::free);
    }
  }
}
