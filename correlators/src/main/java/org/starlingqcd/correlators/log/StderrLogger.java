package org.starlingqcd.correlators.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Prints a message to standard error as one line, {@code starling: WARN text}, without the stack
 * trace of an exception. Information is {@code starling: text}, as a command's own lines are.
 * Control characters of a terminal become question marks.
 */
final class StderrLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  private final Level least;

  StderrLogger(String name, Level least) {
    this.name = name;
    this.least = least;
  }

  private boolean isEnabled(Level level) {
    return level.toInt() >= least.toInt();
  }

  @Override
  public boolean isTraceEnabled() {
    return isEnabled(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return isEnabled(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return isEnabled(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return isEnabled(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return isEnabled(Level.ERROR);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    System.err.println(line(level, MessageFormatter.basicArrayFormat(pattern, arguments)));
  }

  /** The line of a message. */
  static String line(Level level, @Nullable String message) {
    StringBuilder line = new StringBuilder("starling: ");
    if (level != Level.INFO) {
      line.append(level).append(" ".repeat(Math.max(1, 6 - level.toString().length())));
    }
    String text = String.valueOf(message);
    for (int k = 0; k < text.length(); k++) {
      char c = text.charAt(k);
      line.append(c != '\n' && c != '\t' && Character.isISOControl(c) ? '?' : c);
    }
    return line.toString();
  }
}
