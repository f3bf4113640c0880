package org.starlingqcd.elementals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.hadron.conversion.PartialFile;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * A file of elementals that is written time slice by time slice. It is called {@code FILE.part}
 * until it is complete; beside it {@code FILE.part.done} says what is computed and which times are
 * on disk, so that an attempt that was stopped goes on. Datasets are contiguous, so that writing
 * numbers changes nothing else in the file.
 */
final class ElementalsFile implements AutoCloseable {
  private final Path target;
  private final PartialFile partial;
  private final Hdf5File file;
  private final Set<Integer> finished;

  private ElementalsFile(Path target, PartialFile partial, Hdf5File file, Set<Integer> finished) {
    this.target = target;
    this.partial = partial;
    this.file = file;
    this.finished = finished;
  }

  /**
   * Opens what an earlier attempt has left, or begins a file.
   *
   * @param identity what is computed from what; an attempt with another one is not continued
   * @throws DistillationException when the file cannot be written
   */
  static ElementalsFile open(
      Path target, String identity, VectorHeader header, ElementalsRequest request) {
    PartialFile partial = new PartialFile(target);
    try {
      Optional<PartialFile.Earlier> earlier = partial.earlier(identity);
      if (earlier.isPresent()) {
        Hdf5File file = earlier.get().file();
        try {
          Set<Integer> finished = new TreeSet<>();
          earlier.get().parts().forEach(part -> finished.add(Integer.valueOf(part)));
          return new ElementalsFile(target, partial, file, finished);
        } catch (NumberFormatException damaged) {
          // It is written anew.
          file.close();
        }
      }
      Path folder = target.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Hdf5File file = partial.create();
      try {
        create(file, header, request);
        file.flush();
        partial.begin(identity);
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
      return new ElementalsFile(target, partial, file, new TreeSet<>());
    } catch (IOException | Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  private static void create(Hdf5File file, VectorHeader header, ElementalsRequest request) {
    long t = header.temporalExtent();
    long n = header.eigenvectors();
    new DistillationHeader(
            header.ensemble(),
            header.configuration(),
            header.spatialExtent(),
            header.temporalExtent(),
            header.eigenvectors(),
            DistillationHeader.DEGRAND_ROSSI,
            "")
        .write(file);
    for (ElementalName name : request.mesons(header)) {
      create(file, DistillationFile.MESON_ELEMENTALS + "/" + name, 1, t, n, n);
    }
    for (ElementalName name : request.baryonNames()) {
      create(file, DistillationFile.BARYON_ELEMENTALS + "/" + name, 2, t, n, n, n);
    }
    for (ElementalName name : request.tetraquarkNames()) {
      long pairs = name.colour().pairs(header.eigenvectors());
      create(file, DistillationFile.TETRAQUARK_ELEMENTALS + "/" + name, 2, t, pairs, pairs);
    }
  }

  /** Creates a dataset with checksums of what its first axes number: times, or rows of times. */
  private static void create(Hdf5File file, String object, int summed, long... extents) {
    file.createChecksums(object, Arrays.copyOf(extents, summed));
    file.createDataset(object, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS).close();
  }

  /** The times that are on disk. */
  Set<Integer> finished() {
    return finished;
  }

  /** Writes an elemental, or rows of it. */
  void write(String kind, ElementalName name, int time, Rows rows, HostMemory numbers) {
    try (Hdf5Dataset dataset = file.dataset(kind + "/" + name)) {
      long[] count = dataset.extents();
      long[] start = new long[count.length];
      start[0] = time;
      count[0] = 1;
      if (!rows.isAll()) {
        start[1] = rows.first();
        count[1] = rows.count();
      }
      dataset.write(start, count, numbers, 0);
    } catch (Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  /** Notes that all of a time slice is written. */
  void finish(int time) {
    try {
      file.flush();
      partial.finish(Integer.toString(time));
      finished.add(time);
    } catch (IOException | Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  /** Gives the file its name. */
  void complete() {
    try {
      file.close();
      partial.complete();
    } catch (IOException | Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
