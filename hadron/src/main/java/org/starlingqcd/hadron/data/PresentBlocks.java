package org.starlingqcd.hadron.data;

import java.util.Arrays;
import java.util.BitSet;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Masks of the blocks that a distillation file holds. */
public final class PresentBlocks {
  /** Group of the masks; it holds the names of the datasets that have one. */
  public static final String GROUP = "present";

  private PresentBlocks() {}

  /**
   * The times at which a dataset holds blocks, column by column. Its mask is a dataset of the same
   * name in the group {@link #GROUP}, of 0 and 1, [times] or [times][columns]; without one all are
   * there.
   */
  static BitSet[] read(Hdf5File file, String object, int times, int width) {
    BitSet[] present = new BitSet[width];
    String name = GROUP + "/" + object;
    if (!file.exists(name)) {
      Arrays.fill(present, BlockCatalog.all(times));
      return present;
    }
    try (Hdf5Dataset dataset = file.dataset(name)) {
      long[] extents = dataset.extents();
      boolean fits =
          extents.length > 0
              && extents[0] == times
              && Arrays.stream(extents).skip(1).reduce(1, (a, b) -> a * b) == width;
      if (!fits || dataset.type() != ElementType.INTEGER) {
        throw DistillationFile.fault(
            file.path(),
            name,
            "must hold "
                + times
                + " x "
                + width
                + " integers, one for each block of '"
                + object
                + "'; found "
                + dataset.type()
                + " "
                + Arrays.toString(extents));
      }
      long[] values = dataset.readIntegers();
      Arrays.setAll(present, k -> new BitSet());
      for (int k = 0; k < values.length; k++) {
        if (values[k] != 0 && values[k] != 1) {
          throw DistillationFile.fault(
              file.path(), name, "must hold 0 and 1 only, found " + values[k]);
        }
        present[k % width].set(k / width, values[k] == 1);
      }
      return present;
    }
  }
}
