package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The number of a configuration as names of files have it. */
final class ConfigurationNumber {
  private static final List<Pattern> PATTERNS =
      List.of(
          Pattern.compile("\\.sdb(\\d{1,9})$"),
          Pattern.compile(
              "(?:^|[^A-Za-z])(?:cfg|conf|config|configuration)[_.-]?(\\d{1,9})(?!\\d)"));

  private ConfigurationNumber() {}

  /** The number in {@code x.sdb1000} or {@code x_cfg_1000.sdb}; null when the name has none. */
  static @Nullable Long of(Path path) {
    String name = path.getFileName().toString();
    for (Pattern pattern : PATTERNS) {
      Matcher matcher = pattern.matcher(name);
      if (matcher.find()) {
        return Long.valueOf(matcher.group(1));
      }
    }
    return null;
  }
}
