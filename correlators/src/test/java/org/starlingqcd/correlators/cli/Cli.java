package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;

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

  /** Runs a command with more arguments. */
  public static Cli run(String[] first, String... more) {
    return run(and(first, more));
  }

  /** Arguments and more of them. */
  public static String[] and(String[] first, String... more) {
    return Stream.of(first, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  /** Runs a command line as {@link #words} takes it. */
  public static Cli line(String line, Object... values) {
    return run(words(line, values));
  }

  /** This call, which has succeeded. */
  public Cli ok() {
    assertEquals(0, status, out + err);
    return this;
  }

  /** This call, which was refused as wrong input with a message that contains a text. */
  public Cli refused(String part) {
    return ended(2, part);
  }

  /** This call, which was refused as wrong input with this message. */
  public Cli refusedAs(String message) {
    assertEquals("starling: " + message + "\n", refused("").err);
    return this;
  }

  /** This call, which failed with a message that contains a text. */
  public Cli failed(String part) {
    return ended(1, part);
  }

  /** This call, which failed with this message. */
  public Cli failedAs(String message) {
    assertEquals("starling: " + message + "\n", failed("").err);
    return this;
  }

  private Cli ended(int expected, String part) {
    assertEquals(expected, status, out + err);
    return notes(part);
  }

  /** This call, whose standard output contains a text. */
  public Cli prints(String part) {
    assertTrue(out.contains(part), out);
    return this;
  }

  /** This call, whose standard error contains a text. */
  public Cli notes(String part) {
    assertTrue(err.contains(part), err);
    return this;
  }

  /** The JSON that it printed. */
  public JsonNode json() throws JsonProcessingException {
    return new ObjectMapper().readTree(out);
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
