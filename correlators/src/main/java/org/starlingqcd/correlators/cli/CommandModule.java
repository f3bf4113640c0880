package org.starlingqcd.correlators.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The commands of a module above this one, found as a service ({@code META-INF/services}). Each
 * command is a new object of a class with picocli's annotations.
 */
public interface CommandModule {
  /** The commands, in the order in which the help lists them. */
  List<Entry> commands();

  /** What a command is for: the groups in which the program's help lists the commands. */
  enum Group {
    /** From definitions to correlators. */
    CORRELATORS("Correlators"),
    /** What comes after. */
    RESULTS("Results"),
    /** Distillation data. */
    DATA("Data"),
    /** Clusters, devices and caches. */
    MACHINES("Machines"),
    /** Memory management by itself. */
    MEMORY("Memory management, without data"),
    /** The program's own text. */
    HELP("Help");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    /** A command of this group. */
    public Entry command(String name, String summary, Supplier<Object> make) {
      return new Entry(name, this, summary, make);
    }

    /** All commands in a line each, by group, for {@code starling --help}. */
    static String list(List<Entry> commands) {
      StringBuilder text = new StringBuilder();
      for (Group group : values()) {
        List<Entry> members = commands.stream().filter(entry -> entry.group() == group).toList();
        if (!members.isEmpty()) {
          text.append(String.format("%n%s:%n", group.heading));
          members.forEach(
              entry ->
                  text.append(
                      String.format(Locale.US, "  %-17s%s%n", entry.name(), entry.summary())));
        }
      }
      return text.toString();
    }
  }

  /** A command that is made when it is needed, because most starts need one of them. */
  record Entry(String name, Group group, String summary, Supplier<Object> make) {}
}
