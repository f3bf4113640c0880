package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The open files of a source; HDF5 files stay open while there are not too many. */
final class ArrayPool implements AutoCloseable {
  private static final int MOST_OPEN = 200;

  /** What is in a file. */
  enum FileKind {
    NPY,
    HDF5,
    RAW
  }

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
  }

  /**
   * An open array of complex numbers.
   *
   * @param array the numbers
   * @param reversed whether the axes of the mapping file stand in reversed order
   */
  record Opened(NumberArray array, boolean reversed) {}

  private static final class OpenFile {
    final Hdf5File file;
    final Map<String, Hdf5Dataset> datasets = new HashMap<>();

    OpenFile(Hdf5File file) {
      this.file = file;
    }
  }

  private final ChunkCaches caches;
  private final LinkedHashMap<Path, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

  ArrayPool(ChunkCaches caches) {
    this.caches = caches;
  }

  /** Finds out what a file is by its first bytes. */
  static FileKind kind(Path file) {
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(DataFormat.HEAD_BYTES);
    } catch (IOException e) {
      throw new DistillationException(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (NpyFile.isMagic(head)) {
      return FileKind.NPY;
    }
    return DataFormat.isHdf5(head) ? FileKind.HDF5 : FileKind.RAW;
  }

  /** Uses an HDF5 file, which nobody closes meanwhile. */
  synchronized <R> R withFile(Path path, Function<Hdf5File, R> use) {
    try {
      return use.apply(open(path).file);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  private OpenFile open(Path path) {
    OpenFile known = files.get(path);
    if (known == null) {
      if (files.size() >= MOST_OPEN) {
        Path oldest = files.keySet().iterator().next();
        OpenFile closed = files.remove(oldest);
        if (closed != null) {
          closed.file.close();
        }
      }
      known = new OpenFile(Hdf5File.open(path));
      files.put(path, known);
    }
    return known;
  }

  /**
   * Uses an array.
   *
   * @param places one, or those of the real and imaginary parts
   */
  void with(List<Place> places, ArrayEntry entry, Consumer<Opened> use) {
    if (places.get(0).dataset().isEmpty()) {
      use.accept(combined(places.stream().map(place -> flat(place.file(), entry)).toList(), entry));
      return;
    }
    synchronized (this) {
      try {
        List<Opened> parts = new ArrayList<>();
        for (Place place : places) {
          parts.add(new Opened(dataset(place, entry), false));
        }
        use.accept(combined(parts, entry));
      } catch (Hdf5Exception e) {
        throw new DistillationException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private NumberArray dataset(Place place, ArrayEntry entry) {
    OpenFile open = open(place.file());
    Hdf5Dataset dataset = open.datasets.get(place.dataset());
    if (dataset == null) {
      int leading = 0;
      try (Hdf5Dataset plain = open.file.dataset(place.dataset())) {
        int rank = plain.extents().length;
        while (leading < Math.min(rank, entry.axes().size())
            && entry.axes().get(leading).parts().stream()
                .noneMatch(part -> part.isSpin() || part.isVector())) {
          leading++;
        }
        dataset = open.file.dataset(place.dataset(), caches.claim(plain, leading));
      }
      open.datasets.put(place.dataset(), dataset);
    }
    return new Hdf5Array(place.file().toString(), dataset);
  }

  private static Opened flat(Path file, ArrayEntry entry) {
    return switch (kind(file)) {
      case NPY -> {
        NpyFile npy = NpyFile.open(file);
        if (npy.columnMajor() && entry.storage().complex() == ArrayEntry.Complex.LAST_AXIS) {
          throw new DistillationException(
              file + ": is in Fortran's order, which does not go with 'last axis 2'");
        }
        yield new Opened(npy.array(), npy.columnMajor());
      }
      case HDF5 ->
          throw new DistillationException(
              ("%s: is an HDF5 file, so its entry in the mapping file (line %s) needs a key "
                      + "'dataset'")
                  .formatted(file, entry.line()));
      case RAW -> {
        ArrayEntry.Storage storage = entry.storage();
        String type = storage.type();
        if (type == null || storage.shape().isEmpty()) {
          throw new DistillationException(
              ("%s: is neither .npy nor HDF5; for raw numbers its entry in the mapping file "
                      + "(line %s) needs keys 'shape' and 'complex', as `complex: c16`")
                  .formatted(file, entry.line()));
        }
        yield new Opened(
            FlatArray.raw(
                file,
                storage.offset(),
                NumberType.of(type, ByteOrder.LITTLE_ENDIAN)
                    .orElseThrow(() -> new IllegalStateException("type " + type)),
                storage.shape().stream().mapToLong(Long::longValue).toArray()),
            false);
      }
    };
  }

  private static Opened combined(List<Opened> parts, ArrayEntry entry) {
    Opened first = parts.get(0);
    NumberArray array =
        switch (entry.storage().complex()) {
          case NATIVE -> first.array();
          case LAST_AXIS -> ComplexArrays.lastAxis(first.array());
          case SPLIT -> ComplexArrays.split(first.array(), parts.get(1).array());
        };
    if (!array.isComplex()) {
      throw new DistillationException(
          ("%s: holds real numbers; its entry in the mapping file (line %s) needs "
                  + "`complex: last axis 2` or `complex: split(real, imag)`")
              .formatted(array.name(), entry.line()));
    }
    return new Opened(array, first.reversed());
  }

  @Override
  public synchronized void close() {
    files.values().forEach(open -> open.file.close());
    files.clear();
  }
}
