package org.starlingqcd.hadron.hdf5.check;

/** Metadata that contradict themselves or the file; the message tells where and why. */
public final class DamageException extends Exception {
  private static final long serialVersionUID = 1L;

  DamageException(long position, String what) {
    super("damaged at byte " + position + ": " + what);
  }
}
