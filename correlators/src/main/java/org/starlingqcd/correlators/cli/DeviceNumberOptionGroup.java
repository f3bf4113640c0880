package org.starlingqcd.correlators.cli;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.correlators.run.Backends;
import picocli.CommandLine.Option;

/** The options that name one device. */
public final class DeviceNumberOptionGroup {
  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      completionCandidates = Backends.Names.class,
      description = "auto, cpu, cuda or hip. Default: ${DEFAULT-VALUE}.")
  private String backend = Backends.AUTO;

  @Option(
      names = "--device",
      paramLabel = "NUMBER",
      converter = WholeNumber.FromZero.class,
      description = "Number of the device within the backend. Default: ${DEFAULT-VALUE}.")
  private int number;

  /** Whether the backend is left to the command. */
  public boolean isAuto() {
    return backend.equals(Backends.AUTO);
  }

  /** The number of the device within its backend. */
  public int number() {
    return number;
  }

  /** The backend that was asked for, or the first that works. */
  public BackendProvider provider() {
    return Backends.select(backend, number);
  }
}
