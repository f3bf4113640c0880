package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file that the library has open for reading, read beside the library and outside
 * its lock. It is the very file that the library reads, even if another one has taken its place in
 * the folder since.
 */
final class RawFile implements AutoCloseable {
  private final int descriptor;
  private final FileChannel channel;

  private RawFile(int descriptor, FileChannel channel) {
    this.descriptor = descriptor;
    this.channel = channel;
  }

  /**
   * The bytes of an open file; null where they cannot be read like this. Called under the lock.
   *
   * @param file the library's identifier of the file
   */
  static @Nullable RawFile of(long file) {
    int descriptor = descriptor(file);
    if (descriptor < 0) {
      return null;
    }
    try {
      return new RawFile(descriptor, FileChannel.open(Path.of("/proc/self/fd/" + descriptor)));
    } catch (IOException e) {
      return null;
    }
  }

  /** The operating system's number of an open file; -1 where it has none or is shifted. */
  private static int descriptor(long file) {
    try (Handle access = Handle.properties(hdf5.H5Fget_access_plist(file), "H5Fget_access_plist");
        Handle creation = Handle.properties(hdf5.H5Fget_create_plist(file), "H5Fget_create_plist");
        PointerPointer<IntPointer> found = new PointerPointer<>(1)) {
      long[] userBlock = {-1};
      boolean plain =
          hdf5.H5Pget_driver(access.id()) == hdf5.H5FD_sec2_init()
              && hdf5.H5Pget_userblock(creation.id(), userBlock) >= 0
              && userBlock[0] == 0
              && hdf5.H5Fget_vfd_handle(file, DEFAULT, found) >= 0;
      if (!plain) {
        hdf5.H5Eclear2(DEFAULT);
        return -1;
      }
      return new IntPointer(found.get(0)).get();
    }
  }

  /** Whether a dataset is in this file, not in one that a link leads to. Called under the lock. */
  boolean holds(long dataset) {
    long file = hdf5.H5Iget_file_id(dataset);
    if (file < 0) {
      hdf5.H5Eclear2(DEFAULT);
      return false;
    }
    try {
      return descriptor(file) == descriptor;
    } finally {
      hdf5.H5Fclose(file);
    }
  }

  /** Fills the rest of the target from a place in the file; false where the file ends before. */
  boolean read(long position, ByteBuffer target) throws IOException {
    long next = position;
    while (target.hasRemaining()) {
      int count = channel.read(target, next);
      if (count <= 0) {
        return false;
      }
      next += count;
    }
    return true;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written.
    }
  }
}
