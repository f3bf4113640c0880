package org.starlingqcd.hadron.hdf5;

/** The kind of object at a path of an HDF5 file. */
public enum ObjectKind {
  /** No object, or a dangling link. */
  NONE,
  /** A group. */
  GROUP,
  /** A dataset. */
  DATASET,
  /** Something else. */
  OTHER
}
