package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * A tetraquark with its momentum and polarization.
 *
 * @param row the polarization: a row of the tetraquark's irrep at rest, an index
 * @param profiles of the four fields, as {@link Profiles} has them; may be empty
 */
public record TetraquarkHadron(
    Tetraquark tetraquark, Momentum momentum, int row, List<String> profiles)
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
    return new TetraquarkHadron(tetraquark, otherMomentum, otherRow, profiles);
  }

  @Override
  public List<Part> parts(int twiceThird) {
    List<Part> parts = tetraquark.row(row, twiceThird, momentum);
    return profiles.isEmpty()
        ? parts
        : parts.stream()
            .map(
                p ->
                    new Part(
                        p.spin(),
                        p.flavour(),
                        ((TetraquarkFactor) p.factor()).withProfiles(profiles)))
            .toList();
  }
}
