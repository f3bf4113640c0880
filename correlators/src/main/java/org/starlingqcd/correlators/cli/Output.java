package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command prints, and the option that makes it print JSON. */
public final class Output {
  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Whether the user wants JSON. */
  public boolean isJson() {
    return json;
  }

  /** The writer for results. */
  public PrintWriter out() {
    return Console.out(command);
  }

  /** Prints a line for the user, who may read results elsewhere. */
  public void say(String line) {
    PrintWriter err = Console.err(command);
    err.println(line);
    err.flush();
  }

  /** Prints a report in the form that the user wants. */
  public void print(Supplier<Object> value, Supplier<String> text) {
    write(value, out -> out.print(text.get()));
  }

  /** Prints a report as JSON, or lets it write itself. */
  public void write(Supplier<Object> value, Consumer<PrintWriter> text) {
    PrintWriter out = out();
    if (json) {
      out.println(Json.text(value.get()));
    } else {
      text.accept(out);
    }
    out.flush();
  }
}
