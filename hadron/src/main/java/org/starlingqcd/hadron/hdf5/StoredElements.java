package org.starlingqcd.hadron.hdf5;

import io.jhdf.AbstractNode;
import io.jhdf.Constants;
import io.jhdf.ObjectHeader;
import io.jhdf.api.Dataset;
import io.jhdf.btree.BTreeV1;
import io.jhdf.dataset.chunked.Chunk;
import io.jhdf.dataset.chunked.DatasetInfo;
import io.jhdf.dataset.chunked.indexing.BTreeIndex;
import io.jhdf.dataset.chunked.indexing.ExtensibleArrayIndex;
import io.jhdf.dataset.chunked.indexing.FixedArrayIndex;
import io.jhdf.dataset.chunked.indexing.ImplicitChunkIndex;
import io.jhdf.dataset.chunked.indexing.SingleChunkIndex;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.message.DataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessageV4;
import io.jhdf.object.message.DataLayoutMessage.CompactDataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ContiguousDataLayoutMessage;
import io.jhdf.object.message.DataTypeMessage;
import io.jhdf.object.message.FillValueMessage;
import io.jhdf.object.message.FilterPipelineMessage;
import io.jhdf.storage.HdfBackingStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * The elements of a dataset as they lie in a file: contiguous, in chunks, or in the header of the
 * dataset. Several threads may read them; chunks that are not read as a whole are kept in a cache.
 */
final class StoredElements implements AutoCloseable {
  /** Bytes of an array or chunk that is read at once. */
  static final int MOST_BYTES = 1 << 30;

  /** Elements that lie apart in this many bytes of the file are read with what is between them. */
  private static final long MOST_SPAN = 1 << 20;

  private static final int NO_BYTES = 0;
  private static final int SHARED_TYPE = 3;

  private final Hdf5File.Contents file;
  private final HdfBackingStorage storage;
  private final ObjectHeader header;
  private final DataLayoutMessage layout;
  private final ElementReader elements;
  private final long[] extents;
  private final long[] chunk;
  private final ChunkFilters filters;
  private final long cacheBytes;
  private final LinkedHashMap<Long, HostMemory> cache = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable Map<Long, Chunk> chunks;

  StoredElements(Hdf5File.Found found, long cacheBytes) {
    Dataset dataset = (Dataset) found.node();
    this.file = found.contents();
    this.storage = file.objects().getHdfBackingStorage();
    this.header = ((AbstractNode) dataset).getHeader();
    this.layout = header.getMessageOfType(DataLayoutMessage.class);
    this.elements = new ElementReader(type(storage, header));
    this.extents = dataset.getDimensionsAsLong();
    this.cacheBytes = cacheBytes;
    long count = dataset.getSize();
    require(
        elements.width() > 0 && count >= 0, "its elements have no bytes, or its extents no sense");
    if (layout instanceof ChunkedDataLayoutMessage old) {
      chunk = longs(old.getChunkDimensions());
    } else if (layout instanceof ChunkedDataLayoutMessageV4 indexed) {
      chunk = Arrays.copyOf(longs(indexed.getChunkDimensions()), extents.length);
    } else {
      chunk = new long[0];
      long size =
          layout instanceof ContiguousDataLayoutMessage contiguous
              ? contiguous.getAddress() == Constants.UNDEFINED_ADDRESS
                  ? Long.MAX_VALUE
                  : Math.min(
                      contiguous.getSize() < 0 ? Long.MAX_VALUE : contiguous.getSize(),
                      storage.size() - storage.getUserBlockSize() - contiguous.getAddress())
              : ((CompactDataLayoutMessage) layout).getDataBuffer().remaining();
      require(
          count <= size / elements.width(),
          count + " elements of " + elements.width() + " bytes in " + size + " bytes");
    }
    long bytes = elements.width();
    for (long extent : chunk) {
      require(extent > 0 && bytes <= MOST_BYTES / extent, "a chunk of " + Arrays.toString(chunk));
      bytes *= extent;
    }
    require(!isChunked() || chunk.length == extents.length, "chunks of another rank");
    filters =
        new ChunkFilters(
            header.hasMessageOfType(FilterPipelineMessage.class)
                ? header.getMessageOfType(FilterPipelineMessage.class).getFilters()
                : List.of(),
            isChunked() ? (int) bytes : NO_BYTES);
  }

