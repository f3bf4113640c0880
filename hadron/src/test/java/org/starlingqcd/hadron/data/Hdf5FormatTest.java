package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

class Hdf5FormatTest {
  @TempDir Path folder;

  private Path file(long configuration) {
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "e",
            4,
            2,
            2,
            List.of("light"),
            List.of(0),
            List.of(Momentum.ZERO),
            List.of(),
            false,
            0,
            1);
    return SyntheticData.write(ensemble, configuration, folder, bytes -> {});
  }

  @Test
  void header_readAtRecognition_isNotUsedForAChangedFile() throws IOException {
    DataFormat format = new Hdf5Format();
    Path one = file(1);
    byte[] head = Files.readAllBytes(one);
    format.recognizes(one, head);
    assertEquals(1, configuration(format, one));
    format.recognizes(one, head);
    Files.move(file(2), one, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(one, FileTime.fromMillis(1));
    assertEquals(2, configuration(format, one));
  }

  private static long configuration(DataFormat format, Path file) {
    DataFormat.Context context =
        new DataFormat.Context(
            DataFormat.Facts.NONE,
            List.of(),
            List.of(),
            fault -> {
              throw fault;
            });
    return Objects.requireNonNull(
        format.sources(List.of(file), context).get(0).header().configuration());
  }
}
