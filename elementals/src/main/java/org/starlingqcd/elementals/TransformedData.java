package org.starlingqcd.elementals;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Distillation data of one configuration in another basis, at some times, computed as they are
 * read.
 */
public final class TransformedData implements BlockSource {
  private final DistillationData data;
  private final BasisChange change;
  private final PartialHeader header;
  private final BlockCatalog catalog = new BlockCatalog();

  private TransformedData(
      DistillationData data,
      ArrayCache cache,
      ArrayBlas blas,
      Rotations rotations,
      IntPredicate times) {
    this.data = data;
    change = new BasisChange(cache, blas, rotations);
    DistillationHeader old = data.header();
    header =
        PartialHeader.of(
            new DistillationHeader(
                old.ensemble(),
                old.configuration(),
                old.spatialExtent(),
                old.temporalExtent(),
                rotations.after(),
                old.gammaBasis(),
                old.temporalBoundary()));
    for (String label : data.labels()) {
      if (!data.gamma5Hermitian(label)) {
        catalog.forbidGamma5(label);
      }
    }
    data.blocks()
        .series()
        .forEach(
            (series, there) -> {
              BitSet kept = restricted(there, times);
              boolean ends = true;
              if (series instanceof DataBlock.Perambulator tau) {
                ends = times.test(tau.sourceTime()) && !kept.isEmpty();
              } else if (series instanceof DataBlock.Generalized tau) {
                ends =
                    times.test(tau.ends().sinkTime())
                        && times.test(tau.ends().sourceTime())
                        && !kept.isEmpty();
              }
              boolean fixedBasis =
                  series instanceof DataBlock.Sites
                      || series instanceof DataBlock.Noise
                      || series instanceof DataBlock.Sink
                      || (series instanceof DataBlock.Elemental k
                          && k.kind() == DataBlock.Kind.TETRAQUARK);
              if (ends && !fixedBasis) {
                catalog.add(series, kept);
              }
            });
  }

  private static BitSet restricted(BitSet there, IntPredicate times) {
    BitSet kept = new BitSet();
    there.stream().filter(times).forEach(kept::set);
    return kept;
  }

  /**
   * The data as a source.
   *
   * @param times which times are kept
   */
  public static DataSource source(
      DistillationData data,
      ArrayCache cache,
      ArrayBlas blas,
      Rotations rotations,
      IntPredicate times) {
    TransformedData transformed = new TransformedData(data, cache, blas, rotations, times);
    return DataSource.of(data.files(), "transformed", transformed.header(), caches -> transformed);
  }

  @Override
  public Path path() {
    return data.files().get(0);
  }

  @Override
  public PartialHeader header() {
    return header;
  }

  @Override
  public BlockCatalog blocks() {
    return catalog;
  }

  @Override
  public @Nullable GammaBasis explicitBasis() {
    return data.header().gammaBasis().equals(DistillationHeader.EXPLICIT)
        ? data.gammaBasis()
        : null;
  }

  /** One block at a time: the arrays belong to one thread. */
  @Override
  public synchronized void read(DataBlock block, HostMemory target, long offset) {
    change.transform(block, old -> data.loadStored(block, old, 0), target, offset);
  }

  /** The data that are transformed stay open. */
  @Override
  public void close() {}
}
