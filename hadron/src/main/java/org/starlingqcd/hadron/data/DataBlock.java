package org.starlingqcd.hadron.data;

import java.util.List;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;

/**
 * The name of one block of distillation data, as a source stores it. Blocks that differ in {@link
 * #time} alone are a series, for which its block at time 0 stands.
 */
public sealed interface DataBlock extends Comparable<DataBlock> {
  /** The classes of blocks, in ascending order. */
  List<Class<?>> ORDER =
      List.of(
          Perambulator.class,
          Elemental.class,
          Generalized.class,
          Loop.class,
          GluonicValue.class,
          Sites.class,
          Noise.class,
          Sink.class);

  /** τ(sinkTime, sourceTime) of a label, [4 sink][4 source][N sink][N source]. */
  record Perambulator(String label, int sinkTime, int sourceTime) implements DataBlock {
    @Override
    public int time() {
      return sinkTime;
    }

    @Override
    public Perambulator at(int time) {
      return new Perambulator(label, time, sourceTime);
    }

    /** The block whose adjoint γ5-hermiticity relates to this one. */
    public Perambulator reversed() {
      return new Perambulator(label, /* sinkTime= */ sourceTime, /* sourceTime= */ sinkTime);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return TensorShape.mesonNode(eigenvectors);
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(label, sourceTime);
    }

    @Override
    public String object() {
      return DistillationFile.PERAMBULATORS + "/" + label;
    }

    @Override
    public String toString() {
      return object() + " at (sink, source) = (" + sinkTime + ", " + sourceTime + ")";
    }
  }

  /** τ_Γ(sinkTime, insertionTime, sourceTime; q), [4 sink][4 source][N sink][N source]. */
  record Generalized(CurrentName name, CurrentName.Ends ends, int insertionTime)
      implements DataBlock {
    @Override
    public int time() {
      return insertionTime;
    }

    @Override
    public Generalized at(int time) {
      return new Generalized(name, ends, time);
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
    public List<Comparable<?>> key() {
      return List.of(name, ends);
    }

    @Override
    public String object() {
      return DistillationFile.GENERALIZED + "/" + name;
    }

    @Override
    public String toString() {
      return "%s at (sink, insertion, source) = (%d, %d, %d)"
          .formatted(object(), ends.sinkTime(), insertionTime, ends.sourceTime());
    }
  }

  /** L_Γ(t; q), one number. */
  record Loop(String label, CurrentVertex vertex, int time) implements DataBlock {
    /** Label and vertex. */
    public CurrentName name() {
      return new CurrentName(label, label, vertex);
    }

    @Override
    public Loop at(int other) {
      return new Loop(label, vertex, other);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, 1);
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(label, vertex);
    }

    @Override
    public String object() {
      return DistillationFile.LOOPS + "/" + label + "/" + vertex;
    }

    @Override
    public String toString() {
      return object() + " at time " + time;
    }
  }

  /** A gluonic factor at a time, one number. */
  record GluonicValue(Gluonic factor, int time) implements DataBlock {
    @Override
    public GluonicValue at(int other) {
      return new GluonicValue(factor, other);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, 1);
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(factor);
    }

    @Override
    public String object() {
      return DistillationFile.GLUONIC + "/" + factor;
    }

