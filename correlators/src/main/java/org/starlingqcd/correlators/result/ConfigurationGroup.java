package org.starlingqcd.correlators.result;

import java.util.regex.Pattern;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Names of the groups of a result's configurations. */
final class ConfigurationGroup {
  private static final Pattern NAME = Pattern.compile("cfg_([0-9]{4,})");

  private ConfigurationGroup() {}

  /** {@code cfg_0001}, with at least four digits. */
  static String name(int configuration) {
    String digits = Integer.toString(configuration);
    return "cfg_" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }

  /** Whether a name is that of some configuration's group. */
  static boolean isOne(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * The configuration of a group.
   *
   * @throws InputException when no configuration has this group; the message names file and group
   */
  static int number(Hdf5File file, String group) {
    try {
      int number = Integer.parseInt(group.substring(group.indexOf('_') + 1));
      if (name(number).equals(group)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Beyond 2^31 - 1.
    }
    throw new InputException(
        file.path()
            + ": '"
            + group
            + "': expected the number of a configuration from 0 to 2147483647 with at least four"
            + " digits and no more zeros before it");
  }
}
