package org.starlingqcd.correlators.cli;

import java.util.List;
import java.util.Locale;

/** The commands in a line each, for {@code starling --help}, and what a newcomer sees first. */
final class CommandList {
  private CommandList() {}

  /** All commands by group. */
  static String of(List<CommandModule.Entry> commands) {
    StringBuilder text = new StringBuilder();
    for (CommandModule.Group group : CommandModule.Group.values()) {
      List<CommandModule.Entry> members =
          commands.stream().filter(entry -> entry.group() == group).toList();
      if (!members.isEmpty()) {
        text.append(String.format("%n%s:%n", group.heading()));
        members.forEach(entry -> text.append(line(entry.name(), entry.summary())));
      }
    }
    return text.toString();
  }

  /** What {@code starling} says without a command. */
  static String firstScreen() {
    StringBuilder text =
        new StringBuilder(
            String.format("Lattice-QCD correlation functions from distillation data.%n%n"));
    List<List<String>> steps =
        List.of(
            List.of("starling definitions", "the definitions that come with the program"),
            List.of("starling plan rho_pipi", "what a run would do: work, memory, data, time"),
            List.of("starling run rho_pipi --data DIR", "computes the correlators"),
            List.of("starling analyze results/rho_pipi.h5", "averages, effective masses, plots"));
    steps.forEach(
        step -> text.append(String.format(Locale.ROOT, "  %-38s%s%n", step.get(0), step.get(1))));
    return text.append(
            String.format(
                "%n`starling --help` lists all commands, `starling help run` the options of one.%n"))
        .toString();
  }

  private static String line(String name, String summary) {
    return String.format(Locale.ROOT, "  %-17s%s%n", name, summary);
  }
}
