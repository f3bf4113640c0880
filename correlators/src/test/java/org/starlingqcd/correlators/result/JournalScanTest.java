package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ComputingProcess.unit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.Journal.JournalScan;

/** What is read of a damaged journal. */
final class JournalScanTest {
  private static final int UNITS = 6;

  @TempDir Path folder;
  private final String id = UUID.randomUUID().toString();
  private Path file = Path.of("");
  private byte[] bytes = {};

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("a.units");
    try (Journal journal = Journal.create(file, id)) {
      for (int source = 0; source < UNITS; source++) {
        journal.append(unit(7, source));
      }
    }
    bytes = Files.readAllBytes(file);
  }

  private @Nullable JournalScan scan(byte[] contents, String result) throws IOException {
    Files.write(file, contents);
    try (FileChannel channel = FileChannel.open(file)) {
      JournalScan scan = JournalScan.of(file, channel, result, 0);
      if (scan != null) {
        for (Journal.Frame frame : scan.frames()) {
          ResultUnit read = Journal.read(channel, frame);
          assertEquals(7, read.configuration());
          assertEquals(frame.source(), read.source());
          assertTrue(Arrays.equals(unit(7, read.source()).correlator(), read.correlator()));
        }
      }
      return scan;
    }
  }

  private static List<Integer> sources(@Nullable JournalScan scan) {
    return scan == null ? List.of() : scan.frames().stream().map(Journal.Frame::source).toList();
  }

  @Test
  void anyFlippedBit_losesAtMostTheUnitThatItIsIn_andIsTold() throws IOException {
    int record = (bytes.length - Journal.HEADER) / UNITS;
    for (int place = 0; place < bytes.length; place++) {
      byte[] damaged = bytes.clone();
      damaged[place] ^= (byte) (1 << place % 8);
      JournalScan scan = scan(damaged, id);
      List<Integer> expected = new ArrayList<>(IntStream.range(0, UNITS).boxed().toList());
      if (place >= Journal.HEADER) {
        expected.remove((place - Journal.HEADER) / record);
        assertTrue(scan != null && scan.lost().size() == 1, "no word about byte " + place);
      }
      assertEquals(expected, sources(scan), "byte " + place);
    }
  }

  @Test
  void bytesThatAreMissingOrZeroOrInserted_loseTheirUnitsOnly() throws IOException {
    int record = (bytes.length - Journal.HEADER) / UNITS;
    int second = Journal.HEADER + record;
    ByteBuffer cut = ByteBuffer.allocate(bytes.length - 5);
    cut.put(bytes, 0, second + 40).put(bytes, second + 45, bytes.length - second - 45);
    assertEquals(List.of(0, 2, 3, 4, 5), sources(scan(cut.array(), id)));
    byte[] zero = bytes.clone();
    Arrays.fill(zero, second + 10, second + 10 + record, (byte) 0);
    assertEquals(List.of(0, 3, 4, 5), sources(scan(zero, id)));
    ByteBuffer inserted = ByteBuffer.allocate(bytes.length + 100_000);
    inserted.put(bytes, 0, second).position(second + 100_000).put(bytes, second, 5 * record);
    assertEquals(List.of(0, 1, 2, 3, 4, 5), sources(scan(inserted.array(), id)));
  }

  @Test
  void recordWithoutAnEnd_isToldWithWhatIsThere() throws IOException {
    for (int cut : new int[] {1, 100, bytes.length / UNITS - Journal.HEADER}) {
      JournalScan scan = scan(Arrays.copyOf(bytes, bytes.length - cut), id);
      assertEquals(List.of(0, 1, 2, 3, 4), sources(scan));
      assertTrue(scan != null && scan.lost().size() == 1);
      assertTrue(scan.lost().get(0).contains("bytes are there"), scan.lost().toString());
    }
  }

  @Test
  void journalThatEndsBetweenUnits_saysHowManyAreGone() throws IOException {
    int record = (bytes.length - Journal.HEADER) / UNITS;
    for (int kept = 0; kept < UNITS; kept++) {
      JournalScan scan = scan(Arrays.copyOf(bytes, Journal.HEADER + kept * record), id);
      assertEquals(IntStream.range(0, kept).boxed().toList(), sources(scan));
      int gone = UNITS - kept;
      assertEquals(
          List.of(gone + (gone == 1 ? " unit" : " units") + " at the end"),
          Objects.requireNonNull(scan).lost());
    }
    assertEquals(List.of(), Objects.requireNonNull(scan(bytes, id)).lost());
  }

  @Test
  void journalWithoutANumberOfUnits_isRead() throws IOException {
    ByteBuffer older = ByteBuffer.allocate(bytes.length - 8);
    older.put("STARJRN2".getBytes(StandardCharsets.US_ASCII)).put(bytes, 8, Journal.ID_LENGTH);
    older.put(bytes, Journal.HEADER, bytes.length - Journal.HEADER);
    JournalScan scan = Objects.requireNonNull(scan(older.array(), id));
    assertEquals(List.of(0, 1, 2, 3, 4, 5), sources(scan));
    assertEquals(List.of(), scan.lost());
  }

  @Test
  void journalOfAnotherResult_isNotRead() throws IOException {
    assertNull(scan(bytes, UUID.randomUUID().toString()));
    assertNull(scan("#include <stdio.h>".repeat(1000).getBytes(StandardCharsets.UTF_8), id));
  }
}
