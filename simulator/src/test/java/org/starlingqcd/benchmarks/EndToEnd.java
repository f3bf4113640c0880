package org.starlingqcd.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares a whole {@code starling run} of one configuration and source with the rate of the
 * contraction kernel. Each run is a process of its own, timed from outside, between two
 * measurements of the kernel in this process. {@code benchmarks/endtoend.sh} makes the data and
 * starts this program, which prints medians.
 *
 * <pre>
 * EndToEnd STARLING DEFINITION DATA OUT EXTENT THREADS ROUNDS [OPTION...]     (options of starling run)
 * </pre>
 */
public final class EndToEnd {
  private static final double KERNEL_SECONDS = 3;

  /** Clock ticks of {@code /proc/self/stat}, a constant of Linux's interface. */
  private static final double TICKS = 100;

  private final List<String> command;
  private final int extent;
  private final int threads;
  private final Medians seconds = new Medians();

  private EndToEnd(List<String> command, int extent, int threads) {
    this.command = command;
    this.extent = extent;
    this.threads = threads;
  }

  /** Measures and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                arguments[0], "run", arguments[1], "--data", arguments[2], "--out", arguments[3]));
    command.addAll(List.of("--backend", "cpu", "--overwrite", "--json", "--threads", arguments[5]));
    command.addAll(List.of(arguments).subList(7, arguments.length));
    new EndToEnd(command, Integer.parseInt(arguments[4]), Integer.parseInt(arguments[5]))
        .measure(arguments[1], Integer.parseInt(arguments[6]));
  }

  private void measure(String definition, int rounds) throws IOException, InterruptedException {
    boolean exact = command.contains("--exact");
    Medians medians = new Medians();
    double flops = 0;
    try (KernelRate kernel =
        new KernelRate(KernelRate.Work.CONTRACTIONS, extent, threads, exact, KERNEL_SECONDS)) {
      kernel.measure();
      RateSample before = kernel.measure();
      for (int round = 0; round < rounds; round++) {
        double childrenBefore = processorSecondsOfChildren();
        long start = System.nanoTime();
        JsonNode summary = run();
        double wall = 1e-9 * (System.nanoTime() - start);
        double processor = processorSecondsOfChildren() - childrenBefore;
        RateSample after = kernel.measure();
        RateSample around = before.and(after);
        before = after;
        flops = summary.get("flops").asDouble();
        medians.add("kernel", around.flopsPerSecond());
        medians.add("run", flops / wall);
        medians.add("share", flops / wall / around.flopsPerSecond());
        medians.add("processor share", flops / processor / around.flopsPerProcessorSecond());
        note(summary, wall, processor);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s, N = %d, %d threads: %.3f TFLOP; kernel %.0f GFLOP/s, whole run %.0f GFLOP/s: %.1f %% "
            + "of the kernel's rate (processor time: %.1f %%), medians of %d%n%n",
        definition,
        extent,
        threads,
        1e-12 * flops,
        1e-9 * medians.of("kernel"),
        1e-9 * medians.of("run"),
        100 * medians.of("share"),
        100 * medians.of("processor share"),
        rounds);
    System.out.println("| part of the run | seconds |");
    System.out.println("| --- | ---: |");
    for (String part : seconds.quantities()) {
      System.out.printf(Locale.ROOT, "| %s | %.2f |%n", part, seconds.of(part));
    }
  }

  private JsonNode run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("starling-endtoend", ".json");
    Path messages = Files.createTempFile("starling-endtoend", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(messages.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(
            String.join(" ", command) + ": status " + status + "\n" + Files.readString(messages));
      }
      return new ObjectMapper().readTree(out.toFile());
    } finally {
      Files.delete(out);
      Files.delete(messages);
    }
  }

  /** Splits the time of a run into parts that follow each other. */
  private void note(JsonNode summary, double wall, double processor) {
    JsonNode stages = summary.get("seconds");
    double start = summary.path("start_seconds").asDouble();
    double prepare = stages.get("prepare").asDouble();
    double plan = stages.get("plan").asDouble();
    double nodes = stages.get("nodes").asDouble();
    double products = stages.get("products").asDouble();
    double traces = stages.get("traces").asDouble();
    double write = stages.get("write").asDouble();
    seconds.add("start of the process", start);
    seconds.add("definitions, device, checks of the data", prepare);
    seconds.add("planning", plan);
    seconds.add("nodes, with waiting for data", nodes);
    seconds.add("products", products);
    seconds.add("traces", traces);
    seconds.add("writing", write);
    seconds.add("the rest", wall - start - prepare - plan - nodes - products - traces - write);
    seconds.add("all", wall);
    seconds.add("processor time of all", processor);
    seconds.add("reading, beside the rest", stages.get("read").asDouble());
    seconds.add("waiting for data", stages.get("read_waited").asDouble());
  }

  /** Processor time of the processes that this one started and that have ended. */
  private static double processorSecondsOfChildren() throws IOException {
    String line = Files.readString(Path.of("/proc/self/stat"));
    // Fields 16 and 17; the second, a name in parentheses, may hold blanks.
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS;
  }
}
