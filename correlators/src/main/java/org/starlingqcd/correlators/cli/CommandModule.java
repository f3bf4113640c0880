package org.starlingqcd.correlators.cli;

import java.util.List;

/**
 * Commands of a module that this one must not know, listed in {@code META-INF/services}. Each is a
 * new object of a class with picocli's annotations, which carry the command's name.
 */
public interface CommandModule {
  /** The commands, in the order in which the help lists them. */
  List<Object> commands();
}
