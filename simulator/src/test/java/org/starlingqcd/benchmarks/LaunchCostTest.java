package org.starlingqcd.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.hadron.execute.FormSearch;
import org.starlingqcd.hadron.execute.NodeForms;

/** Bounds the calls of a GPU's libraries for one unit; the queue of f0d2 has 44 vector pairs. */
@Tag("slow")
final class LaunchCostTest {
  private static final int VECTOR_PAIRS = 44;

  @ParameterizedTest
  @ValueSource(ints = {128, 256, 384})
  void unit_asksForFewCalls(int extent) {
    NoOpGpu.Counts counts = LaunchCost.measure("f0d2", extent, 1, true).counts();
    String all = counts.calls().toString();
    // Products are launched alone or in chunks of a fixed size: 207 of two nodes, and the nodes.
    assertTrue(counts.of("multiply") <= (extent == 128 ? 90 : extent == 256 ? 450 : 690), all);
    // Each of the former reads its two factors once and writes once, since γ5 is in the nodes; the
    // 117 nodes are half as much, and chunks are filled up. With γ5 in between it would be more
    // than twice.
    double node = 16.0 * 16 * extent * extent;
    assertTrue(counts.bytesOfProducts() >= 207 * 3 * node, all + counts.bytesOfProducts());
    assertTrue(counts.bytesOfProducts() <= 1.9 * 207 * 3 * node, all + counts.bytesOfProducts());
    assertTrue(counts.of("kernel") <= (extent == 128 ? 10 : VECTOR_PAIRS), all);
    assertEquals(0, counts.of("apply", "transpose", "clear"), all);
    // The inputs, each as a whole, tables of addresses, and results.
    assertTrue(counts.of("copy") <= (extent == 128 ? 55 : 2 * VECTOR_PAIRS), all);
    // One for each input, three for each launch of nodes, products and traces, and a few more.
    assertTrue(counts.of("recordEvent") <= (extent == 128 ? 55 : 90), all);
    assertTrue(counts.of("secondsBetween") <= (extent == 128 ? 20 : 60), all);
    assertTrue(counts.of("isReached") <= 20, all);
    assertTrue(counts.of("waitForEvent") <= 15, all);
    // The numbers of benchmarks/README.md.
    long total = counts.calls().values().stream().mapToLong(Long::longValue).sum();
    assertTrue(total <= (extent == 128 ? 240 : extent == 256 ? 730 : 990), total + all);
    // Nothing is allocated or freed, and the host waits once, at the end.
    assertEquals(0, counts.of("allocate", "free") - counts.of("allocateHost", "freeHost"), all);
    assertEquals(1, counts.of("synchronizeStream"), all);
    // 8N³ flops for each product of blocks; what fills up chunks may add a fifth.
    double least = 207 * 64 * 8.0 * Math.pow(extent, 3);
    assertTrue(counts.flops() >= least && counts.flops() <= 1.25 * least, all + counts.flops());
  }

  /** Small units: few calls, because the host bounds them, and little that fills chunks up. */
  @ParameterizedTest
  @CsvSource({"f0d2, 45, 170, 34", "a1_rhopi, 14, 100, 9"})
  void smallUnit_takesFewCallsAndFlops(String definition, long products, long calls, double giga) {
    NoOpGpu.Counts counts = LaunchCost.measure(definition, 64, 1, true).counts();
    String all = counts.calls() + " " + counts.flops();
    assertTrue(counts.of("multiply") <= products, all);
    assertTrue(counts.calls().values().stream().mapToLong(Long::longValue).sum() <= calls, all);
    assertTrue(counts.flops() <= 1e9 * giga, all);
  }

  /**
   * Every product of two elements is one call, whatever gamma matrix is between its factors. The
   * queues have γ5 and another matrix there, which would cut the 21 products of a1_rhopi into 54
   * and the 6 of b1_derivative into 12. At N = 256 only such products are launched alone.
   */
  @ParameterizedTest
  @CsvSource({"a1_rhopi, 21, 7", "b1_derivative, 6, 2", "rho_d1_t2, 12, 4"})
  void products_areOneCallEach(String definition, long products, long copies) {
    NoOpGpu.Counts counts = LaunchCost.measure(definition, 256, 1, true).counts();
    assertEquals(products, counts.calls().get("multiply"), counts.calls().toString());
    assertEquals(copies, counts.calls().get("kernel SPIN_SUMS"), counts.calls().toString());
  }

  /** Also where the lines of baryons are multiplied. */
  @ParameterizedTest
  @ValueSource(strings = {"f0d2", "a1_rhopi", "lambda_uds", "npi_i12", "rho_011_d1"})
  void noProduct_isCut(String definition) {
    ExecutionQueue queue = LaunchCost.queue(definition);
    NodeForms forms = FormSearch.of(queue);
    int products = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Multiply product) {
          products++;
          assertEquals(0, forms.beforeLeft(product).mask(), product.toString());
          assertEquals(0, forms.beforeRight(product).mask(), product.toString());
        }
      }
    }
    assertTrue(products > 0);
  }
}
