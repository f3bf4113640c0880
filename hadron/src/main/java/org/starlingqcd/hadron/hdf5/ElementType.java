package org.starlingqcd.hadron.hdf5;

/** The type of the elements of a dataset. */
public enum ElementType {
  /**
   * A compound of two floats: {@code {r, i}}, as h5py writes complex numbers, {@code {re, im}} as
   * Grid does, or {@code {real, imag}}.
   */
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
