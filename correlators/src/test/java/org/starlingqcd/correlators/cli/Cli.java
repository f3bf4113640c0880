package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * One call of the command line in this process.
 *
 * @param status exit status
 * @param out standard output
 * @param err standard error
 */
public record Cli(int status, String out, String err) {
  public static Cli run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = StarlingCommand.execute(new PrintWriter(out), new PrintWriter(err), args);
    return new Cli(status, out.toString(), err.toString());
  }
}
