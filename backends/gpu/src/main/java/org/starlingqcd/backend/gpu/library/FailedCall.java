package org.starlingqcd.backend.gpu.library;

import java.util.Set;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.OutOfDeviceMemoryException;

/** Exceptions for failed calls of a vendor's library. */
public final class FailedCall {
  /** Arguments that are addresses or handles. */
  private static final Set<String> HEXADECIMAL =
      Set.of("address", "target", "source", "stream", "event", "handle", "first", "second");

  private FailedCall() {}

  /**
   * The exception for a call.
   *
   * @param call name of the library's function
   * @param words the library's description of the status
   * @param names the names of the arguments, with blanks between them
   * @param arguments their values
   */
  public static BackendException of(String call, String words, String names, Object... arguments) {
    return new BackendException(message(call, words, names, arguments));
  }

  /** The exception for an allocation of {@code bytes} that the library refused. */
  static OutOfDeviceMemoryException outOfMemory(String call, String words, long bytes) {
    return new OutOfDeviceMemoryException(message(call, words, "bytes", bytes), bytes);
  }

  private static String message(String call, String words, String names, Object... arguments) {
    StringBuilder text = new StringBuilder(call).append('(');
    String[] name = names.split(" ");
    for (int i = 0; i < arguments.length; i++) {
      text.append(i == 0 ? "" : ", ").append(name[i]).append('=');
      boolean address = HEXADECIMAL.contains(name[i]) || name[i].length() == 1;
      text.append(address ? "0x" + Long.toHexString((long) arguments[i]) : arguments[i]);
    }
    return text.append("): ").append(words).toString();
  }
}
