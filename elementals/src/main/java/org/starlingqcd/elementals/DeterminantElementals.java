package org.starlingqcd.elementals;

import java.util.List;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;

/**
 * Baryon elementals as sums of determinants, on devices that have these. The whole elemental of one
 * momentum is a result on the device.
 */
final class DeterminantElementals extends SliceElementals {
  private final List<Momentum> momenta;
  private final HostArray result;

  DeterminantElementals(Shared shared, List<Momentum> momenta) {
    super(shared);
    this.momenta = momenta;
    long n = header.eigenvectors();
    result = cache.array("baryon elemental", NumberKind.COMPLEX, n * n * n);
  }

  /** Bytes on the device that a call needs. */
  static long deviceBytes(VectorHeader header) {
    long n = header.eigenvectors();
    return 16 * (SliceVectors.numbers(header) + header.volume() + n * n * n);
  }

  @Override
  void compute(int time) {
    for (Momentum momentum : momenta) {
      int n = header.eigenvectors();
      blas.determinants(header.volume(), n, slice.vectors(), phases.of(momentum), result);
      ElementalName name = new ElementalName("none", momentum);
      sink.accept(DistillationFile.BARYON_ELEMENTALS, name, time, Rows.ALL, result.reading());
      // Real products of complex numbers, three colours, i < j < k.
      flops += 8L * 3 * header.volume() * ((long) n * (n - 1) * (n - 2) / 6);
    }
  }
}
