package org.starlingqcd.hadron.input;

import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.Rows;

/**
 * A block, or some rows of it that are kept by themselves.
 *
 * @param configuration number of the configuration
 */
record StoredKey(int configuration, Input block, Rows rows) {
  StoredKey whole() {
    return rows.isAll() ? this : new StoredKey(configuration, block, Rows.ALL);
  }
}
