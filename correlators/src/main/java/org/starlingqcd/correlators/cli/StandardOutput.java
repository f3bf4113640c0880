package org.starlingqcd.correlators.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, which remembers that something could not be written; the writers above it do not
 * tell.
 */
final class StandardOutput extends FilterOutputStream {
  /** The reader has gone, as {@code head} does when it has seen enough: it misses nothing. */
  private static final String READER_GONE = "Broken pipe";

  private @Nullable String failure;

  StandardOutput(OutputStream target) {
    super(target);
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
      throw e;
    }
  }

  /** Why something could not be written that somebody misses; null if nothing. */
  @Nullable String failure() {
    return READER_GONE.equals(failure) ? null : failure;
  }
}
