package org.starlingqcd.blockcache;

/** A cache that this program cannot use; the message says where and why. */
public final class UnusableCacheException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableCacheException(String message) {
    super(message);
  }

  UnusableCacheException(String message, Throwable cause) {
    super(message, cause);
  }
}
