package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;

/** Texts as scalar datasets of fixed length, UTF-8 with a final zero, as sigmond writes them. */
public final class Hdf5Text {
  private Hdf5Text() {}

  /** Creates a dataset that holds a text, and the groups on the way to it. */
  public static void write(Hdf5File file, String object, String text) {
    synchronized (LOCK) {
      String what = file.at(object) + "create";
      file.createParents(object);
      try (BytePointer name = text(object);
          BytePointer value = text(text);
          Handle links = Hdf5File.links();
          Handle type = Handle.type(hdf5.H5Tcopy(hdf5.H5T_C_S1_g()), "H5Tcopy");
          Handle space = Handle.space(hdf5.H5Screate(hdf5.H5S_SCALAR), what)) {
        check(hdf5.H5Tset_size(type.id(), value.limit() + 1), "H5Tset_size");
        check(hdf5.H5Tset_cset(type.id(), hdf5.H5T_CSET_UTF8), "H5Tset_cset");
        long id =
            check(
                hdf5.H5Dcreate2(
                    file.id(), name, type.id(), space.id(), links.id(), DEFAULT, DEFAULT),
                what);
        try {
          check(
              hdf5.H5Dwrite(id, type.id(), Hdf5Library.ALL, Hdf5Library.ALL, DEFAULT, value), what);
        } finally {
          check(hdf5.H5Dclose(id), what);
        }
      }
    }
  }
}
