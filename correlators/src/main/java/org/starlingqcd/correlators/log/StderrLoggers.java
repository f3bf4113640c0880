package org.starlingqcd.correlators.log;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
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
}
