package org.starlingqcd.correlators;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Pattern;

/** The version of the program, from the build. */
public final class Version {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,40}");
  private static final String TEXT = read();

  private Version() {}

  /**
   * The version with the commit that it was built from, as {@code 0.1.0 (097a590)}; a plus sign
   * follows the commit if the sources had changed since. Without a repository there is no commit.
   */
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
      String version = properties.getProperty("version");
      String commit = properties.getProperty("commit", "");
      boolean changed = properties.getProperty("dirty", "").equals("true");
      // Maven leaves a property that it does not know as it stands.
      return COMMIT.matcher(commit).matches()
          ? version + " (" + commit + (changed ? "+)" : ")")
          : version;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
