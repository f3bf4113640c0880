package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

/** A hadron of integer spin, which transforms at rest and in flight by an irrep of the cube. */
interface IrrepHadron extends HadronFactor {
  /** The irrep at rest, parity included. */
  Irrep irrep();

  /** Its row, an index. */
  int row();

  /** The same hadron at another momentum and in another row. */
  HadronFactor at(Momentum momentum, int row);

  @Override
  default boolean isBaryon() {
    return false;
  }

  @Override
  default String spin() {
    return irrep().dimension() == 1 ? "" : irrep().rows().get(row());
  }

  @Override
  default List<HadronFactor> spinStates() {
    return IntStream.range(0, irrep().dimension()).mapToObj(k -> at(momentum(), k)).toList();
  }

  /** {@code R · M_r(n) = Σ_k M_k(Rn) D_kr(R)}. */
  @Override
  default List<Image> images(CubicRotation rotation) {
    Complex[][] d = irrep().matrix(rotation);
    Momentum image = rotation.apply(momentum());
    List<Image> images = new ArrayList<>();
    for (int k = 0; k < d.length; k++) {
      if (d[k][row()].abs() > 0) {
        images.add(new Image(d[k][row()], at(image, k)));
      }
    }
    return images;
  }
}
