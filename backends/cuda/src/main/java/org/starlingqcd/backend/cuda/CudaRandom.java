package org.starlingqcd.backend.cuda;

import jcuda.jcurand.JCurand;
import jcuda.jcurand.curandGenerator;
import jcuda.jcurand.curandRngType;
import jcuda.jcurand.curandStatus;
import jcuda.runtime.cudaStream_t;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.gpu.library.FailedCall;

/**
 * Random numbers by cuRAND, where {@code libcurand.so.10} is installed. The Philox generator is
 * counter-based: setting a seed is cheap, and the numbers depend only on the seed.
 */
final class CudaRandom {
  private static final Logger LOG = LoggerFactory.getLogger(CudaRandom.class);

  private @Nullable curandGenerator generator;
  private boolean absent;

  /** Fills with doubles uniform in (0, 1]; false where there is no cuRAND. */
  boolean fill(long target, long count, long seed, cudaStream_t stream) {
    if (absent) {
      return false;
    }
    try {
      curandGenerator ready = ready();
      check(JCurand.curandSetStream(ready, stream), "curandSetStream", "");
      check(
          JCurand.curandSetPseudoRandomGeneratorSeed(ready, seed),
          "curandSetPseudoRandomGeneratorSeed",
          "seed",
          seed);
      check(JCurand.curandSetGeneratorOffset(ready, 0), "curandSetGeneratorOffset", "offset", 0);
      check(
          JCurand.curandGenerateUniformDouble(ready, new Address(target), count),
          "curandGenerateUniformDouble",
          "target count",
          target,
          count);
      return true;
    } catch (LinkageError e) {
      LOG.info(
          "cuRAND is not installed; random numbers are generated on the host: {}", e.getMessage());
      absent = true;
      return false;
    }
  }

  private curandGenerator ready() {
    curandGenerator ready = generator;
    if (ready == null) {
      JCudaLibraries.load("JCurand", () -> JCurand.setExceptionsEnabled(false));
      ready = new curandGenerator();
      check(
          JCurand.curandCreateGenerator(ready, curandRngType.CURAND_RNG_PSEUDO_PHILOX4_32_10),
          "curandCreateGenerator",
          "type",
          "CURAND_RNG_PSEUDO_PHILOX4_32_10");
      generator = ready;
    }
    return ready;
  }

  void close() {
    if (generator != null) {
      check(JCurand.curandDestroyGenerator(generator), "curandDestroyGenerator", "");
      generator = null;
    }
  }

  private static void check(int status, String call, String names, Object... arguments) {
    if (status != curandStatus.CURAND_STATUS_SUCCESS) {
      throw FailedCall.of(call, status + " " + curandStatus.stringFor(status), names, arguments);
    }
  }
}
