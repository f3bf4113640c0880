package org.starlingqcd.elementals.vectors;

import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.format.BinaryFile;
import org.starlingqcd.hadron.format.NpyFile;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;

/** Opens a file of eigenvectors of any format that its first bytes tell. */
public final class EigenvectorFile {
  private static final int BEGINNING = 64;

  private EigenvectorFile() {}

  /**
   * Opens a file.
   *
   * @param ensemble name of the ensemble, for formats that do not say it
   * @param configuration number of the configuration, likewise
   * @throws DistillationException when it cannot be read or is of no known format
   */
  public static Eigenvectors open(
      Path path, @Nullable String ensemble, @Nullable Long configuration) {
    byte[] beginning = beginning(path);
    boolean npy = NpyFile.isMagic(beginning);
    if (npy || ModEigenvectors.isMagic(beginning)) {
      if (ensemble == null || configuration == null) {
        throw new DistillationException(
            path
                + ": files of this format do not name their ensemble and configuration; give"
                + " --ensemble and --configuration");
      }
      return npy
          ? NpyEigenvectors.open(path, ensemble, configuration)
          : ModEigenvectors.open(path, ensemble, configuration);
    }
    try {
      Eigenvectors vectors = Hdf5Eigenvectors.open(path);
      String said = vectors.header().ensemble();
      long number = vectors.header().configuration();
      if ((ensemble != null && !ensemble.equals(said))
          || (configuration != null && configuration != number)) {
        vectors.close();
        throw new DistillationException(
            "%s: says that it is configuration %s of ensemble '%s".formatted(path, number, said)
                + "'; leave out --ensemble and --configuration");
      }
      return vectors;
    } catch (Hdf5Exception e) {
      throw new DistillationException(
          e.getMessage()
              + "; eigenvectors are read from HDF5 files in Starling's layout, .npy files and MOD"
              + " files of Chroma",
          e);
    }
  }

  private static byte[] beginning(Path path) {
    if (Files.isDirectory(path)) {
      throw new DistillationException(path + ": is a directory, expected a file of eigenvectors");
    }
    try (BinaryFile file = new BinaryFile(path, "is cut short")) {
      int count = (int) Math.min(BEGINNING, file.size());
      return file.bytes(0, count, ByteOrder.BIG_ENDIAN, "").array();
    }
  }
}
