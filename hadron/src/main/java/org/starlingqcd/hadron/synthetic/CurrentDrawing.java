package org.starlingqcd.hadron.synthetic;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.data.BlockOrder;
import org.starlingqcd.hadron.data.ComplexMatrix;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Blocks of synthetic currents, drawn or, for a complete space, computed. */
final class CurrentDrawing {
  private static final int SPINS = SpinMatrix.SPINS;

  private final SyntheticEnsemble ensemble;
  private final SyntheticData data;
  private final int n;

  CurrentDrawing(SyntheticEnsemble ensemble, SyntheticData data) {
    this.ensemble = ensemble;
    this.data = data;
    this.n = ensemble.eigenvectors();
  }

  /** Writes τ_Γ to the first half of {@code memory}; the second half is overwritten. */
  void block(CurrentName name, CurrentName.Ends ends, int t, HostMemory memory) {
    if (ensemble.currents().complete()) {
      ComplexMatrix left = perambulator(name.bar(), ends.sinkTime(), t, memory);
      ComplexMatrix right = perambulator(name.quark(), t, ends.sourceTime(), memory);
      ComplexMatrix product = left.times(vertex(name, t, memory).times(right));
      for (int k = 0; k < SPINS * SPINS * n * n; k++) {
        int spin = k / (n * n);
        int row = spin / SPINS * n + k / n % n;
        int column = spin % SPINS * n + k % n;
        double[] number = {product.re(row, column), product.im(row, column)};
        memory.put(2L * k, number, 0, 2);
      }
      return;
    }
    // One of τ_Γ and its counterpart is drawn, the other follows from it.
    CurrentName reversed = name.reversed();
    CurrentName.Ends exchanged = ends.exchanged();
    int order = name.compareTo(reversed);
    if (order == 0) {
      order = ends.compareTo(exchanged);
    }
    CurrentName drawn = order < 0 ? reversed : name;
    CurrentName.Ends at = order < 0 ? exchanged : ends;
    long bytes = TensorShape.mesonNode(n).bytes();
    if (isCharge(name)) {
      drawCharge(name, at, t, memory);
    } else {
      double scale = scale(t - at.sinkTime()) * scale(t - at.sourceTime()) / n;
      data.random("current/" + drawn + "/" + at + "/" + t, memory, 16L * n * n, scale);
    }
    if (order == 0) {
      memory.copyTo(0, memory, bytes, bytes);
      BlockOrder.gamma5Adjoint(memory, bytes, n);
      data.average(memory, bytes / Double.BYTES, name.eta());
    } else if (order < 0) {
      BlockOrder.gamma5Adjoint(memory, 0, n);
      if (name.eta() < 0) {
        BlockOrder.negate(memory, 0, 16L * n * n);
      }
    }
  }

  private static boolean isCharge(CurrentName name) {
    return name.vertex().equals(CurrentName.CHARGE) && name.bar().equals(name.quark());
  }

  /** By the Ward identity, what does not depend on t, and τ for t between source and sink. */
  private void drawCharge(CurrentName name, CurrentName.Ends at, int t, HostMemory memory) {
    double[] tau = new double[32 * n * n];
    if (at.include(t, ensemble.temporalExtent())) {
      data.perambulator(name.bar(), at.sinkTime(), at.sourceTime(), memory);
      memory.get(0, tau, 0, tau.length);
    }
    double scale = scale(at.sinkTime() - at.sourceTime()) / n;
    data.random("current/" + name + "/" + at, memory, 16L * n * n, scale);
    double[] sum = new double[tau.length];
    memory.get(0, sum, 0, sum.length);
    Arrays.setAll(sum, k -> sum[k] + tau[k]);
    memory.put(0, sum, 0, sum.length);
  }

  private double scale(int times) {
    int extent = ensemble.temporalExtent();
    int distance = Math.floorMod(times, extent);
    return Math.exp(-SyntheticData.MASS * Math.min(distance, extent - distance));
  }

  /** L_Γ(t; q). */
  Complex loop(CurrentName name, int t) {
    if (ensemble.currents().complete()) {
      try (HostMemory memory = HostMemory.allocate(2 * TensorShape.mesonNode(n).bytes())) {
        ComplexMatrix tau = perambulator(name.bar(), t, t, memory);
        ComplexMatrix product = vertex(name, t, memory).times(tau);
        Complex trace = Complex.ZERO;
        for (int k = 0; k < SPINS * n; k++) {
          trace = trace.plus(product.at(k, k));
        }
        return trace;
      }
    }
    int order = name.compareTo(name.reversed());
    CurrentName drawn = order < 0 ? name.reversed() : name;
    // The charge of the vacuum is the same at all times.
    SplittableRandom random = data.random("loop/" + drawn + "/" + (isCharge(name) ? 0 : t));
    Complex loop = new Complex(2 * random.nextDouble() - 1, 2 * random.nextDouble() - 1);
    if (order == 0) {
      return name.eta() > 0 ? new Complex(loop.re(), 0) : new Complex(0, loop.im());
    }
    return order < 0 ? loop.conjugate().times(name.eta()) : loop;
  }

  /** τ as a matrix of 4 N rows and columns, α N + i and β N + j. */
  private ComplexMatrix perambulator(String label, int sink, int source, HostMemory memory) {
    data.perambulator(label, sink, source, memory);
    int size = SPINS * n;
    double[] matrix = new double[2 * size * size];
    for (int row = 0; row < size; row++) {
      for (int b = 0; b < SPINS; b++) {
        int spin = SPINS * (row / n) + b;
        memory.get(2L * (spin * n + row % n) * n, matrix, 2 * (row * size + b * n), 2 * n);
      }
    }
    return new ComplexMatrix(size, matrix);
  }

  /** Γ ⊗ Φ_D(q, t). */
  private ComplexMatrix vertex(CurrentName name, int t, HostMemory memory) {
    data.elemental(
        new ElementalName(name.vertex().displacement(), name.vertex().momentum()), t, memory);
    double[] phi = new double[2 * n * n];
    memory.get(0, phi, 0, phi.length);
    SpinMatrix gamma = SpinMatrix.deGrandRossi(name.vertex().gamma());
    int size = SPINS * n;
    double[] matrix = new double[2 * size * size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        double re = gamma.re(row / n, column / n);
        double im = gamma.im(row / n, column / n);
        int from = 2 * (row % n * n + column % n);
        int to = 2 * (row * size + column);
        matrix[to] = re * phi[from] - im * phi[from + 1];
        matrix[to + 1] = re * phi[from + 1] + im * phi[from];
      }
    }
    return new ComplexMatrix(size, matrix);
  }
}
