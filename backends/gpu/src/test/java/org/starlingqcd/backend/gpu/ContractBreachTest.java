package org.starlingqcd.backend.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.ContractBreachException;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceUnderTest;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;

/** The contract detects devices that break it. */
@Tag("slow")
class ContractBreachTest {
  private static final long BYTES = 512L << 20;
  private static final DeviceOptions OPTIONS =
      new DeviceOptions(0, 0, DeviceUnderTest.CAPACITY, false);

  private static double run(String check, Supplier<HostGpu> gpu) {
    List<ContractCheck> found =
        DeviceContract.checks().stream().filter(c -> c.name().equals(check)).toList();
    assertEquals(1, found.size(), check);
    return found.get(0).run(new HostGpuProvider(gpu), OPTIONS);
  }

  private static void assertBreach(String check, Supplier<HostGpu> gpu, String words) {
    ContractBreachException breach =
        assertThrows(ContractBreachException.class, () -> run(check, gpu), check);
    assertTrue(String.valueOf(breach.getMessage()).contains(words), breach.getMessage());
  }

  /** A library whose products miss their last term by a little. */
  private static HostGpu inaccurate() {
    return new HostGpu(BYTES, true) {
      @Override
      public int multiply(long blas, MatrixProduct p, Operands operands) {
        return super.multiply(blas, scaled(p), operands);
      }

      @Override
      public int multiplyPointers(long blas, MatrixProduct p, Operands operands) {
        return super.multiplyPointers(blas, scaled(p), operands);
      }

      private static MatrixProduct scaled(MatrixProduct p) {
        double alpha = p.alphaRe() * (1 + 1e-9);
        return new MatrixProduct(
            p.transposed(),
            p.m(),
            p.n(),
            p.k(),
            p.lda(),
            p.ldb(),
            p.ldc(),
            alpha,
            p.alphaIm(),
            p.beta());
      }
    };
  }

  @Test
  void errorsAreMeasuredInTheirBounds() {
    double error = run("meson nodes with spin matrices, N 33", () -> new HostGpu(BYTES, true));
    assertTrue(error > 0 && error < 1, "error=" + error);
    assertEquals(0, run("copies at an offset", () -> new HostGpu(BYTES, true)));
  }

  @Test
  void productsThatAreALittleWrong_areSeen() {
    assertBreach(
        "meson nodes with spin matrices, N 33", ContractBreachTest::inaccurate, "instead of");
    assertBreach("traces of 40 × 50 pairs, N 9", ContractBreachTest::inaccurate, "trace (");
  }

  @Test
  void copiesThatLoseABit_areSeen() {
    Supplier<HostGpu> lossy =
        () ->
            new HostGpu(BYTES, true) {
              @Override
              public int copy(
                  long target, long source, long bytes, CopyDirection direction, long stream) {
                return super.copy(target, source, bytes - 8, direction, stream);
              }
            };
    assertBreach(
        "copies preserve every bit, spins 1, rank 2, N 130", lossy, "changed at number 33799");
  }

  @Test
  void allocationsWithoutBound_areSeen() {
    // A device opened without a capacity allows an allocation that a check expects it to refuse.
    ContractCheck check =
        DeviceContract.checks().stream()
            .filter(c -> c.name().equals("memory beyond the capacity is refused"))
            .findFirst()
            .orElseThrow();
    ContractBreachException breach =
        assertThrows(
            ContractBreachException.class,
            () ->
                check.run(
                    new HostGpuProvider(() -> new HostGpu(1L << 30, true)),
                    DeviceOptions.defaults()));
    assertTrue(String.valueOf(breach.getMessage()).contains("was not refused"));
  }
}
