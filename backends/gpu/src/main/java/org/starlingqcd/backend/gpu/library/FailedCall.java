package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.OutOfDeviceMemoryException;

/** Exceptions for failed calls of a vendor's library. */
public final class FailedCall {
  private FailedCall() {}

  /**
   * The exception for a call.
   *
   * @param call name of the library's function
   * @param words the library's description of the status
   * @param arguments names and values in turn; addresses are passed as text ({@link #address})
   */
  public static BackendException of(String call, String words, Object... arguments) {
    return new BackendException(message(call, words, arguments));
  }

  /** The exception for an allocation of {@code bytes} that the library refused. */
  static OutOfDeviceMemoryException outOfMemory(String call, String words, long bytes) {
    return new OutOfDeviceMemoryException(message(call, words, "bytes", bytes), bytes);
  }

  /** An address as text. */
  public static String address(long address) {
    return "0x" + Long.toHexString(address);
  }

  private static String message(String call, String words, Object... arguments) {
    StringBuilder text = new StringBuilder(call).append('(');
    for (int i = 0; i < arguments.length; i += 2) {
      text.append(i == 0 ? "" : ", ").append(arguments[i]).append('=').append(arguments[i + 1]);
    }
    return text.append("): ").append(words).toString();
  }
}
