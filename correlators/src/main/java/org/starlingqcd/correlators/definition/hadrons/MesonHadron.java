package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;

/**
 * A meson with its momentum and polarization.
 *
 * @param row the polarization: a row of the meson's irrep at rest, an index
 * @param profiles those of antiquark and quark, as {@link Profiles} has them; may be empty
 */
public record MesonHadron(MesonField meson, Momentum momentum, int row, List<String> profiles)
    implements IrrepHadron {
  /** A meson without profiles. */
  public MesonHadron(MesonField meson, Momentum momentum, int row) {
    this(meson, momentum, row, List.of());
  }

  /**
   * A meson without derivatives.
   *
   * @param axis axis 0, 1, 2 of the polarization; 0 for spin 0
   */
  public MesonHadron(Meson meson, Momentum momentum, int axis) {
    this(MesonField.of(meson), momentum, axis);
  }

  @Override
  public String name() {
    return meson.name();
  }

  @Override
  public HalfInteger isospin() {
    return meson.multiplet().isospin();
  }

  @Override
  public Irrep irrep() {
    return meson.irrep();
  }

  @Override
  public HadronFactor at(Momentum otherMomentum, int otherRow) {
    return new MesonHadron(meson, otherMomentum, otherRow, profiles);
  }

  @Override
  public List<Part> parts(int twiceThird) {
    List<Part> parts = new ArrayList<>();
    for (Multiplet.Flavours f : meson.component(twiceThird)) {
      for (MesonField.Structure s : meson.rows().get(row)) {
        parts.add(
            new Part(
                s.coefficient(),
                f.coefficient(),
                new Bilinear(
                    f.bar(),
                    s.gamma(),
                    f.quark(),
                    momentum,
                    Profiles.of(s.displacement(), profiles))));
      }
    }
    return parts;
  }
}
