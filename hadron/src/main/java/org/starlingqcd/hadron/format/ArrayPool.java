package org.starlingqcd.hadron.format;

import static org.starlingqcd.hadron.data.DistillationFile.hdf5;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The open files of a source; HDF5 files stay open while there are not too many. */
final class ArrayPool implements AutoCloseable {
  private static final int MOST_OPEN = 200;

  /**
   * Where an array stands.
   *
   * @param file the file
   * @param dataset the dataset in it; empty for a file without names inside
   */
  record Place(Path file, String dataset) {
    @Override
    public String toString() {
      return dataset.isEmpty() ? file.toString() : file + ": '" + dataset + "'";
    }

    /** A message about the array. */
    @SuppressWarnings("AnnotateFormatMethod")
    DistillationException fault(String what, @Nullable Object... values) {
      return new DistillationException(this + ": " + what.formatted(values));
    }
  }

  /**
   * An open array of complex numbers.
   *
   * @param array the numbers
   * @param reversed whether the axes of the mapping file stand in reversed order
   */
  record Opened(NumberArray array, boolean reversed) {}

  private record OpenFile(Hdf5File file, Map<String, Hdf5Dataset> datasets) {}

  private final ChunkCaches caches;
  private final Map<Path, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

  ArrayPool(ChunkCaches caches) {
    this.caches = caches;
  }

  /** The first bytes of a file. */
  static byte[] head(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(DataFormat.HEAD_BYTES);
    } catch (IOException e) {
      throw new DistillationException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** Uses an HDF5 file, which nobody closes meanwhile. */
  synchronized <R> R withFile(Path path, Function<Hdf5File, R> use) {
    return hdf5(() -> use.apply(open(path).file()));
  }

  private OpenFile open(Path path) {
    OpenFile known = files.get(path);
    if (known == null) {
      if (files.size() >= MOST_OPEN) {
        Map.Entry<Path, OpenFile> oldest = files.entrySet().iterator().next();
        files.remove(oldest.getKey());
        oldest.getValue().file().close();
      }
      known = new OpenFile(Hdf5File.open(path), new HashMap<>());
      files.put(path, known);
    }
    return known;
  }

  /**
   * Uses an array.
   *
   * @param places one, or those of the real and imaginary parts
   */
  void with(List<Place> places, Mapping.Entry entry, Consumer<Opened> use) {
    if (places.get(0).dataset().isEmpty()) {
      use.accept(combined(places.stream().map(place -> flat(place.file(), entry)).toList(), entry));
      return;
    }
    synchronized (this) {
      List<Opened> parts =
          hdf5(
              () ->
                  places.stream()
                      .<Opened>map(place -> new Opened(dataset(place, entry), false))
                      .toList());
      use.accept(combined(parts, entry));
    }
  }

  /** Reads a box of a dataset, whose blocks are named by the first axes. */
  synchronized double[] read(Place place, int leading, long[] start, long... count) {
    return dataset(place, leading).read(start, count);
  }

  private NumberArray dataset(Place place, Mapping.Entry entry) {
    int leading = 0;
    while (leading < entry.axes().size()
        && entry.axes().get(leading).parts().stream()
            .noneMatch(part -> part.isSpin() || part.isVector())) {
      leading++;
    }
    return dataset(place, leading);
  }

  private NumberArray dataset(Place place, int mostLeading) {
    OpenFile open = open(place.file());
    Hdf5Dataset dataset = open.datasets().get(place.dataset());
    if (dataset == null) {
      try (Hdf5Dataset plain = open.file().dataset(place.dataset())) {
        int leading = Math.min(plain.extents().length, mostLeading);
        dataset = open.file().dataset(place.dataset(), caches.claim(plain, leading));
      }
      open.datasets().put(place.dataset(), dataset);
    }
    return array(place.toString(), dataset);
  }

  /** A dataset of HDF5. It is read while its file is open. */
  private static NumberArray array(String name, Hdf5Dataset dataset) {
    boolean complex = dataset.type() == ElementType.COMPLEX;
    if (!complex && dataset.type() != ElementType.REAL) {
      throw DistillationException.of(
          "%s: expected floating-point numbers, or a compound of two ({r, i}, {re, im} or {real,"
              + " imag}), found %s",
          name, dataset.type());
    }
    return new NumberArray.Read(
        name,
        dataset.extents(),
        complex,
        (start, count, target) -> {
          try {
            double[] numbers = hdf5(() -> dataset.read(start, count));
            System.arraycopy(numbers, 0, target, 0, numbers.length);
          } catch (IndexOutOfBoundsException e) {
            throw new DistillationException(
                name + ": holds no block at " + Arrays.toString(start), e);
          }
        });
  }

  private static Opened flat(Path file, Mapping.Entry entry) {
    byte[] head = head(file);
    if (NpyFile.isMagic(head)) {
      NpyFile npy = NpyFile.open(file);
      if (npy.columnMajor() && entry.storage().complex() == Mapping.Complex.LAST_AXIS) {
        throw new DistillationException(
            file + ": is in Fortran's order, which does not go with 'last axis 2'");
      }
      return new Opened(npy.array(), npy.columnMajor());
    }
    if (DataFormat.isHdf5(head)) {
      throw DistillationException.of(
          "%s: is an HDF5 file, so its entry in the mapping file (line %s) needs a key 'dataset'",
          file, entry.line());
    }
    Mapping.Storage storage = entry.storage();
    String type = storage.type();
    if (type == null || storage.shape().isEmpty()) {
      throw DistillationException.of(
          "%s: is neither .npy nor HDF5; for raw numbers its entry in the mapping file (line %s)"
              + " needs keys 'shape' and 'complex', as `complex: c16`",
          file, entry.line());
    }
    return new Opened(
        FlatArray.raw(
            file,
            storage.offset(),
            FlatArray.NumberType.of(type, ByteOrder.LITTLE_ENDIAN).orElseThrow(),
            storage.shape().stream().mapToLong(Long::longValue).toArray()),
        false);
  }

  private static Opened combined(List<Opened> parts, Mapping.Entry entry) {
    NumberArray first = parts.get(0).array();
    NumberArray array =
        switch (entry.storage().complex()) {
          case NATIVE -> first;
          case LAST_AXIS -> NumberArray.lastAxis(first);
          case SPLIT -> NumberArray.split(first, parts.get(1).array());
        };
    if (!array.isComplex()) {
      throw DistillationException.of(
          "%s: holds real numbers; its entry in the mapping file (line %s) needs `complex: last"
              + " axis 2` or `complex: split(real, imag)`",
          array.name(), entry.line());
    }
    return new Opened(array, parts.get(0).reversed());
  }

  @Override
  public synchronized void close() {
    files.values().forEach(open -> open.file().close());
    files.clear();
  }
}