    @Override
    public String toString() {
      return object() + " at time " + time;
    }
  }

  /** Kinds of elementals. */
  enum Kind {
    /** Φ(n, t), [N][N]. */
    MESON("elementals/meson"),
    /** B(n, t), [N][N][N]. */
    BARYON("elementals/baryon"),
    /** K(n, t), packed, [P][P]; the name has the colour in the place of a displacement. */
    TETRAQUARK("elementals/tetraquark");

    /** Its group in a file of Starling. */
    public final String group;

    Kind(String group) {
      this.group = group;
    }
  }

  /** An elemental at a time. */
  record Elemental(Kind kind, ElementalName name, int time) implements DataBlock {
    @Override
    public Elemental at(int other) {
      return new Elemental(kind, name, other);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return switch (kind) {
        case MESON -> TensorShape.elemental(eigenvectors);
        case BARYON -> new TensorShape(1, 3, eigenvectors);
        case TETRAQUARK -> TensorShape.elemental(name.colour().pairs(eigenvectors));
      };
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(kind, name);
    }

    @Override
    public String object() {
      return kind.group + "/" + name;
    }

    @Override
    public String toString() {
      return object() + " at time " + time;
    }
  }

  /** Φ(n, t). */
  static Elemental meson(ElementalName name, int time) {
    return new Elemental(Kind.MESON, name, time);
  }

  /** B(n, t). */
  static Elemental baryon(ElementalName name, int time) {
    return new Elemental(Kind.BARYON, name, time);
  }

  /** K(n, t). */
  static Elemental tetraquark(ElementalName name, int time) {
    return new Elemental(Kind.TETRAQUARK, name, time);
  }

  /** Vectors at n sampled sites of a time, [N][n][3]. */
  record Sites(boolean atSource, int sites, int time) implements DataBlock {
    @Override
    public Sites at(int other) {
      return new Sites(atSource, sites, other);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, 3 * sites * eigenvectors);
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(atSource, sites);
    }

    @Override
    public String object() {
      return DistillationFile.SAMPLED_VECTORS + (atSource ? "/source" : "/sink");
    }

    @Override
    public String toString() {
      return object() + " at time " + time;
    }
  }

  /** ρ(t) of a noise, [4][N]. */
  record Noise(String name, int time) implements DataBlock {
    @Override
    public Noise at(int other) {
      return new Noise(name, other);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, SpinMatrix.SPINS * eigenvectors);
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(name);
    }

    @Override
    public String object() {
      return DistillationFile.NOISES + "/" + name;
    }

    @Override
    public String toString() {
      return object() + " at time " + time;
    }
  }

  /**
   * φ(t) of a noise, [S][V][4][N].
   *
   * @param set its set; in the data of another program, the label of the quark
   * @param scheme the dilution, the same for all of a set
   * @param timeClass the class of the times of the sources
   */
  record Sink(String set, String noise, DilutionScheme scheme, int timeClass, int time)
      implements DataBlock {
    @Override
    public Sink at(int other) {
      return new Sink(set, noise, scheme, timeClass, other);
    }

    @Override
    public TensorShape shape(int eigenvectors) {
      return new TensorShape(1, 1, scheme.size() * SpinMatrix.SPINS * eigenvectors);
    }

    @Override
    public List<Comparable<?>> key() {
      return List.of(set, noise, timeClass);
    }

    @Override
    public String object() {
      return DistillationFile.QUARK_SINKS + "/" + set + "/" + noise;
    }

    @Override
    public String toString() {
      return "%s at (time, time class) = (%d, %d)".formatted(object(), time, timeClass);
    }
  }

  /** The block that an input is made of where it is stored as such. */
  static DataBlock of(Input input) {
    if (input instanceof Input.Perambulator tau) {
      return new Perambulator(tau.label(), tau.sinkTime(), tau.sourceTime());
    }
    if (input instanceof Input.Generalized tau) {
      return new Generalized(
          new CurrentName(tau.bar(), tau.quark(), tau.vertex()),
          new CurrentName.Ends(tau.sinkTime(), tau.sourceTime()),
          tau.insertionTime());
    }
    if (input instanceof Input.Elemental phi) {
      ElementalRef elemental = phi.elemental();
      return meson(new ElementalName(elemental.displacement(), elemental.momentum()), phi.time());
    }
    if (input instanceof Input.Tetraquark k) {
      ElementalName name = new ElementalName(k.colour().toString(), k.momentum());
      return tetraquark(name, k.time());
    }
    if (input instanceof Input.Sites s) {
      return new Sites(s.atSource(), s.sites(), s.time());
    }
    Input.BaryonElemental b = (Input.BaryonElemental) input;
    return baryon(new ElementalName(b.displacement(), b.momentum()), b.time());
  }

  /**
   * The input that is this block.
   *
   * @throws IllegalStateException for a number, a noise or sinks, which are no inputs
   */
  default Input input() {
    if (this instanceof Perambulator tau) {
      return new Input.Perambulator(tau.label, tau.sinkTime, tau.sourceTime);
    }
    if (this instanceof Generalized tau) {
      CurrentName name = tau.name;
      CurrentName.Ends ends = tau.ends;
      return new Input.Generalized(
          name.bar(),
          name.quark(),
          name.vertex(),
          ends.sinkTime(),
          tau.insertionTime,
          ends.sourceTime());
    }
    if (this instanceof Sites s) {
      return new Input.Sites(s.atSource, null, s.time, true, s.sites);
    }
    if (!(this instanceof Elemental e)) {
      throw new IllegalStateException("no input: " + this);
    }
    ElementalName name = e.name;
    return switch (e.kind) {
      case MESON ->
          new Input.Elemental(
              new ElementalRef(name.displacement(), name.momentum(), false), e.time);
      case BARYON ->
          new Input.BaryonElemental(
              name.displacement(), name.momentum(), e.time, false, BaryonPart.Legs.NATURAL);
      case TETRAQUARK -> new Input.Tetraquark(name.colour(), name.momentum(), e.time, false);
    };
  }

  /** The time that is different in a series: of the sink, of the insertion, or the only one. */
  int time();

  /** The block of the series at another time. */
  DataBlock at(int time);

  /** Its shape for N eigenvectors. */
  TensorShape shape(int eigenvectors);

  /** What tells series of its class apart. */
  List<Comparable<?>> key();

  /** The dataset that a file of Starling has for it. */
  String object();

  /** By class, {@link #key} and time. */
  @Override
  @SuppressWarnings("unchecked") // keys of one class have entries of the same classes
  default int compareTo(DataBlock other) {
    int order = Integer.compare(ORDER.indexOf(getClass()), ORDER.indexOf(other.getClass()));
    List<Comparable<?>> key = key();
    for (int k = 0; order == 0 && k < key.size(); k++) {
      order = ((Comparable<Object>) key.get(k)).compareTo(other.key().get(k));
    }
    return order == 0 ? Integer.compare(time(), other.time()) : order;
  }
}
