package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Standard output and standard error of a command. */
public final class Console {
  private Console() {}

  /** The writer for results. */
  public static PrintWriter out(@Nullable CommandSpec spec) {
    return PrintableWriter.to(checked(spec).commandLine().getOut());
  }

  /** The writer for progress, warnings and errors. */
  public static PrintWriter err(@Nullable CommandSpec spec) {
    return PrintableWriter.to(checked(spec).commandLine().getErr());
  }

  private static CommandSpec checked(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("picocli did not create this command");
    }
    return spec;
  }
}
