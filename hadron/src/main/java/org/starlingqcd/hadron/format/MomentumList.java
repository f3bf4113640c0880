package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The momenta along an axis: written out, in a text file, or in a dataset. */
interface MomentumList {
  /** Components beyond this are errors. */
  long LARGEST = 1_000_000;

  /** Longest text file, in bytes. */
  int LONGEST = 16 << 20;

  /**
   * The momenta, in the order of the axis.
   *
   * @param beside the HDF5 file with the elementals; null when they are in another kind of file
   */
  List<long[]> read(@Nullable Hdf5File beside);

  /** One momentum in a line of a text file. */
  static MomentumList inFile(Path path) {
    return beside -> {
      List<long[]> momenta = new ArrayList<>();
      int number = 0;
      for (String whole : FileFaults.text(path, LONGEST, "list of momenta").lines().toList()) {
        number++;
        String line = whole.replaceFirst("#.*", "").strip();
        if (!line.matches("(-?\\d{1,7}[\\s,]+){2}-?\\d{1,7}|")) {
          throw new DistillationException(
              path + ": line " + number + ": expected a momentum such as 0 0 -1");
        }
        if (!line.isEmpty()) {
          momenta.add(Arrays.stream(line.split("[\\s,]+")).mapToLong(Long::parseLong).toArray());
        }
      }
      return momenta;
    };
  }

  /** A dataset of integers, [momenta][3], beside the elementals. */
  static MomentumList inDataset(String name) {
    return beside -> beside == null ? List.of() : dataset(beside, name);
  }

  private static List<long[]> dataset(Hdf5File file, String name) {
    String place = file.path() + ": '" + name + "': ";
    try (Hdf5Dataset dataset = file.dataset(name)) {
      long[] extents = dataset.extents();
      if (dataset.type() != ElementType.INTEGER
          || extents.length != 2
          || extents[1] != 3
          || extents[0] > LARGEST) {
        throw new DistillationException(place + "expected integers of shape [momenta, 3]");
      }
      long[] numbers = dataset.readIntegers();
      List<long[]> momenta = new ArrayList<>();
      for (int at = 0; at < numbers.length; at += 3) {
        momenta.add(Arrays.copyOfRange(numbers, at, at + 3));
      }
      for (long component : numbers) {
        if (Math.abs(component) > LARGEST) {
          throw new DistillationException(place + component + " is no component of a momentum");
        }
      }
      return momenta;
    }
  }

  /**
   * All momenta with {@code n² <= squared}.
   *
   * @param slowest the components from the slowest to the fastest, as {@code zyx}
   */
  static List<long[]> ball(long squared, String slowest) {
    List<long[]> momenta =
        Momentum.ball(Math.toIntExact(squared)).stream()
            .map(n -> new long[] {n.x(), n.y(), n.z()})
            .collect(Collectors.toCollection(ArrayList::new));
    momenta.sort(
        Comparator.comparing(
            n -> slowest.chars().mapToLong(c -> n[c - 'x']).toArray(), Arrays::compare));
    return momenta;
  }
}
