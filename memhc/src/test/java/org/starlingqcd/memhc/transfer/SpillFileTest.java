package org.starlingqcd.memhc.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.LazyDevice;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.Workbench;

/** The spill file when somebody else writes to it, and a run that it fails. */
final class SpillFileTest {
  private static final TensorShape NODE = new TensorShape(16, 2, 1);
  private static final double[] NUMBERS = {1, 2, 3, 4};
  private static final long BYTES = 8L * NUMBERS.length;

  @TempDir Path folder;

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertEquals(1, all.size(), all.toString());
      return all.get(0);
    }
  }

  @Test
  void whatComesBack_isWhatWasWritten_orAnError() throws IOException {
    try (HostMemory memory = HostMemory.allocate(2 * BYTES);
        SpillFile file = new SpillFile(folder, 1 << 20)) {
      memory.put(0, NUMBERS, 0, NUMBERS.length);
      long first = file.place(BYTES);
      long second = file.place(BYTES);
      file.write(first, memory, BYTES);
      file.write(second, memory, BYTES);
      file.read(second, memory, BYTES, BYTES);
      double[] read = new double[NUMBERS.length];
      memory.get(NUMBERS.length, read, 0, read.length);
      assertArrayEquals(NUMBERS, read);

      try (FileChannel other = FileChannel.open(onlyFile(), StandardOpenOption.WRITE)) {
        other.write(ByteBuffer.wrap(new byte[] {1}), second + 9);
      }
      file.read(first, memory, 0, BYTES);
      SpillException damaged =
          assertThrows(SpillException.class, () -> file.read(second, memory, 0, BYTES));
      String message = String.valueOf(damaged.getMessage());
      assertTrue(message.contains(": bytes 32 to 63 are not what was written there"), message);

      // Written anew, it is right again.
      file.write(second, memory, BYTES);
      file.read(second, memory, 0, BYTES);
      try (RandomAccessFile cut = new RandomAccessFile(onlyFile().toFile(), "rw")) {
        cut.setLength(40);
      }
      assertThrows(SpillException.class, () -> file.read(second, memory, 0, BYTES));
    }
  }

  @Test
  void file_isItsUsersAlone() throws IOException {
    try (SpillFile file = new SpillFile(folder, 1 << 20)) {
      assertEquals(0, file.place(8));
      if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
        assertEquals(
            "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(onlyFile())));
      }
    }
  }

  @Test
  void linkThatLooksAbandoned_isNotFollowed() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Files.createSymbolicLink(folder.resolve("starling-spill-1.tmp"), victim);
    SpillFile.deleteAbandoned(folder);
    assertEquals("precious", Files.readString(victim));
  }

  @Test
  void failureBetweenContractions_canBeLeft() {
    Workbench bench = new Workbench();
    for (int k = 0; k < 5; k++) {
      int left = bench.add(NODE, true);
      int right = bench.add(NODE, true);
      int made = bench.add(NODE, false);
      bench.steps.add(new int[][] {{left, right}, {made}});
      bench.kept.add(made);
    }
    bench.vectorEnds.add(5);
    MemHCOptions options =
        MemHCOptions.ofBudget(3 * NODE.bytes()).withTiers(0, folder, 2 * NODE.bytes());
    LazyDevice device = new LazyDevice(options.budgetBytes(), 1);
    try (MemHC memory = MemHC.open(device, options)) {
      bench.addTo(memory);
      for (int round = 0; round < 2; round++) {
        memory.schedule(bench.queue());
        assertThrows(SpillException.class, () -> bench.run(memory, device));
        memory.abandon();
        memory.audit();
        assertEquals(0, memory.residentBytes());
      }
    }
    assertEquals(0, device.allocatedBytes());
    device.close();
  }
}
