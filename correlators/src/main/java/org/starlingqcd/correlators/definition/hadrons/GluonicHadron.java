package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;

/**
 * A gluonic factor in a product of hadrons.
 *
 * @param irrep how it transforms at rest; in flight it transforms by the same matrices
 * @param row a row of the irrep, an index
 */
public record GluonicHadron(String name, Irrep irrep, Momentum momentum, int row)
    implements HadronFactor {
  @Override
  public HalfInteger isospin() {
    return new HalfInteger(0);
  }

  @Override
  public boolean isBaryon() {
    return false;
  }

  @Override
  public String spin() {
    return irrep.dimension() == 1 ? "" : irrep.rows().get(row);
  }

  @Override
  public List<HadronFactor> spinStates() {
    return IntStream.range(0, irrep.dimension()).mapToObj(k -> at(momentum, k)).toList();
  }

  private HadronFactor at(Momentum n, int k) {
    return new GluonicHadron(name, irrep, n, k);
  }

  @Override
  public List<Image> images(CubicRotation rotation) {
    Complex[][] d = irrep.matrix(rotation);
    Momentum image = rotation.apply(momentum);
    return IntStream.range(0, d.length)
        .filter(k -> d[k][row].abs() > 0)
        .mapToObj(k -> new Image(d[k][row], at(image, k)))
        .toList();
  }

  @Override
  public List<Part> parts(int twiceThird) {
    return List.of(new Part(Complex.ONE, SignedRoot.ONE, new Gluonic(name, spin(), momentum)));
  }
}
