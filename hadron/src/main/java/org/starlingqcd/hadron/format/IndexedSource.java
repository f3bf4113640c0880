package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * A source that knows where each of its blocks is once it is open.
 *
 * @param <P> the place of a block
 */
abstract class IndexedSource<P> extends FileFaults implements BlockSource {
  private final PartialHeader header;
  private final BlockCatalog catalog = new BlockCatalog();
  private final Map<DataBlock, P> places;

  /** With the places of the blocks of which all parts are there. */
  IndexedSource(Path path, PartialHeader header, Map<DataBlock, P> places) {
    super(path);
    this.header = header;
    this.places = places;
    Map<DataBlock, BitSet> series = new HashMap<>();
    places
        .keySet()
        .forEach(block -> series.computeIfAbsent(block.at(0), k -> new BitSet()).set(block.time()));
    series.forEach(catalog::add);
  }

  /**
   * A source that reads the numbers of a time of a series.
   *
   * @param header with T
   * @param basis of its spins
   * @param times of series; others have all times
   * @param close closes what is read
   */
  static IndexedSource<IntFunction<double[]>> of(
      Path path,
      PartialHeader header,
      GammaBasis basis,
      Map<DataBlock, IntFunction<double[]>> series,
      Map<DataBlock, BitSet> times,
      Runnable close) {
    BitSet all = BlockCatalog.all(Objects.requireNonNull(header.temporalExtent()));
    Map<DataBlock, IntFunction<double[]>> places = new HashMap<>();
    series.forEach(
        (one, reader) ->
            times.getOrDefault(one, all).stream().forEach(t -> places.put(one.at(t), reader)));
    return new IndexedSource<>(path, header, places) {
      @Override
      void read(DataBlock block, IntFunction<double[]> place, HostMemory target, long offset) {
        double[] numbers = place.apply(block.time());
        target.put(offset / Double.BYTES, numbers, 0, numbers.length);
      }

      @Override
      public GammaBasis explicitBasis() {
        return basis;
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }

  /** Reads the block of a place, as {@link BlockSource#read} asks for. */
  abstract void read(DataBlock block, P place, HostMemory target, long offset);

  /** Where a block is. */
  final P place(DataBlock block) {
    P place = places.get(block);
    if (place == null) {
      throw fault("%s is missing", block);
    }
    return place;
  }

  @Override
  public final void read(DataBlock block, HostMemory target, long offset) {
    read(block, place(block), target, offset);
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
