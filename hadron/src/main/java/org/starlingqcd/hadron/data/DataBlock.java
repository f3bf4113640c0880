package org.starlingqcd.hadron.data;

import org.starlingqcd.backend.TensorShape;

/** The name of one block of distillation data, as a source stores it. */
public sealed interface DataBlock {

  /** τ(sinkTime, sourceTime) of a label, [4 sink][4 source][N sink][N source]. */
  record Perambulator(String label, int sinkTime, int sourceTime) implements DataBlock {
    @Override
    public TensorShape shape(int eigenvectors) {
      return TensorShape.mesonNode(eigenvectors);
    }

    @Override
    public String toString() {
      return "perambulators/"
          + label
          + " at (sink, source) = ("
          + sinkTime
          + ", "
          + sourceTime
          + ")";
    }
  }

  /** Φ(n, t), [N][N]. */
  record Meson(ElementalName name, int time) implements DataBlock {
    @Override
    public TensorShape shape(int eigenvectors) {
      return TensorShape.elemental(eigenvectors);
    }

    @Override
    public String toString() {
      return "elementals/meson/" + name + " at time " + time;
    }
  }

  /** B(n, t), [N][N][N]. */
  record Baryon(ElementalName name, int time) implements DataBlock {
    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 3, eigenvectors);
    }

    @Override
    public String toString() {
      return "elementals/baryon/" + name + " at time " + time;
    }
  }

  /** Its shape for N eigenvectors. */
  TensorShape shape(int eigenvectors);
}
