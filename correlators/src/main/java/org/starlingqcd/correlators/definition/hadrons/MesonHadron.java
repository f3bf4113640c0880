package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;

/**
 * A meson without derivatives.
 *
 * @param axis axis 0, 1, 2 of the polarization; 0 for spin 0
 */
public record MesonHadron(Meson meson, Momentum momentum, int axis) implements HadronFactor {
  private static final int AXES = 3;

  @Override
  public String name() {
    return meson.toString();
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
    return meson.polarized() ? "xyz".substring(axis, axis + 1) : "";
  }

  @Override
  public List<HadronFactor> spinStates() {
    return IntStream.range(0, meson.polarized() ? AXES : 1)
        .<HadronFactor>mapToObj(k -> new MesonHadron(meson, momentum, k))
        .toList();
  }

  @Override
  public List<Image> images(CubicRotation rotation) {
    int image = meson.polarized() ? rotation.axes().get(axis) : 0;
    int sign = meson.sign(rotation) * (meson.polarized() ? rotation.signs().get(axis) : 1);
    return List.of(
        new Image(new Complex(sign, 0), new MesonHadron(meson, rotation.apply(momentum), image)));
  }

  @Override
  public List<Part> parts(int twiceThird) {
    return meson.multiplet().component(twiceThird).stream()
        .map(
            f ->
                new Part(
                    Complex.ONE,
                    f.coefficient(),
                    new Bilinear(
                        f.bar(),
                        meson.gamma(axis),
                        f.quark(),
                        momentum,
                        ElementalRef.NO_DISPLACEMENT)))
        .toList();
  }
}