  private static void require(boolean sound, String flaw) {
    if (!sound) {
      throw new IllegalArgumentException(flaw);
    }
  }

  private static long[] longs(int[] ints) {
    return Arrays.stream(ints).asLongStream().toArray();
  }

  /** The type of elements, which may be an object of its own that jHDF does not look for. */
  private static DataType type(HdfBackingStorage storage, ObjectHeader header) {
    DataTypeMessage message = header.getMessageOfType(DataTypeMessage.class);
    if (!message.isMessageShared()) {
      return message.getDataType();
    }
    long at = header.getAddress();
    boolean second = header.getVersion() != 1;
    int flags = second ? storage.readBufferFromAddress(at + 5, 1).get(0) : 0;
    int prefix = second ? (flags & 4) != 0 ? 6 : 4 : 8;
    at +=
        second
            ? 6 + ((flags & 32) != 0 ? 16 : 0) + ((flags & 16) != 0 ? 4 : 0) + (1 << (flags & 3))
            : 16;
    while (true) {
      ByteBuffer head = storage.readBufferFromAddress(at, prefix + 16);
      int type = second ? head.get(0) : head.getShort(0);
      int size = head.getShort(second ? 1 : 2) & 0xffff;
      if (type == SHARED_TYPE) {
        // Version, kind, in the first version six bytes more, address.
        long address = head.getLong(prefix + (head.get(prefix) == 1 ? 8 : 2));
        return ObjectHeader.readObjectHeader(storage, address)
            .getMessageOfType(DataTypeMessage.class)
            .getDataType();
      }
      at += prefix + size;
    }
  }

  ElementReader elements() {
    return elements;
  }

  HdfBackingStorage storage() {
    return storage;
  }

  long[] extents() {
    return extents.clone();
  }

  boolean isChunked() {
    return layout instanceof ChunkedDataLayoutMessage
        || layout instanceof ChunkedDataLayoutMessageV4;
  }

  /** The extents of chunks; none when there are no chunks. */
  long[] chunk() {
    return chunk.clone();
  }

  boolean isFiltered() {
    return !filters.filters().isEmpty();
  }

  /** Fills a buffer with the elements of a selection inside of the extents, which may be empty. */
  void read(long[] start, long[] count, ByteBuffer target) throws IOException {
    for (long number : count) {
      if (number == 0) {
        return;
      }
    }
    if (isChunked()) {
      readChunks(start, count, target);
    } else if (layout instanceof CompactDataLayoutMessage compact) {
      copy(compact.getDataBuffer(), extents, start, target, count, new long[count.length], count);
    } else if (((ContiguousDataLayoutMessage) layout).getAddress() == Constants.UNDEFINED_ADDRESS) {
      fill(target, count, new long[count.length], count);
    } else {
      readContiguous(start, count, target.slice());
    }
  }

  private void readContiguous(long[] start, long[] count, ByteBuffer target) throws IOException {
    long address = ((ContiguousDataLayoutMessage) layout).getAddress();
    long[] last = new long[count.length];
    Arrays.setAll(last, k -> start[k] + count[k] - 1);
    long first = linear(start, extents);
    long span = elements.width() * (linear(last, extents) - first + 1);
    long from = address + elements.width() * first;
    if (span == target.remaining()) {
      readBytes(from, target);
    } else if (span <= MOST_SPAN) {
      ByteBuffer all = ByteBuffer.allocate((int) span);
      readBytes(from, all);
      // The first element of the selection is the first one there is.
      copy(
          all.flip(),
          extents,
          new long[count.length],
          target,
          count,
          new long[count.length],
          count);
    } else {
      int axis = 0;
      while (count[axis] == 1) {
        axis++;
      }
      long[] begin = start.clone();
      long[] part = count.clone();
      part[axis] = 1;
      int bytes = (int) (target.remaining() / count[axis]);
      for (int k = 0; k < count[axis]; k++, begin[axis]++) {
        readContiguous(begin, part, target.slice(k * bytes, bytes));
      }
    }
  }

