package org.starlingqcd.correlators.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBarConsumer;

/**
 * Draws a progress bar in one line of the terminal.
 *
 * <p>The library's own consumer asks JLine for the width of the terminal. JLine then restores the
 * default action of SIGINT, so that Ctrl-C would kill the program before its journal is merged. The
 * launcher passes the width instead.
 */
final class TerminalLine implements ProgressBarConsumer {
  private static final int DEFAULT_COLUMNS = 80;

  private final PrintStream terminal;
  private int last;

  TerminalLine(PrintStream terminal) {
    this.terminal = terminal;
  }

  @Override
  public int getMaxRenderedLength() {
    // A character in the last column would make some terminals begin a new line.
    return Integer.getInteger("starling.columns", DEFAULT_COLUMNS) - 1;
  }

  @Override
  public void accept(String bar) {
    terminal.print("\r" + bar + " ".repeat(Math.max(0, last - bar.length())));
    terminal.flush();
    last = bar.length();
  }

  @Override
  public void close() {
    terminal.println();
    terminal.flush();
  }
}
