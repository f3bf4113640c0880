package org.starlingqcd.backend.cpu;

import java.io.File;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The compilers that the build found. */
public final class Compilers {
  private Compilers() {}

  /** Whether the build created the JNI library. */
  public static boolean hasCxx() {
    return "Linux".equals(System.getProperty("os.name"))
        && Arrays.stream(System.getenv("PATH").split(Pattern.quote(File.pathSeparator)))
            .anyMatch(folder -> new File(folder, "g++").canExecute());
  }
}
