package org.starlingqcd.hadron.synthetic;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Generalized perambulators and loops of synthetic data: every pair of labels and every loop, with
 * every Γ, displacement and momentum.
 *
 * @param gammas Γ up to a sign; without any there are no currents
 * @param displacements {@code none}, {@code D_x}, {@code D_y}, {@code D_z}, {@code D_t}; {@code
 *     conserved}, which goes with g1 … g4 alone
 * @param momenta q
 * @param times sink and source times; there are all insertion times
 * @param complete whether distillation space is that of all sites and colours, so that {@code
 *     τ_Γ(t_f, t, t_i) = τ(t_f, t) (Γ ⊗ Φ(q, t)) τ(t, t_i)}; otherwise they are drawn
 */
public record SyntheticCurrents(
    List<Gamma> gammas,
    List<String> displacements,
    List<Momentum> momenta,
    List<Integer> times,
    boolean complete) {
  /** No currents. */
  public static final SyntheticCurrents NONE =
      new SyntheticCurrents(List.of(), List.of(), List.of(), List.of(), false);

  /** Copies the lists and checks the displacements. */
  public SyntheticCurrents {
    gammas = gammas.stream().map(Gamma::unsigned).distinct().toList();
    displacements = List.copyOf(displacements);
    momenta = List.copyOf(momenta);
    times = List.copyOf(times);
    for (String name : displacements) {
      Displacement known = Displacement.of(name);
      boolean conserved = name.equals(CurrentName.CONSERVED);
      boolean time = name.equals(CurrentName.TIME_DERIVATIVE) || conserved;
      if (conserved && gammas.stream().noneMatch(SyntheticCurrents::isVector)) {
        throw new IllegalArgumentException(
            "a conserved current has g1, g2, g3 or g4: gammas=" + gammas);
      }
      if (!time
          && known.kind() != Displacement.Kind.NONE
          && (known.kind() != Displacement.Kind.DERIVATIVE || known.axes().size() > 1)) {
        throw new IllegalArgumentException(
            "a synthetic current has none, D_x, D_y, D_z, D_t or conserved: displacement=" + name);
      }
      if (time && complete) {
        throw new IllegalArgumentException(
            "a complete current joins no two times: displacement=" + name);
      }
    }
  }

  private static boolean isVector(Gamma gamma) {
    return Integer.bitCount(gamma.mask()) == 1;
  }

  /** The vertices but for those that vanish identically. */
  List<CurrentVertex> vertices(int spatialExtent) {
    List<CurrentVertex> vertices = new ArrayList<>();
    for (Gamma gamma : gammas) {
      for (String displacement : displacements) {
        for (Momentum momentum : momenta) {
          if ((isVector(gamma) || !displacement.equals(CurrentName.CONSERVED))
              && !new ElementalName(displacement, momentum).vanishes(spatialExtent)) {
            vertices.add(new CurrentVertex(gamma, displacement, momentum));
          }
        }
      }
    }
    return vertices;
  }
}
