package org.starlingqcd.correlators.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TextFile;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.yaml.Fields;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Unmatched;

/**
 * The file that describes a run ({@code run.yaml}): it supplies the options that the command line
 * leaves out. A key is the name of an option of {@link RunSettings} with {@code _} for {@code -},
 * or {@code definitions}; a value is a text or a list. Relative paths start at the file's folder.
 */
public final class SettingsFile implements IDefaultValueProvider {
  private static final String OPTION = "--settings";

  /** The key of the positional parameters. */
  private static final String DEFINITIONS = "definitions";

  /** One entry of the file, its paths absolute. */
  private record Entry(int line, List<String> values) {}

  /** The first pass over the arguments: it finds the file that the second pass needs. */
  @Command
  private static final class FirstPass {
    @Option(names = OPTION)
    private @Nullable Path file;

    @SuppressWarnings("UnusedVariable") // lets everything else pass
    @Unmatched
    private List<String> others = new ArrayList<>();
  }

  private final Path file;
  private @Nullable Map<String, Entry> entries;

  private SettingsFile(Path file) {
    this.file = file;
  }

  /** Lets the subcommands that have {@code --settings} take their defaults from the file named. */
  public static void provideDefaults(CommandLine line, String[] args) {
    if (Arrays.stream(args).noneMatch(arg -> arg.startsWith(OPTION) || arg.startsWith("@"))) {
      return;
    }
    FirstPass pass = new FirstPass();
    try {
      new CommandLine(pass).setOverwrittenOptionsAllowed(true).parseArgs(args);
    } catch (ParameterException e) {
      return; // The second pass finds the same fault and reports it.
    }
    if (pass.file != null) {
      SettingsFile settings = new SettingsFile(pass.file);
      line.getSubcommands().values().stream()
          .filter(command -> command.getCommandSpec().findOption(OPTION) != null)
          .forEach(
              command -> {
                command.setDefaultValueProvider(settings);
                // Lists are split at the separator alone, whatever quotes their entries have.
                command.getCommandSpec().parser().splitQuotedStrings(true);
              });
    }
  }

  @Override
  public @Nullable String defaultValue(ArgSpec arg) {
    Entry entry = entry(arg);
    if (entry == null) {
      return null;
    }
    if (arg.isMultiValue()) {
      return String.join(arg.splitRegex(), entry.values());
    }
    if (entry.values().size() == 1 || arg.type() == NumberSelection.class) {
      return String.join(",", entry.values());
    }
    throw InputException.of(
        "%s:%s: expected %s to be a single value, found %s",
        file, entry.line(), key(arg), entry.values());
  }

  /** Where the value of an argument stands that the command line does not give, or null. */
  public static @Nullable String location(ArgSpec arg) {
    if (arg.stringValues().isEmpty()
        && arg.command() != null
        && arg.command().defaultValueProvider() instanceof SettingsFile settings) {
      Entry entry = settings.entry(arg);
      return entry == null ? null : settings.file + ":" + entry.line() + ": '" + key(arg) + "'";
    }
    return null;
  }

  /**
   * Everything that a command line and its settings file give, as the entries of a settings file
   * that may stand in any folder.
   */
  public static Map<String, List<String>> given(CommandSpec command) {
    Path folder = Path.of("").toAbsolutePath();
    Map<String, List<String>> given = new LinkedHashMap<>();
    settings(command)
        .forEach(
            (key, arg) -> {
              List<String> values = arg.stringValues();
              if (!values.isEmpty()) {
                given.put(key, values.stream().map(text -> resolved(arg, folder, text)).toList());
              } else if (command.defaultValueProvider() instanceof SettingsFile settings) {
                Entry entry = settings.entry(arg);
                if (entry != null) {
                  given.put(key, entry.values());
                }
              }
            });
    return given;
  }

  /** The arguments that a settings file may hold, by key. */
  private static Map<String, ArgSpec> settings(CommandSpec command) {
    Map<String, ArgSpec> settings = new LinkedHashMap<>();
    CommandSpec group = command.mixins().get(RunSettings.NAME);
    if (group != null) {
      group.positionalParameters().forEach(arg -> settings.put(key(arg), arg));
      group.options().forEach(arg -> settings.put(key(arg), arg));
      settings.remove(OPTION.substring(2));
    }
    return settings;
  }

  private static String key(ArgSpec arg) {
    return arg instanceof OptionSpec option
        ? option.longestName().substring(2).replace('-', '_')
        : DEFINITIONS;
  }

  private @Nullable Entry entry(ArgSpec arg) {
    Map<String, ArgSpec> settings = settings(arg.command());
    if (settings.get(key(arg)) != arg) {
      return null;
    }
    Map<String, Entry> read = entries;
    if (read == null) {
      read = read(settings);
      entries = read;
    }
    return read.get(key(arg));
  }

  private Map<String, Entry> read(Map<String, ArgSpec> settings) {
    Fields fields = TextFile.settings(file, "the settings").allow(List.copyOf(settings.keySet()));
    Path folder = file.toAbsolutePath().normalize().resolveSibling("");
    Map<String, Entry> read = new LinkedHashMap<>();
    for (String key : fields.names()) {
      ArgSpec arg = Objects.requireNonNull(settings.get(key));
      List<String> values = fields.oneOrMore(key, text -> resolved(arg, folder, checked(text)));
      read.put(key, new Entry(fields.place(key).line(), values));
    }
    return read;
  }

  private static String checked(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the character U+0000 cannot stand in a value");
    }
    return text;
  }

  /** A value with its paths absolute; {@code folder} is where relative ones start. */
  private static String resolved(ArgSpec arg, Path folder, String text) {
    if (arg.auxiliaryTypes()[0] == Path.class) {
      DataRequest.Labelled labelled = DataRequest.labelled(text);
      String label = labelled.label();
      return label.isEmpty() || Files.exists(folder.resolve(text))
          ? folder.resolve(text).toString()
          : label + "=" + folder.resolve(labelled.path());
    }
    if (arg.isPositional()) {
      // A name without a file is that of a definition that comes with the program.
      return Stream.of("", ".yaml", ".yml")
          .map(ending -> folder.resolve(text + ending))
          .filter(Files::isRegularFile)
          .map(Path::toString)
          .findFirst()
          .orElse(text);
    }
    return text;
  }
}
