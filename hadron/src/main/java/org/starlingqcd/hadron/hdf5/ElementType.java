package org.starlingqcd.hadron.hdf5;

/** What one element of a dataset is. */
public enum ElementType {
  /** The compound {@code {r, i}} of floats, as h5py writes complex numbers. */
  COMPLEX,
  /** A real floating-point number. */
  REAL,
  /** An integer, a boolean or an enumeration. */
  INTEGER,
  /** A string. */
  STRING,
  /** Anything else; it cannot be read through this layer. */
  OTHER
}
