package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.cli.TestInstallation;

/**
 * A process that computes a result of made-up numbers, for tests that kill it. Arguments: file,
 * configurations, sources, milliseconds for a unit, milliseconds between merges.
 */
final class ComputingProcess {
  static final ResultHeader HEADER =
      ResultFixture.header("x", "e", "name: x", List.of("a", "b"), List.of(0, 1, 2), true);

  private ComputingProcess() {}

  public static void main(String[] args) throws Exception {
    List<Integer> configurations = upTo(Integer.parseInt(args[1]));
    List<Integer> sources = upTo(Integer.parseInt(args[2]));
    long work = Long.parseLong(args[3]);
    ResultRequest request =
        new ResultRequest(
            configurations, sources, false, Duration.ofMillis(Long.parseLong(args[4])));
    try (ResultStore store = ResultStore.open(Path.of(args[0]), HEADER, request)) {
      for (int configuration : configurations) {
        for (int source : sources) {
          if (store.claim(configuration, source)) {
            Thread.sleep(work);
            store.append(unit(configuration, source));
            store.release(configuration, source);
            store.mergeIfDue();
          }
        }
      }
    }
  }

  static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /** Numbers that tell configuration, source and place; one-point rows that differ by source. */
  static ResultUnit unit(int configuration, int source) {
    double[] correlator = new double[HEADER.correlatorDoubles()];
    for (int k = 0; k < correlator.length; k++) {
      correlator[k] = configuration + source / 100.0 + k * 1e-6;
    }
    int[] times = {source, source + 1, source + 2};
    double[] onePoint = new double[2 * 2 * times.length];
    for (int k = 0; k < onePoint.length; k++) {
      onePoint[k] = -configuration - times[k / 4] / 100.0 - source * 1e-9;
    }
    return new ResultUnit(configuration, source, correlator, times, onePoint);
  }

  /** Starts a process of this class; its output goes where the output of the tests goes. */
  static Process start(Path file, int configurations, int sources, long work, long pause)
      throws IOException {
    return new ProcessBuilder(command(file, configurations, sources, work, pause))
        .inheritIO()
        .start();
  }

  /** The command line of such a process. */
  static List<String> command(Path file, int configurations, int sources, long work, long pause)
      throws IOException {
    List<String> command = TestInstallation.java(ComputingProcess.class);
    command.addAll(
        List.of(
            file.toString(),
            Integer.toString(configurations),
            Integer.toString(sources),
            Long.toString(work),
            Long.toString(pause)));
    return command;
  }
}
