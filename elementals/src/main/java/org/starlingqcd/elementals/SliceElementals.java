package org.starlingqcd.elementals;

import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.elementals.vectors.VectorHeader;

/** Computes elementals of one kind, time slice by time slice. */
abstract class SliceElementals {
  /** What all kinds of a run share. */
  record Shared(
      ArrayCache cache,
      ArrayBlas blas,
      SliceVectors slice,
      Phases phases,
      VectorHeader header,
      ElementalSink sink) {}

  final ArrayCache cache;
  final ArrayBlas blas;
  final SliceVectors slice;
  final Phases phases;
  final VectorHeader header;
  final ElementalSink sink;

  /** Flops of the matrix products so far. */
  long flops;

  SliceElementals(Shared shared) {
    cache = shared.cache();
    blas = shared.blas();
    slice = shared.slice();
    phases = shared.phases();
    header = shared.header();
    sink = shared.sink();
  }

  /** Computes all of the time slice that is in {@link SliceVectors}. */
  abstract void compute(int time);
}
