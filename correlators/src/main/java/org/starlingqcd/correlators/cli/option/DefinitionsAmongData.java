package org.starlingqcd.correlators.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Lets definitions follow the paths of {@code --data}, as in {@code starling run --data DIR pion}:
 * it moves them to the end of the command line, where they are positional parameters.
 */
public final class DefinitionsAmongData implements IParameterPreprocessor {
  private static final String END_OF_OPTIONS = "--";

  @Override
  @SuppressWarnings("JdkObsolete") // picocli hands over a Stack
  public boolean preprocess(
      Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
    // The top of the stack is the next argument.
    List<String> paths = new ArrayList<>();
    List<String> definitions = new ArrayList<>();
    while (!args.isEmpty() && !args.peek().startsWith("-")) {
      String argument = args.pop();
      // The option needs a path, so its first value is never a definition.
      (!paths.isEmpty() && DefinitionLoader.isDefinition(argument) ? definitions : paths)
          .add(argument);
    }
    for (String definition : definitions) {
      args.add(0, definition);
    }
    int end = args.indexOf(END_OF_OPTIONS);
    if (!definitions.isEmpty() && end < 0) {
      args.add(definitions.size(), END_OF_OPTIONS);
    }
    for (int k = paths.size() - 1; k >= 0; k--) {
      args.push(paths.get(k));
    }
    return false;
  }
}
