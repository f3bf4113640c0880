package org.starlingqcd.elementals.cli;

import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.OneDeviceOptionGroup;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The device on which arrays are computed, and how they are kept coherent. */
final class ArrayOptionGroup {
  @Mixin private OneDeviceOptionGroup one = new OneDeviceOptionGroup();

  @Option(
      names = "--eviction",
      paramLabel = "POLICY",
      defaultValue = "lfu",
      completionCandidates = KnownNames.OfPolicies.class,
      description = "Eviction policy. Default: ${DEFAULT-VALUE}, by hit count as in SemCache.")
  private String eviction = "lfu";

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      defaultValue = "write-back",
      description =
          "When results are copied to the host: write-back, when they are read or have to leave the"
              + " device; write-through, at once; none, with every operand of every call. Default:"
              + " ${DEFAULT-VALUE}.")
  private String protocol = CoherenceProtocol.WRITE_BACK.label();

  @Option(
      names = "--check-guards",
      description =
          "Check that arrays are written on the host with their guards only. Reads every array at"
              + " every use.")
  private boolean checkGuards;

  /** An opened device with the budget that was asked for. */
  record Opened(String backend, Device device, MemHCOptions options) implements AutoCloseable {
    @Override
    public void close() {
      device.close();
    }
  }

  CoherenceProtocol protocol() {
    try {
      return CoherenceProtocol.parse(protocol);
    } catch (IllegalArgumentException unknown) {
      throw new InputException("--protocol: " + unknown.getMessage(), unknown);
    }
  }

  boolean checkGuards() {
    return checkGuards;
  }

  /**
   * Opens the device.
   *
   * @param least bytes of device memory without which nothing works
   * @throws InputException when there is no such device or policy, or too little memory
   */
  Opened open(long least) {
    if (!EvictionPolicies.names().contains(eviction)) {
      throw new InputException(
          "no eviction policy is called '%s'; there are: %s"
              .formatted(eviction, String.join(", ", EvictionPolicies.names())));
    }
    BackendProvider provider = one.provider();
    long asked = one.askedBytes(provider);
    if (asked > 0) {
      require(asked, least, "--device-memory");
    }
    Device device = one.open(provider, asked, TierOptions.none());
    try {
      long budget = OneDeviceOptionGroup.budget(provider, device, asked);
      require(budget, least, "the device's free memory");
      if (device.matrices().isEmpty()) {
        throw new InputException(
            "the " + provider.name() + " backend has no matrix calls here: its BLAS lacks some");
      }
      return new Opened(
          provider.name(), device, MemHCOptions.ofBudget(budget).withPolicy(eviction));
    } catch (RuntimeException e) {
      device.close();
      throw e;
    }
  }

  private static void require(long there, long least, String what) {
    if (there < least) {
      throw new InputException(
          "%s of %s is too little: one call needs %s"
              .formatted(what, MemorySize.text(there), MemorySize.text(least)));
    }
  }
}
