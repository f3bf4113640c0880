package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;

/**
 * A meson with its momentum and polarization.
 *
 * @param row the polarization: a row of the meson's irrep at rest, an index
 * @param profiles those of antiquark and quark, as {@link Profiles} has them; may be empty
 */
public record MesonHadron(MesonField meson, Momentum momentum, int row, List<String> profiles)
    implements HadronFactor {
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
  public boolean isBaryon() {
    return false;
  }

  @Override
  public String spin() {
    return meson.polarized() ? meson.polarizations().get(row) : "";
  }

  @Override
  public List<HadronFactor> spinStates() {
    return IntStream.range(0, meson.polarizations().size())
        .<HadronFactor>mapToObj(k -> new MesonHadron(meson, momentum, k, profiles))
        .toList();
  }

  /** {@code R · M_r(n) = Σ_k M_k(Rn) D_kr(R)} with the matrices of the irrep at rest. */
  @Override
  public List<Image> images(CubicRotation rotation) {
    Complex[][] d = meson.irrep().matrix(rotation);
    Momentum image = rotation.apply(momentum);
    List<Image> images = new ArrayList<>();
    for (int k = 0; k < d.length; k++) {
      if (d[k][row].abs() > 0) {
        images.add(new Image(d[k][row], new MesonHadron(meson, image, k, profiles)));
      }
    }
    return images;
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
