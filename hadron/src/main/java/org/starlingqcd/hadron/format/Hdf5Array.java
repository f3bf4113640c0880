package org.starlingqcd.hadron.format;

import java.util.Arrays;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;

/** A dataset of HDF5. It is read while its file is open. */
public final class Hdf5Array implements NumberArray {
  private final String file;
  private final Hdf5Dataset dataset;

  /**
   * @param file the file, for messages
   * @throws DistillationException when it holds no real or complex numbers
   */
  public Hdf5Array(String file, Hdf5Dataset dataset) {
    this.file = file;
    this.dataset = dataset;
    ElementType type = dataset.type();
    if (type != ElementType.COMPLEX && type != ElementType.REAL) {
      throw new DistillationException(
          ("%s: expected floating-point numbers, or a compound of two ({r, i}, {re, im} "
                  + "or {real, imag}), found %s")
              .formatted(name(), type));
    }
  }

  @Override
  public String name() {
    return file + ": '" + dataset.name() + "'";
  }

  @Override
  public long[] extents() {
    return dataset.extents();
  }

  @Override
  public boolean isComplex() {
    return dataset.type() == ElementType.COMPLEX;
  }

  @Override
  public void read(long[] start, long[] count, double[] target) {
    try {
      double[] numbers = dataset.read(start, count);
      System.arraycopy(numbers, 0, target, 0, numbers.length);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    } catch (IndexOutOfBoundsException e) {
      throw new DistillationException(name() + ": holds no block at " + Arrays.toString(start), e);
    }
  }
}
