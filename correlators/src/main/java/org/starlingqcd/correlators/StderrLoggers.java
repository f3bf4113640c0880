package org.starlingqcd.correlators;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The program's loggers, which SLF4J finds as a service. They print notices, warnings and errors;
 * the system property {@code starling.log} names another least level, such as {@code debug}.
 *
 * <p>A logging library would read a configuration and load five hundred classes at every start,
 * which takes a tenth of a second, for a line that hardly any start prints.
 */
public final class StderrLoggers implements SLF4JServiceProvider, ILoggerFactory {
  /** The name of the logger whose information users read in every run. */
  public static final String NOTICES = "starling";

  private static final String LEVEL = "starling.log";

  /** HDF5's presets are older than JavaCPP, work with it, and warn of that at every start. */
  private static final String JAVACPP = "org.bytedeco.javacpp";

  /** It warns of unused bytes in sound files; what it cannot read is an exception. */
  private static final String JHDF = "io.jhdf";

  private final Map<String, StderrLogger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();
  private final Level least = level(System.getProperty(LEVEL, ""));

  /** The level of a name; warnings for a name that there is not. */
  static Level level(String name) {
    for (Level level : Level.values()) {
      if (level.name().equals(name.toUpperCase(Locale.ROOT))) {
        return level;
      }
    }
    return Level.WARN;
  }

  @Override
  public StderrLogger getLogger(String name) {
    return loggers.computeIfAbsent(name, n -> new StderrLogger(n, least(n)));
  }

  private Level least(String name) {
    if (name.startsWith(JAVACPP) || name.startsWith(JHDF)) {
      return Level.ERROR;
    }
    return name.equals(NOTICES) && least.compareTo(Level.INFO) < 0 ? Level.INFO : least;
  }

  @Override
  public void initialize() {
    // Nothing has to be prepared.
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return this;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  /**
   * Prints a message to standard error as one line, {@code starling: WARN text}, without the stack
   * trace of an exception. Information is {@code starling: text}, as a command's own lines are.
   * Control characters of a terminal become question marks.
   */
  static final class StderrLogger extends LegacyAbstractLogger {
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
}
