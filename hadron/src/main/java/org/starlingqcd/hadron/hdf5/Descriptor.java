package org.starlingqcd.hadron.hdf5;

import org.bytedeco.hdf5.H5MM_allocate_t;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;

/**
 * The file descriptor behind an open HDF5 file.
 *
 * <p>A file that can no longer be written, for example on a full disk, cannot be closed either:
 * HDF5 frees half of its structures, keeps the identifier, and crashes when it closes everything at
 * the end of the program. Before such a file is closed, its descriptor is therefore redirected to
 * the null device, where writing always works. This also frees the disk space of the file once its
 * name is deleted.
 */
final class Descriptor {
  private static final long WRITE_ONLY = 1;

  private Descriptor() {}

  /** Passes a number where the C library takes a pointer. */
  private static final class Value extends Pointer {
    Value(long value) {
      address = value;
    }
  }

  /** Discards everything written to a file from now on. */
  static void discard(long file) {
    @Nullable Pointer open = Loader.addressof("open");
    @Nullable Pointer duplicate = Loader.addressof("dup2");
    @Nullable Pointer close = Loader.addressof("close");
    if (open == null || duplicate == null || close == null) {
      return;
    }
    /*
     * The presets have a type of function with an integer and a pointer as arguments. JavaCPP's function
     * pointers point to a variable that holds the address of the function.
     */
    try (PointerPointer<Pointer> handle = new PointerPointer<>(1);
        PointerPointer<Pointer> functions = new PointerPointer<>(open, duplicate, close);
        H5MM_allocate_t opening = new H5MM_allocate_t(functions);
        H5MM_allocate_t duplicating = new H5MM_allocate_t(functions.getPointer(1));
        H5MM_allocate_t closing = new H5MM_allocate_t(functions.getPointer(2));
        BytePointer device = new BytePointer("/dev/null")) {
      if (hdf5.H5Fget_vfd_handle(file, Hdf5Library.DEFAULT, handle) < 0) {
        hdf5.H5Eclear2(Hdf5Library.DEFAULT);
        return;
      }
      int descriptor = new IntPointer(handle.get(0)).get();
      int nothing = call(opening, device.address(), WRITE_ONLY);
      if (nothing >= 0) {
        call(duplicating, nothing, descriptor);
        call(closing, nothing, 0);
      }
    }
  }

  private static int call(H5MM_allocate_t function, long first, long second) {
    @Nullable Pointer result = function.call(first, new Value(second));
    return result == null ? 0 : (int) result.address();
  }
}
