package org.starlingqcd.hadron.hdf5;

/** The type of the elements of a dataset. */
public enum ElementType {
  /** The compound {@code {r, i}} of floats, as h5py writes complex numbers. */
  COMPLEX,
  /** A real floating-point number. */
  REAL,
  /** An integer, a boolean or an enumeration. */
  INTEGER,
  /** A string. */
  STRING,
  /** Any other type; this layer cannot read it. */
  OTHER
}
