package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.Map;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * A source that knows where each of its blocks is once it is open.
 *
 * @param <P> the place of a block
 */
abstract class IndexedSource<P> implements BlockSource {
  private final Path path;
  private final PartialHeader header;
  private final BlockCatalog catalog = new BlockCatalog();
  private final Map<DataBlock, P> places;

  /**
   * @param path the file, or the one that stands for several
   * @param places where each block is; only blocks of which all parts are there
   */
  IndexedSource(Path path, PartialHeader header, Map<DataBlock, P> places) {
    this.path = path;
    this.header = header;
    this.places = places;
    places.keySet().forEach(catalog::add);
  }

  /** Reads the block of a place, as {@link BlockSource#read} asks for. */
  abstract void read(DataBlock block, P place, HostMemory target, long offset);

  /** Where a block is. */
  final P place(DataBlock block) {
    P place = places.get(block);
    if (place == null) {
      throw fault(block + " is missing");
    }
    return place;
  }

  final DistillationException fault(String what) {
    return new DistillationException(path + ": " + what);
  }

  @Override
  public final void read(DataBlock block, HostMemory target, long offset) {
    read(block, place(block), target, offset);
  }

  @Override
  public final Path path() {
    return path;
  }

  @Override
  public final PartialHeader header() {
    return header;
  }

  @Override
  public final BlockCatalog blocks() {
    return catalog;
  }
}
