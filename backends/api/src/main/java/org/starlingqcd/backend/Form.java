package org.starlingqcd.backend;

/** The form in which a call reads a matrix. */
public enum Form {
  /** As it is. */
  PLAIN(0),

  /** Rows and columns exchanged. */
  TRANSPOSED(1),

  /** Rows and columns exchanged, and numbers conjugated; for real numbers the transpose. */
  ADJOINT(2);

  private final int code;

  Form(int code) {
    this.code = code;
  }

  /** A number for it in calls of native code: 0 plain, 1 transposed, 2 adjoint. */
  public int code() {
    return code;
  }

  /** Whether rows and columns are exchanged. */
  public boolean exchanges() {
    return this != PLAIN;
  }
}
