package org.starlingqcd.graph.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.plan.BaryonPart;

/**
 * A block of distillation data that a queue reads: what it is, at which time, in which form.
 *
 * <p>An input is a value: two that are equal stand for the same numbers of a configuration.
 */
public sealed interface Input extends ExecutionQueue.Element {

  /** Φ or Φ† at a time, [N][N]. */
  record Elemental(ElementalRef elemental, int time) implements Input {
    @Override
    public Elemental shifted(int by, int temporalExtent) {
      return new Elemental(elemental, Math.floorMod(time + by, temporalExtent));
    }

    @Override
    public long bytes(int eigenvectors) {
      return ElementSizes.matrixBytes(eigenvectors);
    }

    @Override
    public Elemental plain() {
      String plain = Profiles.plain(elemental.displacement());
      return plain.equals(elemental.displacement())
          ? this
          : new Elemental(new ElementalRef(plain, elemental.momentum(), elemental.adjoint()), time);
    }

    @Override
    public List<String> profiles() {
      return elemental.adjoint()
          ? Profiles.reversed(elemental.displacement())
          : Profiles.in(elemental.displacement());
    }
  }

  /**
   * τ_label(sinkTime, sourceTime), [16][N][N].
   *
   * @param label with profiles at both ends if the line has them
   */
  record Perambulator(String label, int sinkTime, int sourceTime) implements Input {
    @Override
    public Perambulator shifted(int by, int temporalExtent) {
      return new Perambulator(
          label,
          Math.floorMod(sinkTime + by, temporalExtent),
          Math.floorMod(sourceTime + by, temporalExtent));
    }

    @Override
    public long bytes(int eigenvectors) {
      return ElementSizes.SPINS * ElementSizes.matrixBytes(eigenvectors);
    }

    @Override
    public Perambulator plain() {
      return new Perambulator(Profiles.plain(label), sinkTime, sourceTime);
    }

    @Override
    public List<String> profiles() {
      return Profiles.in(label);
    }
  }

  /**
   * τ_Γ(sinkTime, insertionTime, sourceTime; q), [16][N][N].
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
      implements Input {
    @Override
    public Generalized shifted(int by, int temporalExtent) {
      return new Generalized(
          bar,
          quark,
          vertex,
          Math.floorMod(sinkTime + by, temporalExtent),
          Math.floorMod(insertionTime + by, temporalExtent),
          Math.floorMod(sourceTime + by, temporalExtent));
    }

    @Override
    public long bytes(int eigenvectors) {
      return ElementSizes.SPINS * ElementSizes.matrixBytes(eigenvectors);
    }
  }

  /** B or B* at a time with its legs in the order {@code [open][first][second]}, [N][N][N]. */
  record BaryonElemental(
      String displacement, Momentum momentum, int time, boolean conjugate, BaryonPart.Legs legs)
      implements Input {
    @Override
    public BaryonElemental shifted(int by, int temporalExtent) {
      return new BaryonElemental(
          displacement, momentum, Math.floorMod(time + by, temporalExtent), conjugate, legs);
    }

    @Override
    public long bytes(int eigenvectors) {
      return eigenvectors * ElementSizes.matrixBytes(eigenvectors);
    }

    @Override
    public BaryonElemental plain() {
      String plain = Profiles.plain(displacement);
      return plain.equals(displacement)
          ? this
          : new BaryonElemental(plain, momentum, time, conjugate, legs);
    }

    @Override
    public List<String> profiles() {
      List<String> natural = Profiles.in(displacement);
      return natural.isEmpty()
          ? natural
          : List.of(
              natural.get(legs.open()), natural.get(legs.first()), natural.get(legs.second()));
    }
  }

  /**
   * K or K† at a time, packed: [antiquark pair][quark pair], K† with the two exchanged.
   *
   * @param profiles by index of the block, of both vectors of a pair; or none
   */
  record Tetraquark(
      PairColour colour, Momentum momentum, int time, boolean adjoint, List<String> profiles)
      implements Input {
    /** One without profiles. */
    public Tetraquark(PairColour colour, Momentum momentum, int time, boolean adjoint) {
      this(colour, momentum, time, adjoint, List.of());
    }

    @Override
    public Tetraquark shifted(int by, int temporalExtent) {
      return new Tetraquark(
          colour, momentum, Math.floorMod(time + by, temporalExtent), adjoint, profiles);
    }

    @Override
    public Tetraquark plain() {
      return new Tetraquark(colour, momentum, time, adjoint);
    }

    @Override
    public long bytes(int eigenvectors) {
      return ElementSizes.matrixBytes(colour.pairs(eigenvectors));
    }
  }

  /**
   * Vectors at n sampled sites of a time, [site][colour][N], their adjoint [N][site][colour], or
   * what each site of K(n) is multiplied by, {@code L³/n e^{-ip·x}}, [site], or the conjugate.
   *
   * @param atSource which sites: those for operators at the source, or at the sink
   * @param momentum of the phases; null for the vectors
   * @param sites n
   * @param profile of the vectors; or empty
   */
  record Sites(
      boolean atSource,
      @Nullable Momentum momentum,
      int time,
      boolean adjoint,
      int sites,
      String profile)
      implements Input {
    /** One without a profile. */
    public Sites(
        boolean atSource, @Nullable Momentum momentum, int time, boolean adjoint, int sites) {
      this(atSource, momentum, time, adjoint, sites, "");
    }

    @Override
    public Sites shifted(int by, int temporalExtent) {
      int to = Math.floorMod(time + by, temporalExtent);
      return new Sites(atSource, momentum, to, adjoint, sites, profile);
    }

    @Override
    public Sites plain() {
      return new Sites(atSource, momentum, time, adjoint, sites);
    }

    @Override
    public List<String> profiles() {
      return profile.isEmpty() ? List.of() : List.of(profile);
    }

    @Override
    public long bytes(int eigenvectors) {
      return ElementSizes.bytes(momentum != null ? sites : 3L * sites * eigenvectors);
    }
  }

  /** The same input with its times moved by {@code by}, which may be negative, modulo T. */
  Input shifted(int by, int temporalExtent);

  /** The same input without profiles, of which the data make it. */
  default Input plain() {
    return this;
  }

  /** Profiles by index of the block; no entries where it has none. */
  default List<String> profiles() {
    return List.of();
  }

  /** Size in bytes for N eigenvectors. */
  long bytes(int eigenvectors);
}
