package org.starlingqcd.correlators.result;

import java.util.Arrays;
import java.util.List;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Checks that the configurations of a result file agree with its attributes, without reading
 * numbers. An existing file is checked before new units for it are computed.
 */
final class ResultSoundness {
  private ResultSoundness() {}

  /**
   * Checks one configuration.
   *
   * @throws InputException naming the file, the object, what was found and what was expected
   */
  static void check(Hdf5File file, int configuration, ResultHeader header) {
    check(file, ConfigurationGroup.name(configuration), header);
  }

  /**
   * Checks the configuration of a group.
   *
   * @return its source times
   */
  static int[] check(Hdf5File file, String group, ResultHeader header) {
    try {
      List<Long> separations = header.separations().stream().map(Integer::longValue).toList();
      List<long[]> lists =
          List.of(
              file.attributes(group).integers("separations"),
              file.attributes(group).integers(ResultFile.SOURCE_TIMES));
      long[] found = lists.get(0);
      if (!Arrays.stream(found).boxed().toList().equals(separations)) {
        throw new InputException(
            file.path()
                + ": '"
                + group
                + "' has the separations "
                + Arrays.toString(found)
                + ", expected "
                + separations
                + " as for the other configurations");
      }
      long[] sources = lists.get(1);
      checkSources(file, group, sources, header);
      long n = header.operators().size();
      checkExtents(
          file, group + "/correlator", new long[] {sources.length, separations.size(), n, n});
      String vev = group + "/vev";
      if (file.exists(vev)) {
        checkExtents(file, vev, new long[] {times(file, vev), n});
      } else if (header.onePoint()) {
        throw new InputException(
            file.path() + ": '" + group + "' has no 'vev', which the file says it has");
      }
      return Arrays.stream(sources).mapToInt(Math::toIntExact).toArray();
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void checkSources(
      Hdf5File file, String group, long[] sources, ResultHeader header) {
    long end =
        header.temporalExtent().isPresent()
            ? header.temporalExtent().getAsInt()
            : Integer.MAX_VALUE;
    boolean inRange = Arrays.stream(sources).allMatch(source -> source >= 0 && source < end);
    if (sources.length == 0
        || !inRange
        || Arrays.stream(sources).distinct().count() != sources.length) {
      throw new InputException(
          file.path()
              + ": '"
              + group
              + "' attribute 'source_times': expected different source times from 0 to "
              + (end - 1)
              + ", found "
              + Arrays.toString(sources));
    }
  }

  private static long times(Hdf5File file, String vev) {
    try (Hdf5Dataset dataset = file.dataset(vev)) {
      return dataset.attributes().integers("times").length;
    }
  }

  private static void checkExtents(Hdf5File file, String object, long[] expected) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      if (dataset.type() != ElementType.COMPLEX) {
        throw new InputException(
            file.path() + ": '" + object + "' holds no complex numbers {r, i}");
      }
      if (!Arrays.equals(dataset.extents(), expected)) {
        throw new InputException(
            file.path()
                + ": '"
                + object
                + "' has extents "
                + Arrays.toString(dataset.extents())
                + ", expected "
                + Arrays.toString(expected));
      }
    }
  }
}
