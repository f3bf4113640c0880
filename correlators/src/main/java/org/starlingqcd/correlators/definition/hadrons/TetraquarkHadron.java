package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Momentum;

/**
 * A tetraquark with its momentum and polarization.
 *
 * @param row the polarization: a row of the tetraquark's irrep at rest, an index
 */
public record TetraquarkHadron(Tetraquark tetraquark, Momentum momentum, int row)
    implements IrrepHadron {
  @Override
  public String name() {
    return tetraquark.name();
  }

  @Override
  public HalfInteger isospin() {
    return tetraquark.isospin();
  }

  @Override
  public Irrep irrep() {
    return tetraquark.irrep();
  }

  @Override
  public HadronFactor at(Momentum otherMomentum, int otherRow) {
    return new TetraquarkHadron(tetraquark, otherMomentum, otherRow);
  }

  @Override
  public List<Part> parts(int twiceThird) {
    return tetraquark.row(row, twiceThird, momentum);
  }
}