  /** Fills the rest of a buffer from a place in the file. */
  private void readBytes(long address, ByteBuffer target) throws IOException {
    long next = storage.getUserBlockSize() + address;
    while (target.hasRemaining()) {
      int count = file.channel().read(target, next);
      require(count > 0, "its values end with the file");
      next += count;
    }
  }

  private void readChunks(long[] start, long[] count, ByteBuffer target) throws IOException {
    int rank = count.length;
    long[] first = new long[rank];
    long[] number = new long[rank];
    for (int k = 0; k < rank; k++) {
      first[k] = start[k] / chunk[k];
      number[k] = (start[k] + count[k] - 1) / chunk[k] - first[k] + 1;
    }
    long[] place = first.clone();
    do {
      long[] inChunk = new long[rank];
      long[] inTarget = new long[rank];
      long[] box = new long[rank];
      long[] origin = new long[rank];
      for (int k = 0; k < rank; k++) {
        origin[k] = place[k] * chunk[k];
        long from = Math.max(start[k], origin[k]);
        inChunk[k] = from - origin[k];
        inTarget[k] = from - start[k];
        box[k] = Math.min(start[k] + count[k], origin[k] + chunk[k]) - from;
      }
      Chunk stored = chunks().get(linear(origin, extents));
      if (stored == null) {
        fill(target, count, inTarget, box);
      } else if (Arrays.equals(box, chunk) && isOnePiece(box, count)) {
        int at = (int) (elements.width() * linear(inTarget, count));
        unpack(stored, target.slice(target.position() + at, filters.bytes()));
      } else if (Arrays.equals(box, chunk) || filters.bytes() > cacheBytes) {
        try (HostMemory scratch = HostMemory.allocate(filters.bytes())) {
          ByteBuffer all = scratch.bytes(0, filters.bytes());
          unpack(stored, all);
          copy(all, chunk, inChunk, target, count, inTarget, box);
        }
      } else {
        synchronized (cache) {
          copy(cached(stored), chunk, inChunk, target, count, inTarget, box);
        }
      }
    } while (advance(place, first, number, rank));
  }

  /** A chunk out of the cache, which may drop the one that was used longest ago. */
  private ByteBuffer cached(Chunk stored) throws IOException {
    HostMemory known = cache.get(stored.getAddress());
    if (known == null) {
      Iterator<HostMemory> oldest = cache.values().iterator();
      while (oldest.hasNext() && (cache.size() + 1L) * filters.bytes() > cacheBytes) {
        oldest.next().close();
        oldest.remove();
      }
      known = HostMemory.allocate(filters.bytes());
      try {
        unpack(stored, known.bytes(0, filters.bytes()));
      } catch (RuntimeException | IOException e) {
        known.close();
        throw e;
      }
      cache.put(stored.getAddress(), known);
    }
    return known.bytes(0, filters.bytes());
  }

  private void unpack(Chunk stored, ByteBuffer target) throws IOException {
    BitSet skipped = Objects.requireNonNullElseGet(stored.getFilterMask(), BitSet::new);
    int size = stored.getSize();
    require(
        size > 0 && size <= storage.size(),
        "a chunk of " + size + " bytes, which the file has not");
    if (filters.filters().isEmpty()) {
      require(size == filters.bytes(), "a chunk of " + size + " bytes, not " + filters.bytes());
      readBytes(stored.getAddress(), target.slice());
      return;
    }
    try (HostMemory memory = HostMemory.allocate(size)) {
      ByteBuffer bytes = memory.bytes(0, size);
      readBytes(stored.getAddress(), bytes);
      filters.unpack(bytes.flip(), skipped, target);
    }
  }

  /** All chunks by the number of their first element. */
  private synchronized Map<Long, Chunk> chunks() {
    Map<Long, Chunk> known = chunks;
    if (known == null) {
      known = new HashMap<>();
      for (Chunk one : index()) {
        known.put(linear(one.getChunkOffset(), extents), one);
      }
      chunks = known;
    }
    return known;
  }

