package org.starlingqcd.memhc.transfer;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Evicted intermediates find no room on the host: the bound on its memory, the bound on the spill
 * file or the disk is exhausted, or the disk failed. The message names the reason and the remedy.
 */
public final class SpillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("AnnotateFormatMethod")
  SpillException(@Nullable Throwable cause, String format, @Nullable Object... values) {
    super(String.format(Locale.US, format, values), cause);
  }
}
