package org.starlingqcd.correlators.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.text.Suggestion;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line about arguments that the command line does not know, or does not find. */
public final class UsageMessage {
  private static final Pattern UNKNOWN_OPTION = Pattern.compile("Unknown option: '([^'=]*)");
  private static final Pattern UNKNOWN_COMMAND = Pattern.compile("Unknown subcommand '([^']*)'");
  private static final Pattern NOT_CONVERTED =
      Pattern.compile("Invalid value for .*: '(?<value>.*)' is not an? (?<type>int|long|double)");
  private static final Pattern NO_CONSTANT = Pattern.compile("expected one of .* but was '(.*)'");

  private UsageMessage() {}

  /** The message, with what to do. */
  public static String text(ParameterException exception) {
    CommandSpec command = exception.getCommandLine().getCommandSpec();
    if (exception.getCause() instanceof InputException wrong) {
      return located(exception.getArgSpec(), String.valueOf(wrong.getMessage()));
    }
    return unknown(exception)
            .or(() -> missing(exception))
            .or(() -> value(exception))
            .orElse(exception.getMessage())
        + " (`"
        + command.qualifiedName()
        + " --help`)";
  }

  /** The message about an argument that is no option, command or value of the command. */
  private static Optional<String> unknown(ParameterException exception) {
    String message = message(exception);
    CommandSpec command = exception.getCommandLine().getCommandSpec();
    // An option that takes several values finds the argument before picocli refuses it.
    Matcher option = UNKNOWN_OPTION.matcher(message);
    if (option.find()) {
      String name = option.group(1);
      return Optional.of(
          "unknown option '" + name + "'" + Suggestion.text(name, command.optionsMap().keySet()));
    }
    Matcher help = UNKNOWN_COMMAND.matcher(message);
    if (help.find()) {
      return Optional.of(unknownCommand(help.group(1), command));
    }
    if (exception instanceof UnmatchedArgumentException unmatched) {
      String name = unmatched.getUnmatched().get(0);
      return Optional.of(
          command.subcommands().isEmpty()
              ? "unexpected argument '" + name + "'"
              : unknownCommand(name, command));
    }
    return Optional.empty();
  }

  private static String unknownCommand(String name, CommandSpec command) {
    return "unknown command '" + name + "'" + Suggestion.text(name, command.subcommands().keySet());
  }

  /** The message about what a command cannot do without, or about an option without its value. */
  private static Optional<String> missing(ParameterException exception) {
    if (!(exception instanceof MissingParameterException incomplete)
        || incomplete.getMissing().isEmpty()) {
      return Optional.empty();
    }
    ArgSpec first = incomplete.getMissing().get(0);
    if (message(exception).startsWith("Missing required parameter for option")) {
      return Optional.of(
          ((OptionSpec) first).longestName() + " needs a value: " + firstSentence(first));
    }
    String name =
        first instanceof OptionSpec option
            ? option.longestName() + "=" + first.paramLabel()
            : first.paramLabel();
    return Optional.of(name + " is missing: " + firstSentence(first));
  }

  /** The first sentence of an argument's description, as the end of another sentence. */
  private static String firstSentence(ArgSpec arg) {
    String text = String.join(" ", arg.description()).split("\\.( |$)", 2)[0];
    boolean word = text.length() > 1 && Character.isLowerCase(text.charAt(1));
    return word ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1) : text;
  }

  /** The message about a value that is none of a few names, or no number. */
  private static Optional<String> value(ParameterException exception) {
    ArgSpec arg = exception.getArgSpec();
    if (arg == null) {
      return Optional.empty();
    }
    Matcher constant = NO_CONSTANT.matcher(message(exception));
    if (constant.find()) {
      String given = constant.group(1);
      List<String> names =
          Arrays.stream(arg.auxiliaryTypes()[0].getEnumConstants())
              .map(name -> name.toString().toLowerCase(Locale.ROOT))
              .toList();
      return Optional.of(
          "%sexpected %s, not '%s'%s"
              .formatted(
                  location(arg), String.join(", ", names), given, Suggestion.text(given, names)));
    }
    Matcher number = NOT_CONVERTED.matcher(message(exception));
    if (number.find()) {
      String expected = number.group("type").equals("double") ? "a number" : "a whole number";
      return Optional.of(
          location(arg) + "expected " + expected + ", not '" + number.group("value") + "'");
    }
    return Optional.empty();
  }

  private static String message(ParameterException exception) {
    return Objects.requireNonNullElse(exception.getMessage(), "");
  }

  /**
   * A message after the place that it is about: one that says what a value must be is a sentence.
   */
  private static String located(@Nullable ArgSpec arg, String message) {
    String location = location(arg);
    return message.startsWith("must be ") && !location.isEmpty()
        ? location.substring(0, location.length() - 2) + " " + message
        : location + message;
  }

  /** Names the option, or the line of the settings file, that has a wrong value. */
  private static String location(@Nullable ArgSpec arg) {
    String location = arg == null ? null : SettingsFile.location(arg);
    if (location == null && arg instanceof OptionSpec option) {
      location = option.longestName();
    }
    return location == null ? "" : location + ": ";
  }
}
