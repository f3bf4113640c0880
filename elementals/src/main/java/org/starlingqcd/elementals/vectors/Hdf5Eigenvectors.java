package org.starlingqcd.elementals.vectors;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Eigenvectors in Starling's own HDF5 layout ({@code docs/formats.md}). */
final class Hdf5Eigenvectors implements Eigenvectors {
  private static final String FORMAT = "eigenvectors";
  private static final int FORMAT_VERSION = 1;
  private static final String VECTORS = "eigenvectors";
  private static final String LINKS = "gauge_links";

  private final Hdf5File file;
  private final VectorHeader header;
  private final Hdf5Dataset vectors;
  private final @Nullable Hdf5Dataset links;

  private Hdf5Eigenvectors(Hdf5File file) {
    this.file = file;
    Hdf5Attributes root = file.attributes("/");
    Path path = file.path();
    DistillationHeader.checkFormat(root, path, "a file of eigenvectors", FORMAT, FORMAT_VERSION);
    int most = DistillationHeader.MAX_EXTENT;
    header =
        VectorHeader.of(
            path.toString(),
            root.string("ensemble"),
            DistillationHeader.configuration(root, path),
            DistillationHeader.extent(root, path, "spatial_extent", most),
            DistillationHeader.extent(root, path, "temporal_extent", most),
            DistillationHeader.extent(
                root, path, "num_eigenvectors", DistillationHeader.MAX_EIGENVECTORS));
    long l = header.spatialExtent();
    long t = header.temporalExtent();
    vectors = open(VECTORS, t, header.eigenvectors(), l, l, l, 3);
    links = file.exists(LINKS) ? open(LINKS, t, 3, l, l, l, 3, 3) : null;
  }

  /**
   * Opens a file.
   *
   * @throws Hdf5Exception when it is no HDF5 file
   * @throws DistillationException when it has no eigenvectors in this layout
   */
  static Hdf5Eigenvectors open(Path path) {
    return DistillationFile.reading(Hdf5File.open(path), Hdf5Eigenvectors::new);
  }

  private Hdf5Dataset open(String object, long... extents) {
    if (!file.exists(object)) {
      throw new DistillationException(file.path() + ": has no data set '" + object + "'");
    }
    Hdf5Dataset dataset = file.dataset(object);
    DistillationFile.checkComplex(file.path(), dataset, extents);
    return dataset;
  }

  private static void read(Hdf5Dataset dataset, long[] start, long[] count, double[] target) {
    try {
      double[] numbers = dataset.read(start, count);
      System.arraycopy(numbers, 0, target, 0, numbers.length);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public VectorHeader header() {
    return header;
  }

  @Override
  public void read(int time, int first, int count, double[] target) {
    int l = header.spatialExtent();
    read(vectors, new long[] {time, first, 0, 0, 0, 0}, new long[] {1, count, l, l, l, 3}, target);
  }

  @Override
  public boolean hasLinks() {
    return links != null;
  }

  @Override
  public void readLinks(int time, int direction, double[] target) {
    Hdf5Dataset dataset = links;
    if (dataset == null) {
      throw new DistillationException(name() + ": has no data set '" + LINKS + "'");
    }
    int l = header.spatialExtent();
    read(
        dataset,
        new long[] {time, direction, 0, 0, 0, 0, 0},
        new long[] {1, 1, l, l, l, 3, 3},
        target);
  }

  @Override
  public String name() {
    return file.path().toString();
  }

  @Override
  public void close() {
    file.close();
  }
}
