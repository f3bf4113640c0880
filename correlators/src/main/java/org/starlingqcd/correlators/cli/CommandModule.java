package org.starlingqcd.correlators.cli;

import java.util.List;

/**
 * The commands of a module above this one, found as a service ({@code META-INF/services}). Each
 * command is a new object of a class with picocli's annotations, which give its name.
 */
public interface CommandModule {
  /** The commands, in the order in which the help lists them. */
  List<Object> commands();
}
