package org.starlingqcd.memhc.transfer;

import org.jspecify.annotations.Nullable;

/**
 * Intermediates that had to leave the device find no room on the host: its memory bound, the bound
 * of the spill file or the disk is exhausted, or the disk failed. The message says which, and what
 * would help.
 */
public final class SpillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SpillException(String message) {
    this(message, null);
  }

  SpillException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
