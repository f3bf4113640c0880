package org.starlingqcd.hadron.data;

import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.schedule.Input;

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

  /** τ_Γ(sinkTime, insertionTime, sourceTime; q), [4 sink][4 source][N sink][N source]. */
  record Generalized(CurrentName name, CurrentName.Ends ends, int insertionTime)
      implements DataBlock {
    /** The block that is an input. */
    public static Generalized of(Input.Generalized tau) {
      return new Generalized(
          new CurrentName(tau.bar(), tau.quark(), tau.vertex()),
          new CurrentName.Ends(tau.sinkTime(), tau.sourceTime()),
          tau.insertionTime());
    }

    /** The input that is this block. */
    public Input.Generalized input() {
      return new Input.Generalized(
          name.bar(),
          name.quark(),
          name.vertex(),
          ends.sinkTime(),
          insertionTime,
          ends.sourceTime());
    }

    /** The block whose adjoint γ5-hermiticity relates to this one. */
    public Generalized reversed() {
      return new Generalized(name.reversed(), ends.exchanged(), insertionTime);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return TensorShape.mesonNode(eigenvectors);
    }

    @Override
    public String toString() {
      return "generalized_perambulators/"
          + name
          + " at (sink, insertion, source) = ("
          + ends.sinkTime()
          + ", "
          + insertionTime
          + ", "
          + ends.sourceTime()
          + ")";
    }
  }

  /** L_Γ(t; q), one number. */
  record Loop(String label, CurrentVertex vertex, int time) implements DataBlock {
    /** Label and vertex. */
    public CurrentName name() {
      return new CurrentName(label, label, vertex);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, 1);
    }

    @Override
    public String toString() {
      return "loops/" + label + "/" + vertex + " at time " + time;
    }
  }

  /** A gluonic factor at a time, one number. */
  record GluonicValue(Gluonic factor, int time) implements DataBlock {
    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, 1);
    }

    @Override
    public String toString() {
      return "gluonic/" + factor + " at time " + time;
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

  /** K(n, t), packed, [P][P]; the name has the colour in the place of a displacement. */
  record Tetraquark(ElementalName name, int time) implements DataBlock {
    @Override
    public TensorShape shape(int eigenvectors) {
      return TensorShape.elemental(name.colour().pairs(eigenvectors));
    }

    @Override
    public String toString() {
      return "elementals/tetraquark/" + name + " at time " + time;
    }
  }

  /** Its shape for N eigenvectors. */
  TensorShape shape(int eigenvectors);
}
