package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.starlingqcd.hadron.TestData;

final class PartialHeaderTest {
  private static final Path FILE = Path.of("data.sdb");

  private static PartialHeader header(long configuration, int extent, int eigenvectors) {
    return new PartialHeader("e", configuration, 4, extent, eigenvectors, null, null);
  }

  private static String refused(PartialHeader header) {
    return TestData.refusal(() -> header.complete(FILE));
  }

  @Test
  void numbersThatNoEnsembleHas_areRefused() {
    assertEquals(
        "data.sdb: the data have configuration 2147483648, expected 0 to 2147483647",
        refused(header(1L << 31, 8, 2)));
    assertEquals(
        "data.sdb: the data have temporal_extent 2147483647, expected 1 to 65536",
        refused(header(1, Integer.MAX_VALUE, 2)));
    assertEquals(
        "data.sdb: the data have num_eigenvectors 2000000000, expected 1 to 16384",
        refused(header(1, 8, 2_000_000_000)));
  }

  @Test
  void largestNumbers_areTaken() {
    assertEquals(Integer.MAX_VALUE, header(Integer.MAX_VALUE, 8, 2).complete(FILE).configuration());
  }
}
