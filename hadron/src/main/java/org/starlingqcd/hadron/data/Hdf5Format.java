package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Starling's own format: HDF5 with the root attribute {@code format}. */
final class Hdf5Format implements DataFormat {
  private static final String NAME = "Starling HDF5";

  private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return isHdf5(head) && hasFormat(file);
  }

  /** Whether a file begins as HDF5 files do. */
  static boolean isHdf5(byte[] head) {
    for (int k = 0; k < SIGNATURE.length; k++) {
      if (k >= head.length || head[k] != SIGNATURE[k]) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasFormat(Path file) {
    try (Hdf5File opened = Hdf5File.open(file)) {
      Hdf5Attributes root = opened.attributes("/");
      return root.has("format") && root.string("format").equals(DistillationHeader.FORMAT);
    } catch (Hdf5Exception damaged) {
      return false;
    }
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<DataSource> sources = new ArrayList<>();
    context.forEach(
        files,
        file ->
            sources.add(
                DataSource.of(
                    file,
                    NAME,
                    PartialHeader.of(DistillationFile.readHeader(file)),
                    caches -> DistillationFile.open(file, caches))));
    return sources;
  }
}
