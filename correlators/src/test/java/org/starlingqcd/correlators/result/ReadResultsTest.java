package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class ReadResultsTest {
  @TempDir Path folder;

  @Test
  void unchangedResult_isReadOnce() throws Exception {
    Path path = Files.copy(ResultFixture.reference("pion.h5"), folder.resolve("pion.h5"));
    ResultFile.Contents first = ReadResults.checked(path);
    assertSame(first, ReadResults.checked(path));
    assertSame(first, ReadResults.unchecked(path));
  }

  @Test
  void changedResult_isReadAgain() throws Exception {
    Path path = Files.copy(ResultFixture.reference("pion.h5"), folder.resolve("pion.h5"));
    ResultFile.Contents first = ReadResults.checked(path);
    String gone = ResultFile.group(first.finished().firstKey());
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.delete(gone + "/correlator");
    }
    assertThrows(InputException.class, () -> ReadResults.checked(path));
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.delete(gone);
    }
    ResultFile.Contents second = ReadResults.checked(path);
    assertNotSame(first, second);
    assertEquals(first.finished().size() - 1, second.finished().size());
  }

  /** A result with that many configurations of one source. */
  private Path result(int configurations) {
    Path path = folder.resolve(configurations + ".h5");
    List<Integer> numbers = IntStream.range(0, configurations).boxed().toList();
    ResultHeader header =
        ResultFixture.header(
            "x",
            "ensemble",
            "text",
            List.of("pi"),
            List.of(),
            List.of(0),
            false,
            OptionalInt.of(4));
    try (Hdf5File file = Hdf5File.create(path)) {
      ResultFile.writeRoot(
          file, "id", header, List.of(), List.of(), ResultFile.Requested.of(numbers, List.of(0)));
      for (int number : numbers) {
        ResultFile.Configuration units = new ResultFile.Configuration();
        units.add(new ResultUnit(number, 0, new double[] {1, 0}, new int[0], new double[0]));
        ResultFile.write(file, number, units, header);
      }
    }
    return path;
  }

  private static long readCalls() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith("syscr: ")) {
        return Long.parseLong(line.substring("syscr: ".length()));
      }
    }
    throw new AssertionError("no syscr in /proc/self/io");
  }

  /** Calls that read, and bytes of objects, to check the configurations of a result. */
  private static long[] cost(Path path, int configurations) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long calls = readCalls();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    assertEquals(configurations, ReadResults.checked(path).finished().size());
    return new long[] {
      readCalls() - calls, threads.getCurrentThreadAllocatedBytes() - bytes,
    };
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void cost_growsAsTheNumberOfConfigurations() throws Exception {
    cost(result(100), 100); // Classes are loaded before anything is counted.
    long[] few = cost(result(250), 250);
    long[] many = cost(result(2_000), 2_000);
    for (int k = 0; k < few.length; k++) {
      assertTrue(many[k] <= 12 * few[k], many[k] + " for 8 times as much as " + few[k]);
    }
    assertTrue(many[0] <= 20_000, many[0] + " calls for 2000 configurations");
  }

  @Test
  void unitsOfALargeResult_areKeptUntilItChanges() throws Exception {
    String home = System.setProperty("user.home", folder.toString());
    try {
      Path path = result(2_000);
      Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(100)));
      long[] first = cost(path, 2_000);
      // Another process has not read it yet; this one takes another name for another file.
      long[] next = cost(folder.resolve("../" + folder.getFileName() + "/2000.h5"), 2_000);
      assertTrue(next[1] < first[1] / 2, next[1] + " bytes of objects after " + first[1]);
      try (Hdf5File file = Hdf5File.openForUpdate(path)) {
        file.delete(ResultFile.group(7));
      }
      assertEquals(1_999, ReadResults.checked(path).finished().size());
    } finally {
      System.setProperty("user.home", home);
    }
  }
}
