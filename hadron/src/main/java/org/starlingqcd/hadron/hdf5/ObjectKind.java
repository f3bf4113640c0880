package org.starlingqcd.hadron.hdf5;

/** What stands at a path of an HDF5 file. */
public enum ObjectKind {
  /** Nothing, or a link that leads nowhere. */
  NONE,
  /** A group. */
  GROUP,
  /** A dataset. */
  DATASET,
  /** Something else. */
  OTHER
}
