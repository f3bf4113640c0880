package org.starlingqcd.correlators.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The models of all commands as text, each argument a line. */
public final class CommandModels {
  private CommandModels() {}

  /** The text. */
  public static String text() {
    CommandSpec root = PreparedSpec.of(new StarlingCommand());
    List<Object> commands =
        StarlingCommand.allCommands().stream().map(entry -> entry.make().get()).toList();
    return Stream.concat(Stream.of(root), commands.stream().map(PreparedSpec::of))
        .map(CommandModels::of)
        .collect(Collectors.joining("\n"));
  }

  private static String of(CommandSpec spec) {
    // Completes the model.
    new CommandLine(spec);
    return Stream.of(
            Stream.of(
                spec.userObject().getClass().getName(),
                spec.name(),
                spec.scopeType(),
                Arrays.toString(spec.usageMessage().description()),
                spec.usageMessage().exitCodeList(),
                spec.mixins().keySet()),
            spec.args().stream().map(CommandModels::of),
            spec.subcommands().values().stream().map(sub -> of(sub.getCommandSpec())))
        .flatMap(lines -> lines)
        .map(String::valueOf)
        .collect(Collectors.joining("\n"));
  }

  @SuppressWarnings("deprecation") // an option has the attribute
  private static String of(ArgSpec argument) {
    return Stream.of(
            argument instanceof OptionSpec option
                ? Arrays.asList(
                    Arrays.toString(option.names()),
                    option.fallbackValue(),
                    option.help(),
                    option.usageHelp(),
                    option.versionHelp())
                : ((PositionalParamSpec) argument).index(),
            argument.arity(),
            argument.arity().isUnspecified(),
            argument.type(),
            Arrays.toString(argument.auxiliaryTypes()),
            argument.isMultiValue(),
            Arrays.stream(argument.converters()).map(Object::getClass).toList(),
            argument.preprocessor().getClass(),
            argument.completionCandidates() == null
                ? null
                : argument.completionCandidates().getClass(),
            argument.paramLabel(),
            argument.hideParamSyntax(),
            argument.splitRegex(),
            argument.required(),
            argument.defaultValue(),
            argument.initialValue() instanceof Set<?> set
                ? new TreeSet<>(set)
                : argument.initialValue(),
            argument.scopeType(),
            argument.userObject(),
            Arrays.toString(argument.description()))
        .map(String::valueOf)
        .collect(Collectors.joining(" | "));
  }
}
