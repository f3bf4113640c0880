package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.execute.QueueCost;

/**
 * A model, not a measurement: how well the products of a unit of mesons keep many threads busy.
 * Vectors of the execution queue run one after the other. The products of a vector that add to one
 * destination are a group, and the destination is cut into parts as the packed kernels cut it. A
 * free thread takes the next part. A part takes a time that is proportional to its numbers and to
 * the products of its group. Packing, waking threads and the memory cost nothing.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.ManyCores f0d2 32,64,128,256 2,4,8,16,32,64,128 (definition, N, threads)
 * </pre>
 */
public final class ManyCores {
  /** Least rows or columns of a part. */
  private static final int LEAST = 32;

  /** Numbers of products of the groups of a vector. */
  private record Pair(List<Integer> groups) {
    /** Time until all parts are done, in times of a product on one thread. */
    double time(int extent, int threads) {
      long most = (long) Math.max(1, extent / LEAST) * Math.max(1, extent / LEAST);
      long wanted = threads == 1 ? 1 : (4L * threads + groups.size() - 1) / groups.size();
      long parts = Math.min(most, wanted);
      PriorityQueue<Double> free = new PriorityQueue<>();
      for (int k = 0; k < threads; k++) {
        free.add(0.0);
      }
      double last = 0;
      for (int products : groups) {
        for (long part = 0; part < parts; part++) {
          double end = free.remove() + (double) products / parts;
          free.add(end);
          last = Math.max(last, end);
        }
      }
      return last;
    }

    double products() {
      return groups.stream().mapToInt(Integer::intValue).sum();
    }
  }

  private ManyCores() {}

  /** Prints one row for each extent. */
  public static void main(String[] arguments) {
    List<Pair> pairs = pairs(queue(arguments[0]));
    int[] threads = Ratios.numbers(arguments, 2, "2,4,8,16,32,64,128");
    PrintStream out = System.out;
    StringBuilder head = new StringBuilder("| N |");
    for (int count : threads) {
      head.append(' ').append(count).append(" |");
    }
    out.println(head);
    out.println("| ---: |" + " ---: |".repeat(threads.length));
    for (int extent : Ratios.numbers(arguments, 1, "32,64,128,256")) {
      StringBuilder row = new StringBuilder("| " + extent + " |");
      for (int count : threads) {
        double busy = pairs.stream().mapToDouble(Pair::products).sum();
        double taken = count * pairs.stream().mapToDouble(pair -> pair.time(extent, count)).sum();
        row.append(String.format(Locale.ROOT, " %.0f %% |", 100 * busy / taken));
      }
      out.println(row);
    }
  }

  private static ExecutionQueue queue(String definition) {
    return TimeBinding.bind(
        Reducer.reduce(
            WickContraction.contract(
                List.of(new DefinitionLoader().load(definition).toCorrelationMatrix()))),
        new BoundTimes(2, List.of(0), List.of(1), List.of()),
        QueueOptions.standard(),
        QueueCost::of);
  }

  private static List<Pair> pairs(ExecutionQueue queue) {
    List<Pair> pairs = new ArrayList<>();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      List<Integer> groups = new ArrayList<>();
      int destination = -1;
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Multiply product) {
          int last = groups.size() - 1;
          if (product.destination() == destination) {
            groups.set(last, groups.get(last) + 1);
          } else {
            groups.add(1);
          }
          destination = product.destination();
        }
      }
      if (!groups.isEmpty()) {
        pairs.add(new Pair(groups));
      }
    }
    return pairs;
  }
}
