package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.InputException;

/** A job's script: directives of the batch system, then what the shell runs. */
final class Script {
  /** Names that a directive takes in every batch system as they are. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+=@-]+");

  private final StringBuilder text = new StringBuilder("#!/usr/bin/env bash\n");
  private final String mark;

  /**
   * A script without directives.
   *
   * @param mark how a directive begins, as {@code #SBATCH}
   */
  Script(String mark) {
    this.mark = mark;
  }

  /** A directive with a value, unless that is empty. */
  Script set(String option, String value) {
    return value.isEmpty() ? this : add(option + value);
  }

  /** A directive with a number, unless that is 0. */
  Script set(String option, int value) {
    return value == 0 ? this : add(option + value);
  }

  /** A directive. */
  Script add(String directive) {
    text.append(mark).append(' ').append(directive).append('\n');
    return this;
  }

  /** Directives. */
  Script addAll(List<String> directives) {
    directives.forEach(this::add);
    return this;
  }

  /** The whole text with the command that the shell runs. */
  String with(Site site, String command) {
    text.append("set -euo pipefail\n");
    site.setup().forEach(line -> text.append(line).append('\n'));
    return text.append(command).append('\n').toString();
  }

  /** A log in a folder whose name needs no quotes. */
  static String plainLog(String batchSystem, Path folder, String log) {
    if (!PLAIN.matcher(folder.toString()).matches()) {
      throw new InputException(
          "--out: "
              + batchSystem
              + " cannot write its logs to "
              + folder
              + ": a folder's name in a job's script has letters, digits and _ . / + = @ - only; give"
              + " another --out");
    }
    return folder + "/" + log;
  }

  /** Refuses what a site file asks for and a batch system does not have. */
  static void refuseQos(String batchSystem, Site site, String instead) {
    if (!site.task().qos().isEmpty() || !site.merge().qos().isEmpty()) {
      throw new InputException(
          "--site: 'qos': "
              + batchSystem
              + " knows none; leave it out, or write your site's option for it under options, such"
              + " as "
              + instead);
    }
  }
}
