package org.starlingqcd.correlators.run;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The machine. */
final class Host {
  private Host() {}

  /** Its name, or "unknown". */
  static String name() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
