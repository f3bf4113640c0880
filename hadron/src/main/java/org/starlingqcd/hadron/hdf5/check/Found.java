package org.starlingqcd.hadron.hdf5.check;

import org.jspecify.annotations.Nullable;

/**
 * An object of a file, by the first link that leads to it.
 *
 * @param address where its header lies
 * @param group the group with the link; null for the root
 * @param name the name of the link
 */
record Found(long address, @Nullable Found group, String name) {
  /** Its path from the root. */
  String path() {
    if (group == null) {
      return "/";
    }
    StringBuilder path = new StringBuilder();
    for (Found at = this; at.group != null; at = at.group) {
      path.insert(0, "/" + at.name);
    }
    return path.toString();
  }
}
