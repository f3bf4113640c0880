package org.starlingqcd.hadron.hdf5;

import java.util.function.LongToIntFunction;
import org.bytedeco.hdf5.global.hdf5;

/**
 * An identifier of the HDF5 library, released on close. Use it only while holding the library's
 * lock.
 */
final class Handle implements AutoCloseable {
  private final long id;
  private final LongToIntFunction release;

  private Handle(long id, LongToIntFunction release) {
    this.id = id;
    this.release = release;
  }

  static Handle space(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Sclose);
  }

  static Handle type(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Tclose);
  }

  static Handle properties(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Pclose);
  }

  static Handle attribute(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Aclose);
  }

  static Handle group(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Gclose);
  }

  static Handle object(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Oclose);
  }

  static Handle dataset(long id, String what) {
    return new Handle(Hdf5Library.check(id, what), hdf5::H5Dclose);
  }

  /** The identifier. */
  long id() {
    return id;
  }

  @Override
  public void close() {
    Hdf5Library.check(release.applyAsInt(id), "closing a handle");
  }
}
