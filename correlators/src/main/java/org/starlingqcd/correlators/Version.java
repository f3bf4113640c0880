package org.starlingqcd.correlators;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the program, from the build. */
public final class Version {
  private static final String TEXT = read();

  private Version() {}

  /** The version, as {@code 0.1.0}. */
  public static String text() {
    return TEXT;
  }

  private static String read() {
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the program");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
