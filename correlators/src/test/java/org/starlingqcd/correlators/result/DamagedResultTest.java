package org.starlingqcd.correlators.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.hadron.hdf5.Hdf5File;
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
    Path path = folder.resolve("new.h5");
    ResultHeader header =
        new ResultHeader(
            "x",
            "ensemble",
            "text",
            List.of("a"),
            List.of(),
            List.of(0),
            true,
            OptionalInt.of(8),
            Precision.DOUBLE,
            null);
    ResultFile.Configuration units = new ResultFile.Configuration();
    units.add(new ResultUnit(1, 0, new double[] {1, 2}, new int[] {0}, new double[] {3, 4}));
    try (Hdf5File file = Hdf5File.create(path)) {
      ResultFile.writeRoot(
          file,
          "id",
          header,
          List.of("{}"),
          List.of(),
          ResultFile.Requested.of(List.of(1), List.of(0)));
      ResultFile.write(file, 1, units, header);
    }
    Mutants.assertSurvived(Worker.class, path, folder, 8);
  }
}
