package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Where the momenta along an axis stand: written out, in a text file, or in a dataset. */
sealed interface MomentumList {
  /** Components beyond this are errors. */
  long LARGEST = 1_000_000;

  /** There is no axis of momenta. */
  record None() implements MomentumList {}

  /** Momenta in the order of the axis. */
  record Written(List<long[]> momenta) implements MomentumList {}

  /** One momentum in a line of a text file. */
  record InFile(Path path) implements MomentumList {}

  /** A dataset of integers, [momenta][3], beside the elementals. */
  record InDataset(String dataset) implements MomentumList {}

  /** Longest text file, in bytes. */
  long LONGEST = 16 << 20;

  /**
   * The momenta.
   *
   * @param beside the HDF5 file with the elementals; null when they are in another kind of file
   */
  default List<long[]> read(@Nullable Hdf5File beside) {
    if (this instanceof Written written) {
      return written.momenta();
    }
    if (this instanceof InFile file) {
      return text(file.path());
    }
    if (this instanceof InDataset place && beside != null) {
      return dataset(beside, place.dataset());
    }
    return List.of();
  }

  private static List<long[]> text(Path path) {
    Pattern number = Pattern.compile("-?\\d{1,7}");
    List<long[]> momenta = new ArrayList<>();
    try {
      PlainFile.check(path);
      if (Files.size(path) > LONGEST) {
        throw new DistillationException(path + ": is no list of momenta: it has more than 16 MiB");
      }
      List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
      for (int k = 0; k < lines.size(); k++) {
        String line = lines.get(k).replaceFirst("#.*", "").strip();
        if (line.isEmpty()) {
          continue;
        }
        String[] words = line.split("[\\s,]+");
        long[] momentum = new long[3];
        boolean sound = words.length == 3;
        for (int axis = 0; sound && axis < 3; axis++) {
          sound = number.matcher(words[axis]).matches();
          momentum[axis] = sound ? Long.parseLong(words[axis]) : 0;
        }
        if (!sound) {
          throw new DistillationException(
              path + ": line " + (k + 1) + ": expected a momentum such as 0 0 -1");
        }
        momenta.add(momentum);
      }
    } catch (IOException e) {
      throw new DistillationException(
          path + ": the list of momenta cannot be read: " + e.getMessage(), e);
    }
    return momenta;
  }

  private static List<long[]> dataset(Hdf5File file, String name) {
    try (Hdf5Dataset dataset = file.dataset(name)) {
      long[] extents = dataset.extents();
      if (dataset.type() != ElementType.INTEGER
          || extents.length != 2
          || extents[1] != 3
          || extents[0] > LARGEST) {
        throw new DistillationException(
            file.path() + ": '" + name + "': expected integers of shape [momenta, 3]");
      }
      long[] numbers = dataset.readIntegers();
      List<long[]> momenta = new ArrayList<>();
      for (int k = 0; k < extents[0]; k++) {
        long[] momentum = {numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
        for (long component : momentum) {
          if (Math.abs(component) > LARGEST) {
            throw new DistillationException(
                file.path() + ": '" + name + "': " + component + " is no component of a momentum");
          }
        }
        momenta.add(momentum);
      }
      return momenta;
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * All momenta with {@code n² <= squared}.
   *
   * @param slowest the components from the slowest to the fastest, as {@code zyx}
   */
  static List<long[]> ball(long squared, String slowest) {
    long most = (long) Math.sqrt((double) squared);
    List<long[]> momenta = new ArrayList<>();
    for (long x = -most; x <= most; x++) {
      for (long y = -most; y <= most; y++) {
        for (long z = -most; z <= most; z++) {
          if (x * x + y * y + z * z <= squared) {
            momenta.add(new long[] {x, y, z});
          }
        }
      }
    }
    Comparator<long[]> order = Comparator.comparingLong(n -> n["xyz".indexOf(slowest.charAt(0))]);
    for (int k = 1; k < 3; k++) {
      int axis = "xyz".indexOf(slowest.charAt(k));
      order = order.thenComparingLong(n -> n[axis]);
    }
    momenta.sort(order);
    return momenta;
  }
}
