package org.starlingqcd.backend.cpu.blas;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sizes of the processor's caches, as Linux reports them. */
public final class Caches {
  private static final Path FOLDER = Path.of("/sys/devices/system/cpu/cpu0/cache");

  /** What most processors have at least, where nothing is known. */
  private static final long USUAL_SECOND = 512L << 10;

  private static final long SECOND = secondLevel(FOLDER);

  private Caches() {}

  /** Bytes of the second-level cache of a core. */
  public static long secondLevel() {
    return SECOND;
  }

  /** The same as described by a folder of Linux's {@code sysfs}; a usual size if it is missing. */
  static long secondLevel(Path folder) {
    if (!Files.isDirectory(folder)) {
      return USUAL_SECOND;
    }
    try (DirectoryStream<Path> caches = Files.newDirectoryStream(folder, "index*")) {
      for (Path cache : caches) {
        if (read(cache.resolve("level")).equals("2")) {
          return bytes(read(cache.resolve("size")));
        }
      }
    } catch (IOException | NumberFormatException unreadable) {
      return USUAL_SECOND;
    }
    return USUAL_SECOND;
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file).trim();
  }

  /** The bytes of a size such as {@code 1024K}. */
  private static long bytes(String size) {
    String number = size.replaceAll("[KM]$", "");
    int shift = size.endsWith("K") ? 10 : size.endsWith("M") ? 20 : 0;
    return Long.parseLong(number) << shift;
  }
}
