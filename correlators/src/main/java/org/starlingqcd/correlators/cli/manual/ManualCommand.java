package org.starlingqcd.correlators.cli.manual;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
}
