package org.starlingqcd.correlators.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.RunListener;

/**
 * Progress of a run on standard error: a bar on a terminal. Elsewhere a line for a finished unit,
 * at most every second, and from time to time one with what is done, what is left, and when it
 * ends.
 *
 * <p>The launcher passes on whether standard error is a terminal; Java cannot find out itself.
 */
final class ProgressReport implements RunListener, AutoCloseable {
  private static final String TERMINAL = "starling.terminal";

  /** Steps of the bar for one unit, so that it moves within a unit. */
  private static final long STEPS = 1000;

  /** The first unit also loads the program, so that its beginning says little about the rest. */
  private static final Duration FIRST_UNIT = Duration.ofSeconds(20);

  private static final int REFRESH_MILLIS = 250;
  private static final long LINE_NANOS = 1_000_000_000;

  /** The least time between two lines about the whole run; it grows as the run goes on. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final int LINES_PER_DOUBLING = 20;
  private static final String MINUTE = "yyyy-MM-dd HH:mm";

  private final Consumer<String> lines;
  private final InstantSource clock;
  private final Supplier<ZoneId> zone;
  private final boolean terminal = Boolean.getBoolean(TERMINAL);
  private @Nullable ProgressBar bar;
  private int units;
  private int before;
  private int finished;
  private Instant begin;
  private Instant nextStatus;
  private long lastLine = System.nanoTime() - LINE_NANOS;

  ProgressReport(Consumer<String> lines, InstantSource clock, Supplier<ZoneId> zone) {
    this.lines = lines;
    this.clock = clock;
    this.zone = zone;
    begin = clock.instant();
    nextStatus = begin.plus(PAUSE);
  }

  @Override
  public void preparing(String what) {
    if (!terminal) {
      line("%s", what);
    }
  }

  @Override
  public synchronized void started(int all, int there) {
    units = all;
    before = there;
    finished = there;
    begin = clock.instant();
    nextStatus = begin.plus(PAUSE);
    if (before > 0) {
      line("%d of %d units are finished already", before, all);
    }
    if (terminal && before < all) {
      ProgressBar started =
          new ProgressBarBuilder()
              .setTaskName("computing")
              .setInitialMax(STEPS * all)
              .startsFrom(STEPS * before, Duration.ZERO)
              .setUnit(" units", STEPS)
              .setStyle(ProgressBarStyle.ASCII)
              .setEtaFunction(
                  state ->
                      remaining(
                          state.getCurrent() - state.getStart(),
                          state.getMax() - state.getCurrent(),
                          state.getElapsedAfterStart()))
              .setUpdateIntervalMillis(REFRESH_MILLIS)
              .setConsumer(new TerminalLine(System.err))
              .build();
      bar = started;
    }
  }

  /**
   * The time that is left; none as long as nobody can know it.
   *
   * @param done steps that took {@code elapsed}
   * @param left steps
   */
  static Optional<Duration> remaining(long done, long left, Duration elapsed) {
    return done > 0 && (done >= STEPS || elapsed.compareTo(FIRST_UNIT) >= 0)
        ? Optional.of(Duration.ofMillis(Math.round((double) elapsed.toMillis() * left / done)))
        : Optional.empty();
  }

  @Override
  public void unitStarted(int configuration, int source) {
    if (bar != null) {
      bar.setExtraMessage("configuration " + configuration + " source " + source);
    }
  }

  @Override
  public synchronized void progress(long done, long total) {
    long steps = total > 0 ? STEPS * done / total : 0;
    if (bar != null && total > 0) {
      bar.stepTo(STEPS * finished + steps);
    } else if (!terminal) {
      status(steps);
    }
  }

  /**
   * Says from time to time how far the run is.
   *
   * @param steps of the units that are being computed
   */
  private void status(long steps) {
    Instant now = clock.instant();
    if (finished >= units || now.isBefore(nextStatus)) {
      return;
    }
    Duration elapsed = Duration.between(begin, now);
    Duration pause = elapsed.dividedBy(LINES_PER_DOUBLING);
    nextStatus = now.plus(pause.compareTo(PAUSE) > 0 ? pause : PAUSE);
    long left = STEPS * (units - finished) - steps;
    String end =
        remaining(STEPS * (finished - before) + steps, left, elapsed)
            .map(
                rest ->
                    "; the run ends in about %s, at %s"
                        .formatted(
                            PlanCommand.PlanText.seconds(1e-3 * rest.toMillis()),
                            DateTimeFormatter.ofPattern(MINUTE)
                                .format(now.plus(rest).atZone(zone.get()))))
            .orElse("");
    double done = finished + Math.floor(10.0 * steps / STEPS) / 10;
    line("%.1f of %d units are done, %.1f are left%s", done, units, units - done, end);
  }

  @Override
  public synchronized void unitFinished(int configuration, int source, double seconds) {
    finished++;
    if (bar != null) {
      bar.stepTo(STEPS * finished);
    } else if (finished == units || System.nanoTime() - lastLine >= LINE_NANOS) {
      lastLine = System.nanoTime();
      line(
          "configuration %d, source %d: %.2f s (%d of %d)",
          configuration, source, seconds, finished, units);
    }
    if (!terminal) {
      status(0);
    }
  }

  @Override
  public void notice(String what) {
    line("%s", what);
  }

  @Override
  public void deviceLost(String device, String reason) {
    line("device %s is lost, and another computes its unit: %s", device, reason);
  }

  @Override
  public void skipped(String configuration, String reason) {
    line("left out: %s", reason);
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void line(String form, Object... values) {
    lines.accept("starling: " + String.format(Locale.US, form, values));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  /**
   * Draws a progress bar in one line of the terminal.
   *
   * <p>The library's own consumer asks JLine for the width of the terminal. JLine then restores the
   * default action of SIGINT, so that Ctrl-C would kill the program before its journal is merged.
   * The launcher passes the width instead.
   */
  private static final class TerminalLine implements ProgressBarConsumer {
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
}
