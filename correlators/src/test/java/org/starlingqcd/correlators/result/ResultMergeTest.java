package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.starlingqcd.correlators.result.ComputingProcess.HEADER;
import static org.starlingqcd.correlators.result.ComputingProcess.unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class ResultMergeTest {
  @TempDir Path folder;

  private ResultStore open(Path part) {
    ResultRequest request =
        new ResultRequest(List.of(1), List.of(0, 1), false, Duration.ofHours(1));
    return ResultStore.open(part, HEADER, request);
  }

  @Test
  @Timeout(60)
  void journalOfAKilledPart_isMergedToo_whereverTheTargetLies() throws IOException {
    Path part = folder.resolve("x.shard-1-of-1.h5");
    try (ResultStore store = open(part)) {
      store.append(unit(1, 0));
    }
    byte[] merged = Files.readAllBytes(part);
    Path journals = folder.resolve("x.shard-1-of-1.journal");
    byte[] journal;
    try (ResultStore store = open(part)) {
      store.append(unit(1, 1));
      try (Stream<Path> files = Files.list(journals)) {
        Path units =
            files.filter(path -> path.toString().endsWith(".units")).findFirst().orElseThrow();
        journal = Files.readAllBytes(units);
      }
    }
    for (Path target : List.of(folder.resolve("x.h5"), folder.resolve("elsewhere/x.h5"))) {
      Files.write(part, merged);
      Files.createDirectories(journals);
      Files.write(journals.resolve("left.units"), journal);
      ResultMerge.Report report = ResultMerge.merge(List.of(part), target, false, false);
      assertEquals(2, report.units());
      assertFalse(Files.exists(journals));
    }
  }
}
