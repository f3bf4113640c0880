package org.starlingqcd.hadron.data;

import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.CurrentVertex;

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

  /**
   * τ_Γ(sinkTime, insertionTime, sourceTime; q), [4 sink][4 source][N sink][N source].
   *
   * @param bar label of the line that ends at the sink
   * @param quark label of the line that begins at the source
   */
  record Generalized(
      String bar,
      String quark,
      CurrentVertex vertex,
      int sinkTime,
      int insertionTime,
      int sourceTime)
      implements DataBlock {
    /** A block of a current between some times. */
    public Generalized(CurrentName name, CurrentName.Ends ends, int insertionTime) {
      this(
          name.bar(),
          name.quark(),
          name.vertex(),
          ends.sinkTime(),
          insertionTime,
          ends.sourceTime());
    }

    /** Labels and vertex. */
    public CurrentName name() {
      return new CurrentName(bar, quark, vertex);
    }

    /** Sink and source time. */
    public CurrentName.Ends ends() {
      return new CurrentName.Ends(sinkTime, sourceTime);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return TensorShape.mesonNode(eigenvectors);
    }

    @Override
    public String toString() {
      return "generalized_perambulators/"
          + name()
          + " at (sink, insertion, source) = ("
          + sinkTime
          + ", "
          + insertionTime
          + ", "
          + sourceTime
          + ")";
    }
  }

  /** L_Γ(t; q), one number. */
  record Loop(String label, CurrentVertex vertex, int time) implements DataBlock {
    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, 1);
    }

    @Override
    public String toString() {
      return "loops/" + label + "/" + vertex + " at time " + time;
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
