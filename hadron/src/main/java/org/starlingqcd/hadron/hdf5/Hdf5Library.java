package org.starlingqcd.hadron.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.hdf5.H5E_auto2_t;
import org.bytedeco.hdf5.H5MM_allocate_t;
import org.bytedeco.hdf5.H5MM_free_t;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.natives.NativeLibraries;

/**
 * The HDF5 C library, which writes files: its loading, its one lock, its failures, and the types in
 * memory that all files share.
 *
 * <p>The library's macros for predefined types and property classes are bound as {@code int} and
 * lose the upper half of the 64-bit identifier, so the variables behind them ({@code …_g}) are
 * read. Loading this class prepares the binding, so take {@link #LOCK} before any call of the
 * binding.
 */
final class Hdf5Library {
  /** Held around every call into the library, which is not thread-safe. */
  static final Object LOCK = new Object();

  /** The default of every property list. */
  static final long DEFAULT = 0;

  /** "All of it" as a dataspace. */
  static final long ALL = 0;

  /** {@code {r, i}} of native doubles. */
  static final long COMPLEX;

  /** Variable-length UTF-8. */
  static final long STRING;

  private static final int COMPLEX_BYTES = 16;
  private static final long VARIABLE = -1;
  private static final long WRITE_ONLY = 1;
  private static final Pattern SYSTEM_MESSAGE = Pattern.compile("error message = '([^']*)'");

  static {
    synchronized (LOCK) {
      NativeLibraries.load("hdf5");
      check(hdf5.H5open(), "H5open");
      hdf5.H5Eset_auto2(DEFAULT, (H5E_auto2_t) null, (Pointer) null);
      COMPLEX = check(hdf5.H5Tcreate(hdf5.H5T_COMPOUND, COMPLEX_BYTES), "H5Tcreate");
      check(hdf5.H5Tinsert(COMPLEX, "r", 0, hdf5.H5T_IEEE_F64LE_g()), "H5Tinsert");
      check(hdf5.H5Tinsert(COMPLEX, "i", Double.BYTES, hdf5.H5T_IEEE_F64LE_g()), "H5Tinsert");
      STRING = check(hdf5.H5Tcopy(hdf5.H5T_C_S1_g()), "H5Tcopy");
      check(hdf5.H5Tset_size(STRING, VARIABLE), "H5Tset_size");
      check(hdf5.H5Tset_cset(STRING, hdf5.H5T_CSET_UTF8), "H5Tset_cset");
    }
  }

  private Hdf5Library() {}

  /** An identifier of the library, released on close. Use it only while holding the lock. */
  record Handle(long id, LongToIntFunction release) implements AutoCloseable {
    Handle(long id, String what, LongToIntFunction release) {
      this(check(id, what), release);
    }

    /** A new list of properties of a class. */
    static Handle properties(long ofClass) {
      return new Handle(hdf5.H5Pcreate(ofClass), "H5Pcreate", hdf5::H5Pclose);
    }

    /** A space of some extents; of one value without any. */
    static Handle space(long... extents) {
      long id =
          extents.length == 0
              ? hdf5.H5Screate(hdf5.H5S_SCALAR)
              : hdf5.H5Screate_simple(extents.length, extents, (long[]) null);
      return new Handle(id, "H5Screate", hdf5::H5Sclose);
    }

    @Override
    public void close() {
      check(release.applyAsInt(id), "closing a handle");
    }
  }

  /** NativeValues as the library takes them, to be closed. */
  record NativeValues(Pointer pointer, ElementType type, List<BytePointer> texts)
      implements AutoCloseable {
    static NativeValues of(double... values) {
      DoublePointer pointer = new DoublePointer(Math.max(1, values.length));
      return new NativeValues(pointer.put(values, 0, values.length), ElementType.REAL, List.of());
    }

    static NativeValues of(long... values) {
      LongPointer pointer = new LongPointer(Math.max(1, values.length));
      return new NativeValues(
          pointer.put(values, 0, values.length), ElementType.INTEGER, List.of());
    }

    static NativeValues of(List<String> strings) {
      List<BytePointer> texts = strings.stream().map(Hdf5Library::text).toList();
      PointerPointer<BytePointer> pointers = new PointerPointer<>(Math.max(1, texts.size()));
      for (int k = 0; k < texts.size(); k++) {
        pointers.put(k, texts.get(k));
      }
      return new NativeValues(pointers, ElementType.STRING, texts);
    }

    @Override
    public void close() {
      pointer.close();
      texts.forEach(BytePointer::close);
    }
  }

