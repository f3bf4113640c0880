package org.starlingqcd.blockcache;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A cache that this program cannot use; the message says where and why. */
public final class UnusableCacheException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableCacheException(String message) {
    super(message);
  }

  UnusableCacheException(Path directory, Exception cause) {
    super(directory + ": " + reason(cause), cause);
  }

  /** What an exception says of its reason. */
  static String reason(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "the directory is gone";
    }
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
