package org.starlingqcd.elementals.vectors;

import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
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
    header = readHeader(file);
    long l = header.spatialExtent();
    long t = header.temporalExtent();
    vectors = open(VECTORS, t, header.eigenvectors(), l, l, l, 3);
    links = file.exists(LINKS) ? open(LINKS, t, 3, l, l, l, 3, 3) : null;
  }

  static Hdf5Eigenvectors open(Path path) {
    Hdf5File file = Hdf5File.open(path);
    try {
      return new Hdf5Eigenvectors(file);
    } catch (Hdf5Exception e) {
      file.close();
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static VectorHeader readHeader(Hdf5File file) {
    Hdf5Attributes root = file.attributes("/");
    String format = root.has("format") ? root.string("format") : "";
    if (!format.equals(FORMAT)) {
      throw new DistillationException(
          file.path()
              + ": is not a file of eigenvectors: attribute 'format' is "
              + (format.isEmpty() ? "missing" : "'" + format + "'")
              + ", expected '"
              + FORMAT
              + "'");
    }
    long version = root.integer("format_version");
    if (version != FORMAT_VERSION) {
      throw new DistillationException(
          file.path()
              + ": format_version "
              + version
              + " is not known, expected "
              + FORMAT_VERSION);
    }
    VectorHeader header =
        new VectorHeader(
            root.string("ensemble"),
            root.integer("configuration"),
            Math.toIntExact(root.integer("spatial_extent")),
            Math.toIntExact(root.integer("temporal_extent")),
            Math.toIntExact(root.integer("num_eigenvectors")));
    header.check(file.path().toString());
    return header;
  }

  private Hdf5Dataset open(String object, long... extents) {
    if (!file.exists(object)) {
      throw new DistillationException(file.path() + ": has no data set '" + object + "'");
    }
    Hdf5Dataset dataset = file.dataset(object);
    if (!Arrays.equals(dataset.extents(), extents)) {
      throw new DistillationException(
          file.path()
              + ": '"
              + object
              + "' has the shape "
              + Arrays.toString(dataset.extents())
              + ", expected "
              + Arrays.toString(extents)
              + " from the attributes of the file");
    }
    return dataset;
  }

  @Override
  public VectorHeader header() {
    return header;
  }

  @Override
  public void read(int time, int first, int count, double[] target) {
    int l = header.spatialExtent();
    double[] numbers =
        vectors.read(new long[] {time, first, 0, 0, 0, 0}, new long[] {1, count, l, l, l, 3});
    System.arraycopy(numbers, 0, target, 0, numbers.length);
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
    double[] numbers =
        dataset.read(new long[] {time, direction, 0, 0, 0, 0, 0}, new long[] {1, 1, l, l, l, 3, 3});
    System.arraycopy(numbers, 0, target, 0, numbers.length);
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
