package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.cli.Cli;

/**
 * A start sets up only the command that its first argument names; whoever asks for help sees no
 * difference.
 */
final class CommandHelpTest {
  private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z][a-z-]*)  +[a-z]");

  @Test
  void commandSetUpAlone_isThatAmongAllOthers() {
    String list = Cli.run("--help").out();
    List<String> commands =
        COMMAND
            .matcher(list)
            .results()
            .map(found -> found.group(1))
            .filter(name -> !name.equals("help"))
            .toList();
    assertTrue(
        commands.containsAll(List.of("run", "elementals", "cache", "analyze", "replay")), list);
    for (String command : commands) {
      assertEquals(Cli.run("help", command).out(), Cli.run(command, "--help").out());
    }
  }

  @Test
  void optionBeforeTheCommand_isAsBefore() {
    assertEquals(Cli.run("run", "--help").out(), Cli.run("--debug", "run", "--help").out());
  }
}
