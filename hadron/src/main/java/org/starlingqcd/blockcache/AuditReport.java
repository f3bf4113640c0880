package org.starlingqcd.blockcache;

import java.util.List;

/**
 * What an audit found.
 *
 * @param blocks blocks whose bytes were compared with their checksums
 * @param bytes bytes of these blocks
 * @param abandoned reads that processes had begun when they were killed, now forgotten
 * @param faults what is wrong, one sentence each
 */
public record AuditReport(long blocks, long bytes, int abandoned, List<String> faults) {
  /** Copies the list. */
  public AuditReport {
    faults = List.copyOf(faults);
  }

  /** Whether nothing is wrong. */
  public boolean isClean() {
    return faults.isEmpty();
  }
}