  /** The type of an element in memory. */
  static long memoryType(ElementType type) {
    return switch (type) {
      case REAL -> hdf5.H5T_NATIVE_DOUBLE_g();
      case INTEGER -> hdf5.H5T_NATIVE_INT64_g();
      default -> fileType(type);
    };
  }

  /** The type of an element in a new file. */
  static long fileType(ElementType type) {
    return switch (type) {
      case COMPLEX -> COMPLEX;
      case REAL -> hdf5.H5T_IEEE_F64LE_g();
      case INTEGER -> hdf5.H5T_STD_I64LE_g();
      case STRING -> STRING;
      case OTHER -> throw new IllegalArgumentException("a dataset cannot hold it: type=" + type);
    };
  }

  /** Returns {@code result}; throws HDF5's message if it is negative. */
  static long check(long result, String what) {
    if (result < 0) {
      throw new Hdf5Exception(what + " failed: " + reason());
    }
    return result;
  }

  /** A string as the library takes it; to be closed. */
  static BytePointer text(String string) {
    return new BytePointer(string, UTF_8);
  }

  /**
   * The reason of the last failure in HDF5's words: the descriptions on its error stack from the
   * deepest outwards, the two deepest.
   */
  static String reason() {
    List<String> descriptions = errorStack();
    hdf5.H5Eclear2(DEFAULT);
    if (descriptions.isEmpty()) {
      return "HDF5 gives no reason";
    }
    int deepest = descriptions.size() - 1;
    String text = descriptions.get(deepest);
    return deepest > 0 ? text + " (" + descriptions.get(deepest - 1) + ")" : text;
  }

  /*
   * HDF5 hands out its error stack through a callback or by printing to a C stream. JavaCPP needs a compiled
   * stub for a callback, which the presets do not have, so the stack is printed to a stream in memory.
   * open_memstream and fclose are reached through two function types of the presets that have the same
   * arguments and results. If the C library has no open_memstream, the message has no reason.
   */
  private static List<String> errorStack() {
    Pointer openStream = Loader.addressof("open_memstream");
    Pointer closeStream = Loader.addressof("fclose");
    Pointer release = Loader.addressof("free");
    if (openStream == null || closeStream == null || release == null) {
      return List.of();
    }
    String printed;
    try (PointerPointer<BytePointer> buffer = new PointerPointer<>(1);
        SizeTPointer size = new SizeTPointer(1);
        PointerPointer<Pointer> functions = new PointerPointer<>(openStream, closeStream, release);
        // JavaCPP's function pointers point to a variable that holds the address of the function.
        H5MM_allocate_t open = new H5MM_allocate_t(functions);
        H5MM_free_t close = new H5MM_free_t(functions.getPointer(1));
        H5MM_free_t free = new H5MM_free_t(functions.getPointer(2))) {
      buffer.put(0, (Pointer) null);
      size.put(0, 0);
      Pointer stream = open.call(buffer.address(), size);
      if (stream == null || stream.isNull()) {
        return List.of();
      }
      hdf5.H5Eprint2(DEFAULT, stream);
      close.call(stream, null);
      BytePointer text = new BytePointer(buffer.get(0));
      byte[] bytes = new byte[(int) size.get()];
      text.get(bytes);
      printed = new String(bytes, UTF_8);
      free.call(text, null);
    }
    // A failed system call fills several lines: time, file, number and message.
    Matcher message = SYSTEM_MESSAGE.matcher(printed);
    String system = message.find() ? ": " + message.group(1) : "";
    List<String> descriptions = new ArrayList<>();
    for (String line : printed.lines().map(String::strip).toList()) {
      int start = line.startsWith("#") ? line.indexOf("(): ") : -1;
      if (start >= 0) {
        String description = line.substring(start + "(): ".length());
        int time = description.indexOf(": time = ");
        descriptions.add(time < 0 ? description : description.substring(0, time) + system);
        if (time >= 0) {
          // The lines below it are failures that follow from it.
          break;
        }
      }
    }
    return descriptions;
  }

  /** Passes a number where the C library takes a pointer. */
  private static final class Value extends Pointer {
    Value(long value) {
      address = value;
    }
  }

  /**
   * Discards everything written to a file from now on.
   *
   * <p>A file that can no longer be written, for example on a full disk, cannot be closed either:
   * HDF5 frees half of its structures, keeps the identifier, and crashes when it closes everything
   * at the end of the program. Before such a file is closed, its descriptor is therefore redirected
   * to the null device, where writing always works. This also frees the disk space of the file once
   * its name is deleted.
   */
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
      if (hdf5.H5Fget_vfd_handle(file, DEFAULT, handle) < 0) {
        hdf5.H5Eclear2(DEFAULT);
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
