package org.starlingqcd.hadron.hdf5;

/**
 * A failure of the HDF5 library or a file that is not what was expected; the message names the
 * file, the object and HDF5's own reason.
 */
public class Hdf5Exception extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public Hdf5Exception(String message) {
    super(message);
  }
}
