package org.starlingqcd.backend.hip;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The versions of the GNU C library that a library asks for. */
public final class GlibcVersions {
  private static final Pattern VERSION = Pattern.compile("GLIBC_2\\.(\\d+)");

  private GlibcVersions() {}

  /** Those above 2.{@code minor}, as {@code objdump -T} lists them. */
  public static List<String> above(int minor, byte[] library) {
    return VERSION
        .matcher(new String(library, StandardCharsets.ISO_8859_1))
        .results()
        .filter(found -> Integer.parseInt(found.group(1)) > minor)
        .map(found -> found.group())
        .distinct()
        .toList();
  }
}
