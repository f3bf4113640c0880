package org.starlingqcd.correlators.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Mutants;

/** Bytes of small results changed: each mutant is read or refused; nothing crashes or hangs. */
@Tag("slow")
final class DamagedResultTest {
  @TempDir Path folder;

  /** The process that reads mutants. */
  static final class Worker {
    public static void main(String[] args) throws Exception {
      Mutants.work(
          args, Worker::readAll, List.of("InputException", "Hdf5Exception", "DefinitionException"));
    }

    private static void readAll(Path path) {
      try (ResultReader reader = ResultReader.open(path)) {
        reader.finished().keySet().forEach(reader::read);
      }
    }
  }

  @Test
  void metadataWithoutChecksums() throws Exception {
    Path path = Files.copy(ResultFixture.reference("pion.h5"), folder.resolve("old.h5"));
    Mutants.assertSurvived(Worker.class, path, folder, 2);
  }

  @Test
  void metadataWithChecksums() throws Exception {
    Mutants.assertSurvived(Worker.class, small(), folder, 8);
  }

  /** Flips bits, and says all that is read then. */
  static final class BitWorker {
    public static void main(String[] args) throws Exception {
      Mutants.flipBits(args, BitWorker::all, List.of("InputException", "Hdf5Exception"));
    }

    private static String all(Path path) {
      StringBuilder text = new StringBuilder();
      try (ResultReader reader = ResultReader.open(path)) {
        text.append(reader.header()).append(reader.runs());
        text.append(reader.requestedConfigurations()).append(reader.requestedSources());
        for (int number : reader.finished().keySet()) {
          ResultReader.Configuration read = reader.read(number);
          text.append(number);
          read.correlators().forEach((t, c) -> text.append(t).append(Arrays.toString(c)));
          read.onePoint().forEach((t, c) -> text.append(t).append(Arrays.toString(c)));
        }
      }
      return text.toString();
    }
  }

  /** Bits of every byte; a soak flips all. */
  @Test
  void anyFlippedBitIsToldOrChangesNothing() throws Exception {
    Mutants.assertFlipsAreTold(BitWorker.class, small(), folder, 3);
  }

  /** A result with each kind of dataset and attribute. */
  private Path small() throws Exception {
    Path path = folder.resolve("new.h5");
    ResultHeader header =
        ResultFixture.header(
            "x", "ensemble", "text", List.of("a"), List.of(1), List.of(0), true, OptionalInt.of(8));
    ResultFile.Configuration units = new ResultFile.Configuration();
    units.add(new ResultUnit(1, 0, new double[] {1, 2}, new int[] {0}, new double[] {3, 4}));
    ResultFile.Requested requested = ResultFile.Requested.of(List.of(1), List.of(0));
    ResultLocation.at(path)
        .replace(
            path,
            file -> {
              ResultFile.writeRoot(file, "id", header, List.of("{}"), List.of("other"), requested);
              ResultFile.write(file, 1, units, header);
            });
    return path;
  }
}
