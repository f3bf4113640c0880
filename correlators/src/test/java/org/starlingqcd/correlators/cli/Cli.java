package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Iterator;

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

  /**
   * The arguments of a command line, which has no quotes.
   *
   * @param values stand for each {@code %s}, with blanks if they have any
   */
  public static String[] words(String line, Object... values) {
    Iterator<Object> next = Arrays.asList(values).iterator();
    return Arrays.stream(line.split(" "))
        .map(word -> word.contains("%s") ? word.replace("%s", String.valueOf(next.next())) : word)
        .toArray(String[]::new);
  }
}
