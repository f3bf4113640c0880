package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.SizeTPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * The numbers of a dataset, read from their places in the file. The library, whose lock lets one
 * thread in at a time, only says where a chunk lies. Several threads can then read and inflate at
 * once, straight into the memory where the numbers are to be.
 *
 * <p>Only numbers that lie in the file as they do in memory are read like this: contiguous ones, or
 * chunks that a selection covers and that have no filters but shuffling, deflation and a checksum.
 * Whatever else there is, and any fault, is left to the library and its messages.
 */
final class RawDataset {
  /** Shorter pieces are faster through the library. */
  private static final long LEAST_RUN = 4096;

  /** Bytes of the memory in which a chunk is unpacked that is not read in place. */
  private static final int MOST_SCRATCH = 64 << 20;

  private static final int MOST_FILTERS = 3;
  private static final int PIECE = 1 << 30;

  private final RawFile file;
  private final LongSupplier id;
  private final long[] extents;
  private final int width;

  /** Where contiguous numbers begin; -1 where they are in chunks. */
  private final long address;

  private final long[] chunk;
  private final @Nullable RawChunk filters;

  /** A chunk: its first numbers, and its bytes in the file. */
  private static final class Piece {
    final long[] begin;
    final long position;
    final long stored;

    Piece(long[] begin, long position, long stored) {
      this.begin = begin;
      this.position = position;
      this.stored = stored;
    }
  }

  private RawDataset(
      RawFile file,
      LongSupplier id,
      long[] extents,
      int width,
      long address,
      long[] chunk,
      @Nullable RawChunk filters) {
    this.file = file;
    this.id = id;
    this.extents = extents;
    this.width = width;
    this.address = address;
    this.chunk = chunk;
    this.filters = filters;
  }

  /**
   * A dataset that can be read like this; null if it cannot. Called under the lock.
   *
   * @param dataset the library's identifier, while the dataset is open
   * @param memoryType type of the numbers in memory
   */
  static @Nullable RawDataset of(
      RawFile file, LongSupplier dataset, long[] extents, long memoryType) {
    long id = dataset.getAsLong();
    if (extents.length == 0 || !file.holds(id)) {
      return null;
    }
    try (Handle type = Handle.type(hdf5.H5Dget_type(id), "H5Dget_type");
        Handle creation = Handle.properties(hdf5.H5Dget_create_plist(id), "H5Dget_create_plist")) {
      if (hdf5.H5Tequal(type.id(), memoryType) <= 0) {
        return null;
      }
      int width = (int) hdf5.H5Tget_size(type.id());
      int layout = hdf5.H5Pget_layout(creation.id());
      if (layout == hdf5.H5D_CONTIGUOUS) {
        long address = hdf5.H5Pget_external_count(creation.id()) == 0 ? hdf5.H5Dget_offset(id) : -1;
        hdf5.H5Eclear2(DEFAULT);
        return address < 0
            ? null
            : new RawDataset(file, dataset, extents, width, address, new long[0], null);
      }
      if (layout != hdf5.H5D_CHUNKED) {
        return null;
      }
      long[] chunk = new long[extents.length];
      hdf5.H5Pget_chunk(creation.id(), chunk.length, chunk);
      RawChunk filters = filters(creation.id(), chunk, width);
      return filters == null
          ? null
          : new RawDataset(file, dataset, extents, width, -1, chunk, filters);
    }
  }

  private static @Nullable RawChunk filters(long creation, long[] chunk, int width) {
    long bytes = width;
    for (long extent : chunk) {
      bytes = extent <= 0 || bytes > PIECE / extent ? Long.MAX_VALUE : bytes * extent;
    }
    int count = hdf5.H5Pget_nfilters(creation);
    if (bytes > PIECE || count > MOST_FILTERS) {
      return null;
    }
    boolean shuffled = false;
    boolean deflated = false;
    boolean summed = false;
    for (int k = 0; k < count; k++) {
      int[] values = new int[8];
      int filter;
      try (SizeTPointer most = new SizeTPointer(1)) {
        most.put(values.length);
        filter =
            hdf5.H5Pget_filter2(creation, k, new int[1], most, values, 0, new byte[1], new int[1]);
      }
      // The only order in which they are undone here.
      if (filter == hdf5.H5Z_FILTER_SHUFFLE && k == 0 && values[0] == width) {
        shuffled = true;
      } else if (filter == hdf5.H5Z_FILTER_DEFLATE && !deflated && !summed) {
        deflated = true;
      } else if (filter == hdf5.H5Z_FILTER_FLETCHER32 && !summed) {
        summed = true;
      } else {
        return null;
      }
    }
    return new RawChunk((int) bytes, width, shuffled, deflated, summed);
  }

  /** Whether nothing has to be unpacked. */
  boolean isPlain() {
    return filters == null || filters.isPlain();
  }