  private Collection<Chunk> index() {
    if (layout instanceof ChunkedDataLayoutMessage old) {
      return old.getBTreeAddress() == Constants.UNDEFINED_ADDRESS
          ? List.of()
          : BTreeV1.createDataBTree(storage, old.getBTreeAddress(), extents.length).getChunks();
    }
    ChunkedDataLayoutMessageV4 indexed = (ChunkedDataLayoutMessageV4) layout;
    long address = indexed.getAddress();
    if (address == Constants.UNDEFINED_ADDRESS) {
      return List.of();
    }
    DatasetInfo info =
        new DatasetInfo(
            filters.bytes(), extents, Arrays.stream(chunk).mapToInt(Math::toIntExact).toArray());
    return switch (indexed.getIndexingType()) {
      case ChunkedDataLayoutMessageV4.SINGLE_CHUNK_INDEX ->
          new SingleChunkIndex(indexed, info).getAllChunks();
      case ChunkedDataLayoutMessageV4.IMPLICIT_INDEX ->
          new ImplicitChunkIndex(address, info).getAllChunks();
      case ChunkedDataLayoutMessageV4.FIXED_ARRAY_INDEX ->
          new FixedArrayIndex(storage, address, info).getAllChunks();
      case ChunkedDataLayoutMessageV4.EXTENSIBLE_ARRAY_INDEX ->
          new ExtensibleArrayIndex(storage, address, info).getAllChunks();
      default -> new BTreeIndex(storage, address, info).getAllChunks();
    };
  }

  /** Writes the fill value, or zeros, where nothing was ever written. */
  private void fill(ByteBuffer target, long[] count, long[] at, long[] box) {
    int width = elements.width();
    ByteBuffer value = ByteBuffer.allocate(width);
    if (header.hasMessageOfType(FillValueMessage.class)) {
      FillValueMessage message = header.getMessageOfType(FillValueMessage.class);
      if (message.isFillValueDefined() && message.getFillValue().remaining() == width) {
        value.put(message.getFillValue()).flip();
      }
    }
    long[] place = new long[box.length];
    do {
      long[] there = new long[box.length];
      Arrays.setAll(there, k -> at[k] + place[k]);
      int to = target.position() + (int) (width * linear(there, count));
      target.slice(to, width).put(value.duplicate().rewind());
    } while (advance(place, new long[box.length], box, box.length));
  }

  /** Whether a box's elements follow each other in an array. */
  private static boolean isOnePiece(long[] box, long[] extents) {
    int axis = 0;
    while (axis < box.length - 1 && box[axis] == 1) {
      axis++;
    }
    boolean one = true;
    for (int k = axis + 1; k < box.length; k++) {
      one &= box[k] == extents[k];
    }
    return one;
  }

  /** Copies a box of elements from one array to another, row by row. */
  private void copy(
      ByteBuffer source,
      long[] sourceExtents,
      long[] from,
      ByteBuffer target,
      long[] targetExtents,
      long[] to,
      long[] box) {
    int last = Math.max(0, box.length - 1);
    int width = elements.width();
    int row = box.length == 0 ? width : (int) (width * box[last]);
    long[] place = new long[box.length];
    do {
      long there = 0;
      long here = 0;
      for (int k = 0; k < box.length; k++) {
        there = there * sourceExtents[k] + from[k] + place[k];
        here = here * targetExtents[k] + to[k] + place[k];
      }
      int begin = source.position() + (int) (width * there);
      target.put(target.position() + (int) (width * here), source, begin, row);
    } while (advance(place, new long[box.length], box, last));
  }

  /** Goes to the next place of the first axes, the last of them first; false after all of them. */
  private static boolean advance(long[] place, long[] start, long[] count, int axes) {
    for (int k = axes - 1; k >= 0; k--) {
      place[k]++;
      if (place[k] < start[k] + count[k]) {
        return true;
      }
      place[k] = start[k];
    }
    return false;
  }

  private static long linear(long[] place, long[] extents) {
    long index = 0;
    for (int k = 0; k < place.length; k++) {
      index = index * extents[k] + place[k];
    }
    return index;
  }

  @Override
  public void close() {
    synchronized (cache) {
      cache.values().forEach(HostMemory::close);
      cache.clear();
    }
  }
}
