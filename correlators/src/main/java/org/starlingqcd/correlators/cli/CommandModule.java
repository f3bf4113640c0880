package org.starlingqcd.correlators.cli;

import java.util.List;
import java.util.function.Supplier;

/**
 * The commands of a module above this one, found as a service ({@code META-INF/services}). Each
 * command is a new object of a class with picocli's annotations.
 */
public interface CommandModule {
  /** The commands, in the order in which the help lists them. */
  List<Entry> commands();

  /**
   * A command that is made when it is needed, because most starts need one of them.
   *
   * @param name its name, as its annotation gives it
   * @param make makes it
   */
  record Entry(String name, Supplier<Object> make) {}
}
