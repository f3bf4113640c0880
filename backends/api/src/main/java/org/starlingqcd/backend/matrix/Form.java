package org.starlingqcd.backend.matrix;

/** The form in which a call reads a matrix. */
public enum Form {
  /** As it is. */
  PLAIN,

  /** Rows and columns exchanged. */
  TRANSPOSED,

  /** Rows and columns exchanged, and numbers conjugated; for real numbers the transpose. */
  ADJOINT;

  /** Whether rows and columns are exchanged. */
  public boolean exchanges() {
    return this != PLAIN;
  }
}