  /**
   * Reads a selection inside of the extents.
   *
   * @return false when the library has to read it; the target may have been written
   */
  boolean read(long[] start, long[] count, HostMemory target, long offset) {
    for (long extent : count) {
      if (extent == 0) {
        return false;
      }
    }
    try {
      return filters == null
          ? readContiguous(start, count, target, offset)
          : readChunks(filters, start, count, target, offset);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean readContiguous(long[] start, long[] count, HostMemory target, long offset)
      throws IOException {
    int axis = count.length - 1;
    long run = width * count[axis];
    while (axis > 0 && count[axis] == extents[axis]) {
      axis--;
      run *= count[axis];
    }
    long runs = 1;
    for (int k = 0; k < axis; k++) {
      runs *= count[k];
    }
    if (runs > 1 && run < LEAST_RUN) {
      return false;
    }
    long[] place = start.clone();
    long written = offset;
    for (long r = 0; r < runs; r++) {
      if (!readRun(address + width * linear(place, extents), run, target, written)) {
        return false;
      }
      written += run;
      advance(place, start, count, axis);
    }
    return true;
  }

  private boolean readRun(long position, long bytes, HostMemory target, long offset)
      throws IOException {
    for (long done = 0; done < bytes; done += PIECE) {
      int piece = (int) Math.min(PIECE, bytes - done);
      if (!file.read(position + done, target.bytes(offset + done, piece))) {
        return false;
      }
    }
    return true;
  }

  /** Goes to the next place of the axes before {@code axes}, the last of them first. */
  private static void advance(long[] place, long[] start, long[] count, int axes) {
    for (int k = axes - 1; k >= 0; k--) {
      place[k]++;
      if (place[k] < start[k] + count[k]) {
        return;
      }
      place[k] = start[k];
    }
  }

  private static long linear(long[] place, long[] extents) {
    long index = 0;
    for (int k = 0; k < place.length; k++) {
      index = index * extents[k] + place[k];
    }
    return index;
  }

  private boolean readChunks(
      RawChunk filters, long[] start, long[] count, HostMemory target, long offset)
      throws IOException {
    long bytes = width;
    for (long extent : count) {
      bytes *= extent;
    }
    List<Piece> pieces = bytes > PIECE ? null : pieces(start, count);
    if (pieces == null) {
      return false;
    }
    boolean inPlace = isOnePiece(count);
    if ((!inPlace || filters.shuffled()) && filters.bytes() > MOST_SCRATCH) {
      return false;
    }
    ByteBuffer all = target.bytes(offset, (int) bytes);
    ByteBuffer scratch = inPlace ? all : ByteBuffer.allocate(filters.bytes());
    for (Piece piece : pieces) {
      long[] begin = new long[count.length];
      for (int k = 0; k < begin.length; k++) {
        begin[k] = piece.begin[k] - start[k];
      }
      scratch.position(inPlace ? (int) (width * linear(begin, count)) : 0);
      if (!filters.read(file, piece.position, piece.stored, scratch)) {
        return false;
      }
      if (!inPlace) {
        copy(scratch.array(), piece.begin, begin, count, all);
      }
    }
    return true;
  }

  /** Whether the numbers of a chunk follow each other in the selection. */
  private boolean isOnePiece(long[] count) {
    int axis = 0;
    while (axis < count.length - 1 && chunk[axis] == 1) {
      axis++;
    }
    boolean whole = count[axis] % chunk[axis] == 0;
    for (int k = axis + 1; k < count.length; k++) {
      whole &= chunk[k] == count[k];
    }
    return whole;
  }

  /** Copies the numbers of a chunk that are within the extents, row by row. */
  private void copy(byte[] numbers, long[] at, long[] begin, long[] count, ByteBuffer target) {
    int last = count.length - 1;
    long[] within = new long[count.length];
    long rows = 1;
    for (int k = 0; k < count.length; k++) {
      within[k] = Math.min(chunk[k], extents[k] - at[k]);
      rows *= k < last ? within[k] : 1;
    }
    int row = (int) (width * within[last]);
    long[] zero = new long[count.length];
    long[] place = new long[count.length];
    long[] there = new long[count.length];
    for (long r = 0; r < rows; r++) {
      for (int k = 0; k < count.length; k++) {
        there[k] = begin[k] + place[k];
      }
      int from = (int) (width * linear(place, chunk));
      target.put((int) (width * linear(there, count)), numbers, from, row);
      advance(place, zero, within, last);
    }
  }

  /** The chunks of a selection that consists of whole chunks; null for another one. */
  private @Nullable List<Piece> pieces(long[] start, long[] count) {
    long[] first = new long[count.length];
    long[] chunks = new long[count.length];
    long number = 1;
    for (int k = 0; k < count.length; k++) {
      long end = start[k] + count[k];
      boolean whole = start[k] % chunk[k] == 0 && (end % chunk[k] == 0 || end == extents[k]);
      if (!whole) {
        return null;
      }
      first[k] = start[k] / chunk[k];
      chunks[k] = (count[k] + chunk[k] - 1) / chunk[k];
      number *= chunks[k];
    }
    List<Piece> pieces = new ArrayList<>();
    long[] place = first.clone();
    for (long c = 0; c < number; c++) {
      Piece piece = piece(place);
      if (piece == null) {
        return null;
      }
      pieces.add(piece);
      advance(place, first, chunks, count.length);
    }
    return pieces;
  }

  /** Asks the library where a chunk lies; null where it does not, or has not all filters. */
  private @Nullable Piece piece(long[] place) {
    long[] begin = new long[place.length];
    for (int k = 0; k < begin.length; k++) {
      begin[k] = place[k] * chunk[k];
    }
    int[] skipped = new int[1];
    long[] position = new long[1];
    long[] stored = new long[1];
    int status;
    synchronized (LOCK) {
      status = hdf5.H5Dget_chunk_info_by_coord(id.getAsLong(), begin, skipped, position, stored);
      hdf5.H5Eclear2(DEFAULT);
    }
    boolean there = status >= 0 && position[0] >= 0 && stored[0] > 0 && skipped[0] == 0;
    return there ? new Piece(begin, position[0], stored[0]) : null;
  }
}
