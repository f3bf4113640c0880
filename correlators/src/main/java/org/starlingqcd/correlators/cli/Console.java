package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Standard output and standard error of a command. */
public final class Console {
  private Console() {}

  /** Where results go. */
  public static PrintWriter out(@Nullable CommandSpec spec) {
    return PrintableWriter.to(checked(spec).commandLine().getOut());
  }

  /** Where progress, warnings and errors go. */
  public static PrintWriter err(@Nullable CommandSpec spec) {
    return PrintableWriter.to(checked(spec).commandLine().getErr());
  }

  private static CommandSpec checked(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("the command was not made by picocli");
    }
    return spec;
  }
}
