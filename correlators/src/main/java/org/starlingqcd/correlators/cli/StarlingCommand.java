package org.starlingqcd.correlators.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.correlators.cli.CommandModule.Entry;
import org.starlingqcd.correlators.cli.CommandModule.Group;
import org.starlingqcd.correlators.cli.Console.PrintableWriter;
import org.starlingqcd.correlators.cli.Console.StandardOutput;
import org.starlingqcd.correlators.cli.option.HelpSection;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.Shard;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code starling}. Every subcommand has its own class; modules above this one add
 * theirs through {@link CommandModule}.
 *
 * <p>Exit status: 0 success, 1 the computation failed, 2 wrong usage or wrong input. An error is
 * one message on standard error; {@code --debug} adds the stack trace.
 */
@Command(
    name = "starling",
    description = "Lattice-QCD correlation functions from distillation data.",
    versionProvider = StarlingCommand.ProgramVersion.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    addMethodSubcommands = false,
    usageHelpAutoWidth = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:success", "1:the computation failed", "2:wrong usage or wrong input"})
public final class StarlingCommand implements Callable<Integer> {
  /** What a newcomer sees who types the name of the program. */
  private static final String FIRST_SCREEN =
      """
      Lattice-QCD correlation functions from distillation data.

        starling definitions                  what comes with the program, by name
        starling plan rho_pipi                what a run takes: work, memory, time
        starling run rho_pipi --data DIR      computes the correlators
        starling analyze results/rho_pipi.h5  averages, effective masses, plots

      `starling --help` lists all commands, `starling help run` the options of one.
      """;

  private static final String HELP = "help";

  /** The command that writes about all others. */
  private static final String MANUAL = "manual";

  /**
   * The commands of this module, in the order in which the help lists them. In a class of their own
   * because they take a tenth of a second: until then the program already answers signals.
   */
  private static final class Own {
    static final List<Entry> COMMANDS =
        List.of(
            Group.CORRELATORS.command(
                "run", "compute correlators and write a file for each definition", RunCommand::new),
            Group.CORRELATORS.command(
                "plan", "what a run would do: work, memory, data, time", PlanCommand::new),
            Group.CORRELATORS.command(
                "definitions",
                "the definitions that come with the program",
                DefinitionsCommand::new),
            Group.CORRELATORS.command(
                "expand", "the operators of a definition in quark fields", ExpandCommand::new),
            Group.CORRELATORS.command(
                "operators",
                "irreps of products of hadrons; operators of a channel",
                OperatorsCommand::new),
            Group.CORRELATORS.command(
                "merge", "join the parts of a run in shards", MergeCommand::new),
            Group.DATA.command(
                "inspect", "what is in data and results, and what is missing", InspectCommand::new),
            Group.DATA.command(
                "check", "test data for wrong index orders, phases and bases", CheckCommand::new),
            Group.DATA.command(
                "convert", "copy data of other programs, or to their formats", ConvertCommand::new),
            Group.DATA.command("dilute", "quark sinks of exact perambulators", DiluteCommand::new),
            Group.DATA.command("synth", "write synthetic data", SynthCommand::new),
            Group.MACHINES.command(
                "submit", "submit a run to Slurm, PBS or LSF", SubmitCommand::new),
            Group.MACHINES.command(
                "backends",
                "the devices of this machine; measure its CPU kernels",
                BackendsCommand::new),
            Group.MACHINES.command(
                "cache", "look after the block cache of this node", CacheCommand::new),
            Group.HELP.command(HELP, "the options of a command", () -> new HelpCommand()),
            Group.HELP.command(
                MANUAL, "write manual pages and completion for bash", ManualCommand::new));
  }

  /** What the command line asks the program for. */
  private record Answers(StarlingCommand command)
      implements IHelpSectionRenderer, IParameterExceptionHandler, IExecutionExceptionHandler {
    @Override
    public String render(CommandLine.Help help) {
      return Group.list(allCommands());
    }

    @Override
    public int handleExecutionException(
        Exception exception, CommandLine failed, CommandLine.ParseResult result) {
      return failure(exception, command.debug, failed.getErr());
    }

    @Override
    public int handleParseException(ParameterException exception, String[] args) {
      PrintWriter err = PrintableWriter.to(exception.getCommandLine().getErr());
      err.println("starling: " + UsageMessage.text(exception));
      if (Arrays.asList(args).contains("--debug")) {
        exception.printStackTrace(err);
      }
      return ErrorReport.WRONG_INPUT;
    }
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Also print the stack trace of an error.")
  private boolean debug;

  /** The text of {@code --version}. */
  static final class ProgramVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"starling " + Version.text()};
    }
  }

  /** Runs the program; the process exits with its status. */
  public static void main(String[] args) {
    StopSignal.expect();
    RunCommand.loadAhead(args);
    // Other programs read the output, so it is UTF-8 in every locale.
    StandardOutput stream = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    PrintWriter out = new PrintWriter(stream, true, StandardCharsets.UTF_8);
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    int status = execute(out, err, args);
    StopSignal.programEnds();
    out.flush();
    @Nullable String lost = stream.failure();
    if (lost != null) {
      err.println("starling: standard output cannot be written: " + lost);
      status = status == ErrorReport.SUCCESS ? ErrorReport.FAILED : status;
    }
    err.flush();
    System.exit(status);
  }

  /** Runs the program in this process and returns its exit status. */
  public static int execute(PrintWriter out, PrintWriter err, String... args) {
    // Scripts ask for the version often; the command line takes twice the time of the rest.
    if (args.length == 1 && args[0].equals("--version")) {
      out.println("starling " + Version.text());
      return ErrorReport.SUCCESS;
    }
    StarlingCommand command = new StarlingCommand();
    CommandLine line = new CommandLine(PreparedSpec.of(command));
    addHelp(line.getCommandSpec());
    addCommands(line, args);
    Answers answers = new Answers(command);
    ITypeConverter<Boolean> flag = StarlingCommand::flag;
    // picocli passes these settings on to the subcommands that have been added.
    line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUnmatchedOptionsAllowedAsOptionParameters(false)
        .registerConverter(NumberSelection.class, NumberSelection::parse)
        .registerConverter(MemorySize.class, MemorySize::parse)
        .registerConverter(Shard.class, Shard::parse)
        .registerConverter(Boolean.class, flag)
        .registerConverter(boolean.class, flag)
        .setParameterExceptionHandler(answers)
        .setExecutionExceptionHandler(answers);
    HelpSection.apply(line);
    line.getCommandSpec().usageMessage().commandListHeading("");
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, answers);
    SettingsFile.provideDefaults(line, args);
    try {
      return line.execute(args);
    } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
      return failure(e, command.debug, err);
    }
  }

  private static int failure(Throwable exception, boolean debug, PrintWriter err) {
    return StopSignal.isAnswered() ? ErrorReport.FAILED : ErrorReport.print(exception, debug, err);
  }

  /**
   * Adds the commands that a start needs: the one that is named or, where the name is unknown, all
   * of them, because another may have been meant. The options of all commands take a tenth of a
   * second to set up.
   */
  private static void addCommands(CommandLine line, String[] args) {
    List<String> names = Arrays.stream(args).filter(arg -> !arg.startsWith("-")).toList();
    if (names.isEmpty()) {
      // Without subcommands picocli would leave out that there are any.
      line.getCommandSpec().usageMessage().customSynopsis("starling [OPTIONS] COMMAND");
      return;
    }
    boolean aboutAnother = names.get(0).equals(HELP);
    Set<String> wanted = Set.copyOf(names.subList(0, Math.min(names.size(), aboutAnother ? 2 : 1)));
    List<Entry> own = named(wanted, Own.COMMANDS);
    List<Entry> others = List.of();
    boolean aboutAll = wanted.contains(MANUAL);
    if (aboutAll || own.size() < wanted.size()) {
      List<Entry> added = modules();
      others = named(wanted, added);
      if (aboutAll || own.size() + others.size() < wanted.size()) {
        own = Own.COMMANDS;
        others = added;
      }
    }
    add(line, own);
    add(line, others);
  }

  /** All commands, in the order in which the help lists them. */
  static List<Entry> allCommands() {
    return Stream.concat(Own.COMMANDS.stream(), modules().stream()).toList();
  }

  private static List<Entry> modules() {
    List<Entry> commands = new ArrayList<>();
    for (CommandModule module : ServiceLoader.load(CommandModule.class)) {
      commands.addAll(module.commands());
    }
    return commands;
  }

  /** Adds options that picocli answers; its own mixin would be read anew for every command. */
  private static void addHelp(CommandSpec command) {
    command
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help message and exit.")
                .build())
        .addOption(
            OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print version information and exit.")
                .build());
    command.subcommands().values().forEach(sub -> addHelp(sub.getCommandSpec()));
  }

  private static void add(CommandLine line, List<Entry> commands) {
    for (Entry entry : commands) {
      Object command = entry.make().get();
      CommandSpec spec = PreparedSpec.of(command);
      line.addSubcommand(entry.name(), spec);
      if (!(command instanceof HelpCommand)) {
        addHelp(spec);
      }
    }
  }

  private static List<Entry> named(Set<String> names, List<Entry> commands) {
    return commands.stream().filter(entry -> names.contains(entry.name())).toList();
  }

  @Override
  public Integer call() {
    PrintWriter err = Console.err(spec);
    err.print(FIRST_SCREEN);
    err.flush();
    return ErrorReport.WRONG_INPUT;
  }

  private static boolean flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new InputException("expected true or false: " + text);
    }
    return text.equals("true");
  }
}
