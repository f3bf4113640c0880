package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;

/**
 * Meson elementals {@code Φ_D(p) = V† e^{-ip·x} D V} of a time slice: the phases scale the rows of
 * D V, then one product with V.
 *
 * <p>Derivatives come from the vectors moved by one link, R_k V and L_k V: {@code D_k(p) V =
 * ¼[(1+e^{-ip_k}) R_k - (1+e^{ip_k}) L_k] V}, and {@code ∇_k = D_k(0)}. A product needs no second
 * move, because {@code D_j(p)} can act to the left: {@code Φ_{D_jD_k}(p) = -(D_j(-p) V)† e^{-ip·x}
 * (D_k(p) V)}, whatever the links are. The sums are formed on the device.
 */
final class MesonElementals extends SliceElementals {
  private final HostArray scaled;
  private final HostArray elemental;
  private final List<ElementalName> names;

  /** Sums of moved vectors, by what they are for, with the component that they were made for. */
  private final Map<String, Derivative> derivatives = new HashMap<>();

  private static final class Derivative {
    final HostArray sum;
    int component = Integer.MIN_VALUE;

    Derivative(HostArray sum) {
      this.sum = sum;
    }
  }

  MesonElementals(Shared shared, List<ElementalName> names) {
    super(shared);
    this.names = names;
    int n = header.eigenvectors();
    scaled = cache.array("vectors times phases", NumberKind.COMPLEX, SliceVectors.numbers(header));
    elemental = cache.array("elemental", NumberKind.COMPLEX, (long) n * n);
  }

  @Override
  void compute(int time) {
    derivatives.values().forEach(derivative -> derivative.component = Integer.MIN_VALUE);
    Map<Momentum, List<Displacement>> byMomentum = new LinkedHashMap<>();
    for (ElementalName name : names) {
      byMomentum
          .computeIfAbsent(name.momentum(), momentum -> new ArrayList<>())
          .add(Displacement.of(name.displacement()));
    }
    byMomentum.forEach((momentum, wanted) -> compute(time, momentum, wanted));
  }

  private void compute(int time, Momentum momentum, List<Displacement> wanted) {
    if (wanted.stream().anyMatch(d -> d.axes().isEmpty())) {
      scale(momentum, slice.vectors());
      finish(time, momentum, "none", slice.vectors(), Scalar.ONE);
    }
    for (int k : axes(wanted, Displacement.Kind.NABLA)) {
      scale(momentum, derivative("right nabla " + k, k, 0));
      finish(time, momentum, name(wanted, Displacement.Kind.NABLA, k), slice.vectors(), Scalar.ONE);
    }
    for (int k : axes(wanted, Displacement.Kind.DERIVATIVE)) {
      scale(momentum, derivative("right " + k, k, momentum.component(k)));
      for (Displacement d : wanted) {
        boolean last = d.axes().size() > 0 && d.axes().get(d.axes().size() - 1) == k;
        if (d.kind() != Displacement.Kind.DERIVATIVE || !last) {
          continue;
        }
        String name = Displacement.derivative(d.axes());
        if (d.axes().size() == 1) {
          finish(time, momentum, name, slice.vectors(), Scalar.ONE);
        } else {
          int j = d.axes().get(0);
          HostArray left = derivative("left " + j, j, -momentum.component(j));
          finish(time, momentum, name, left, Scalar.MINUS_ONE);
        }
      }
    }
  }

  /** The axes of the rightmost derivatives of this kind. */
  private static Set<Integer> axes(List<Displacement> wanted, Displacement.Kind kind) {
    Set<Integer> axes = new TreeSet<>();
    for (Displacement d : wanted) {
      if (d.kind() == kind) {
        axes.add(d.axes().get(d.axes().size() - 1));
      }
    }
    return axes;
  }

  private static String name(List<Displacement> wanted, Displacement.Kind kind, int axis) {
    return wanted.stream()
        .filter(d -> d.kind() == kind && d.axes().get(0) == axis)
        .map(d -> "nabla_" + "xyz".charAt(axis))
        .findFirst()
        .orElseThrow();
  }

  /** {@code ¼[(1+e^{-ip_k}) R_k - (1+e^{ip_k}) L_k] V} for {@code p_k = 2π·component/L}. */
  private HostArray derivative(String use, int k, int component) {
    Derivative made =
        derivatives.computeIfAbsent(
            use,
            name ->
                new Derivative(
                    cache.array("derivative", NumberKind.COMPLEX, SliceVectors.numbers(header))));
    if (made.component != component) {
      Scalar turn = Phases.phase(component, header.spatialExtent());
      int rows = 3 * header.volume();
      int n = header.eigenvectors();
      MatrixShape all = MatrixShape.dense(NumberKind.COMPLEX, rows, n);
      blas.copy(all, slice.forward(k), 0, made.sum, 0, n);
      blas.scal(all, new Scalar(0.25 * (1 + turn.re()), -0.25 * turn.im()), made.sum, 0);
      Scalar back = new Scalar(-0.25 * (1 + turn.re()), -0.25 * turn.im());
      blas.axpy(all, back, slice.backward(k), 0, made.sum, 0, n);
      made.component = component;
    }
    return made.sum;
  }

  private void scale(Momentum momentum, HostArray vectors) {
    int columns = 3 * header.eigenvectors();
    blas.scaleRows(
        MatrixShape.dense(NumberKind.COMPLEX, header.volume(), columns),
        phases.of(momentum),
        0,
        1,
        vectors,
        0,
        scaled,
        0,
        columns);
  }

  private void finish(int time, Momentum momentum, String name, HostArray left, Scalar sign) {
    int n = header.eigenvectors();
    ProductShape product =
        ProductShape.dense(NumberKind.COMPLEX, Form.ADJOINT, Form.PLAIN, n, n, 3 * header.volume())
            .scaled(sign, Scalar.ZERO);
    flops += product.flops();
    blas.gemm(product, Strides.ONE, left, 0, scaled, 0, elemental, 0);
    sink.accept(
        DistillationFile.MESON_ELEMENTALS,
        new ElementalName(name, momentum),
        time,
        Rows.ALL,
        elemental.reading());
  }
}
