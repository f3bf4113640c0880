package org.starlingqcd.memhc.transfer;

import org.jspecify.annotations.Nullable;

/**
 * Evicted intermediates find no room on the host: the bound on its memory, the bound on the spill
 * file or the disk is exhausted, or the disk failed. The message names the reason and the remedy.
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
