package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;

/** Writes datasets as Grid does, for tests: compounds {re, im}, chunks with Fletcher32. */
public final class GridHdf5 {
  private GridHdf5() {}

  /** A new file with one dataset. */
  public static void write(
      Path path,
      Consumer<Hdf5File> first,
      String object,
      long[] extents,
      double[] numbers,
      boolean single,
      long[] chunks) {
    try (Hdf5File file = Hdf5File.create(path)) {
      first.accept(file);
      write(file, object, extents, numbers, single, chunks);
    }
  }

  /**
   * A dataset.
   *
   * @param single whether its numbers have 32 bits in the file
   */
  public static void write(
      Hdf5File file,
      String object,
      long[] extents,
      double[] numbers,
      boolean single,
      long[] chunks) {
    int slash = object.lastIndexOf('/');
    if (slash > 0) {
      file.createGroup(object.substring(0, slash));
    }
    synchronized (LOCK) {
      long part = single ? hdf5.H5T_IEEE_F32LE_g() : hdf5.H5T_IEEE_F64LE_g();
      int bytes = single ? 4 : 8;
      try (BytePointer name = Hdf5Library.text(object);
          Handle links = Hdf5File.links();
          Handle type = compound(part, bytes);
          Handle memory = compound(hdf5.H5T_NATIVE_DOUBLE_g(), Double.BYTES);
          Handle space = Handle.space(extents);
          Handle creation = Handle.properties(hdf5.H5P_CLS_DATASET_CREATE_ID_g());
          DoublePointer values = new DoublePointer(numbers)) {
        check(hdf5.H5Pset_chunk(creation.id(), chunks.length, chunks), "chunk");
        check(hdf5.H5Pset_fletcher32(creation.id()), "fletcher32");
        long dataset =
            check(
                hdf5.H5Dcreate2(
                    file.idToWrite(),
                    name,
                    type.id(),
                    space.id(),
                    links.id(),
                    creation.id(),
                    DEFAULT),
                object);
        check(hdf5.H5Dwrite(dataset, memory.id(), 0, 0, DEFAULT, values), object);
        check(hdf5.H5Dclose(dataset), object);
      }
    }
  }

  private static Handle compound(long part, int bytes) {
    Handle type = new Handle(hdf5.H5Tcreate(hdf5.H5T_COMPOUND, 2L * bytes), "type", hdf5::H5Tclose);
    check(hdf5.H5Tinsert(type.id(), "re", 0, part), "re");
    check(hdf5.H5Tinsert(type.id(), "im", bytes, part), "im");
    return type;
  }
}
