package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code starling manual DIR}: writes a manual page for each command and the completion for bash.
 * The build calls it for the release archive.
 */
@Command(
    description = {
      "Writes the manual pages and the completion for bash into a folder, as below /usr/share.",
      "The release archive has them in its folder share."
    })
public final class ManualCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The folder, which is made if needed.")
  private Path folder = Path.of("");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = Objects.requireNonNull(spec, "picocli sets it").root().commandLine();
    try {
      Path pages = Files.createDirectories(folder.resolve("man/man1"));
      write(pages, root);
      for (CommandLine command : root.getSubcommands().values()) {
        write(pages, command);
      }
      Path completions = Files.createDirectories(folder.resolve("bash-completion/completions"));
      String name = root.getCommandName();
      // picocli offers no files where names are known, but a definition is either.
      List<String> completion =
          AutoComplete.bash(name, root)
              .lines()
              .filter(line -> !line.endsWith("compopt +o default"))
              .toList();
      Files.write(completions.resolve(name), completion);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return 0;
  }

  private static void write(Path folder, CommandLine command) throws IOException {
    ManualPage page = new ManualPage(command);
    Files.writeString(folder.resolve(page.name() + ".1"), page.text());
  }

  /** The manual page of a command in roff, section 1; see man(7) for the macros. */
  static final class ManualPage {
    private static final ColorScheme PLAIN = Help.defaultColorScheme(Ansi.OFF);

    private final CommandSpec spec;
    private final StringBuilder text = new StringBuilder();

    ManualPage(CommandLine command) {
      spec = command.getCommandSpec();
      String[] description = spec.usageMessage().description();
      macro("TH", quoted(name().toUpperCase(Locale.ROOT)), "1", "\"\"", quoted(spec.root().name()));
      macro("SH", "NAME");
      line(name() + " \\- " + escaped(description.length == 0 ? "" : description[0]));
      macro("SH", "SYNOPSIS");
      line(".B " + escaped(spec.qualifiedName()));
      line(escaped(synopsis()));
      macro("SH", "DESCRIPTION");
      for (String paragraph : description) {
        macro("PP");
        line(escaped(plain(paragraph)));
      }
      arguments(command);
      commands(command);
      macro("SH", "EXIT STATUS");
      line("0 success, 1 the computation failed, 2 wrong usage or wrong input.");
    }

    /** Such as {@code starling-run}. */
    String name() {
      return spec.qualifiedName("-");
    }

    String text() {
      return text.toString();
    }

    private String synopsis() {
      String parameters =
          spec.positionalParameters().stream()
              .map(PositionalParamSpec::paramLabel)
              .collect(Collectors.joining(" "));
      return "[OPTIONS] " + (spec.subcommands().isEmpty() ? parameters : "COMMAND");
    }

    private void arguments(CommandLine command) {
      List<OptionSpec> options = spec.options().stream().filter(o -> !o.hidden()).toList();
      if (!options.isEmpty() || !spec.positionalParameters().isEmpty()) {
        macro("SH", "OPTIONS");
      }
      for (PositionalParamSpec parameter : spec.positionalParameters()) {
        argument(escaped(parameter.paramLabel()), parameter);
      }
      Help.IParamLabelRenderer labels = command.getHelp().parameterLabelRenderer();
      for (OptionSpec option : options) {
        Text label = labels.renderParameterLabel(option, Ansi.OFF, PLAIN.optionParamStyles());
        argument(
            Arrays.stream(option.names())
                .map(name -> "\\fB" + escaped(name) + "\\fR" + escaped(label.toString()))
                .collect(Collectors.joining(", ")),
            option);
      }
    }

    private void argument(String heading, ArgSpec argument) {
      macro("TP");
      line(heading);
      // The help replaces the variables of descriptions, such as that of the default.
      for (String description : argument.description()) {
        line(escaped(described(argument, description)));
      }
    }

    private static String described(ArgSpec argument, String description) {
      String defaultValue = String.valueOf(argument.defaultValueString(true));
      List<String> candidates = new ArrayList<>();
      if (argument.completionCandidates() != null) {
        argument.completionCandidates().forEach(candidates::add);
      }
      return plain(description)
          .replace("${DEFAULT-VALUE}", defaultValue)
          .replace("${COMPLETION-CANDIDATES}", String.join(", ", candidates));
    }

    private void commands(CommandLine command) {
      if (!command.getSubcommands().isEmpty()) {
        macro("SH", "COMMANDS");
      }
      for (Map.Entry<String, CommandLine> entry : command.getSubcommands().entrySet()) {
        String[] description = entry.getValue().getCommandSpec().usageMessage().description();
        macro("TP");
        line(".B " + escaped(entry.getKey()));
        line(escaped(description.length == 0 ? "" : plain(description[0])));
      }
    }

    /** A description as the help prints it. */
    private static String plain(String description) {
      return description.replace("%n", "\n").replace("%%", "%");
    }

    private void macro(String name, String... arguments) {
      line("." + name + (arguments.length == 0 ? "" : " " + String.join(" ", arguments)));
    }

    private void line(String line) {
      text.append(line).append('\n');
    }

    private static String quoted(String argument) {
      return '"' + argument + '"';
    }

    /** Text that roff prints as it stands: a dot or an apostrophe at its beginning is no macro. */
    private static String escaped(String plain) {
      String text = plain.replace("\\", "\\e").replace("-", "\\-");
      return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
    }
  }
}
