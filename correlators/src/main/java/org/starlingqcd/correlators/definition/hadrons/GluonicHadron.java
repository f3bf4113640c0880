package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
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
    implements IrrepHadron {
  @Override
  public HalfInteger isospin() {
    return new HalfInteger(0);
  }

  @Override
  public HadronFactor at(Momentum otherMomentum, int otherRow) {
    return new GluonicHadron(name, irrep, otherMomentum, otherRow);
  }

  @Override
  public List<Part> parts(int twiceThird) {
    return List.of(new Part(Complex.ONE, SignedRoot.ONE, new Gluonic(name, spin(), momentum)));
  }
}
