package org.starlingqcd.correlators.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code starling}; every command of its own class.
 *
 * <p>Exit status: 0 success, 1 the computation failed, 2 wrong usage or wrong input. An error is
 * one message on standard error; {@code --debug} adds the stack trace.
 */
@Command(
    name = "starling",
    description = "Lattice-QCD correlation functions from distillation data.",
    mixinStandardHelpOptions = true,
    versionProvider = StarlingCommand.ProgramVersion.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:success", "1:the computation failed", "2:wrong usage or wrong input"},
    // One line for each command, so that commands can be added side by side.
    subcommands = {
      AnalyzeCommand.class,
      BackendsCommand.class,
      BenchCommand.class,
      GpuCheckCommand.class,
      ReplayCommand.class,
      ExpandCommand.class,
      MergeCommand.class,
      OperatorsCommand.class,
      PlanCommand.class,
      RunCommand.class,
      InspectCommand.class,
      SynthCommand.class,
      SubmitCommand.class,
    })
public final class StarlingCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "With an error, print the stack trace too.")
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
    // Text is UTF-8 whatever the locale says: other programs read it.
    PrintWriter out =
        new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    int status = execute(out, err, args);
    out.flush();
    err.flush();
    System.exit(status);
  }

  /** Runs the program in this process and answers with its exit status. */
  public static int execute(PrintWriter out, PrintWriter err, String... args) {
    StarlingCommand command = new StarlingCommand();
    CommandLine line =
        new CommandLine(command)
            .setOut(out)
            .setErr(err)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler(StarlingCommand::wrongUsage)
            .setExecutionExceptionHandler(
                (exception, failed, result) -> ErrorReport.print(exception, command.debug, err));
    try {
      return line.execute(args);
    } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
      return ErrorReport.print(e, command.debug, err);
    }
  }

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "a command is missing");
    }
  }

  private static int wrongUsage(ParameterException exception, String[] args) {
    CommandLine line = exception.getCommandLine();
    PrintWriter err = line.getErr();
    StringBuilder message = new StringBuilder("starling: ").append(exception.getMessage());
    if (exception instanceof CommandLine.UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      message.append("; did you mean ").append(String.join(" or ", unmatched.getSuggestions()));
      message.append('?');
    }
    message.append(" (`").append(line.getCommandSpec().qualifiedName()).append(" --help`)");
    err.println(message);
    for (String arg : args) {
      if (arg.equals("--debug")) {
        exception.printStackTrace(err);
        break;
      }
    }
    return ErrorReport.WRONG_INPUT;
  }
}
