package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Looks for faults in the numbers of one configuration. */
final class DataVerification {
  /*
   * Every block is read once, which finds NaN, infinities, blocks never written and damaged chunks. Further:
   *
   *   Φ(0, t) without displacement is the unit matrix, since eigenvectors are orthonormal;
   *   Φ(-n, t) = Φ(n, t)† without displacement, and the relations of derivatives;
   *   B(n, t) without displacement changes its sign when two indices are exchanged;
   *   τ(t, t') = γ5 τ(t', t)† γ5 where both are stored, unless the label says otherwise.
   *
   * Perambulators come from an iterative solver: γ5-hermiticity holds to its residual, so the tolerance is
   * relative and generous. Eigenvectors are good to nearly rounding.
   */

  /** Largest deviation of an elemental's entry; those of the unit matrix are of order one. */
  private static final double ELEMENTAL_TOLERANCE = 1e-6;

  /** Largest deviation from γ5-hermiticity, relative to the largest entry of the block. */
  private static final double HERMITICITY_TOLERANCE = 1e-6;

  private static final int SPINS = SpinMatrix.SPINS;

  /** Diagonal of g5 in the DeGrand-Rossi basis, up to a sign that cancels. */
  private static final int[] G5 = {1, 1, -1, -1};

  private final DistillationData data;
  private final int n;
  private final String where;
  private final List<String> faults = new ArrayList<>();

  DataVerification(DistillationData data) {
    this.data = data;
    this.n = data.header().eigenvectors();
    this.where = "configuration " + data.header().configuration() + ": ";
  }

  /** Reads everything, in memory for two blocks. */
  List<String> faults() {
    verifyElementals();
    verifyBaryons();
    for (String label : data.labels()) {
      verifyPerambulators(label);
    }
    return faults;
  }

  /** Reads a block; false, with a fault, when it cannot be used. */
  private boolean reads(Runnable read) {
    try {
      read.run();
      return true;
    } catch (DistillationException e) {
      faults.add(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Adds a fault about an elemental that is off by more than eigenvectors allow. */
  private void addElemental(String kind, ElementalName name, int t, String what, double off) {
    if (off > ELEMENTAL_TOLERANCE) {
      faults.add(
          String.format(
              Locale.ROOT,
              "%selementals/%s/%s at time %d is not %s: off by %.2g",
              where,
              kind,
              name,
              t,
              what,
              off));
    }
  }

  private void verifyElementals() {
    long bytes = TensorShape.elemental(n).bytes();
    try (HostMemory block = HostMemory.allocate(bytes);
        HostMemory other = HostMemory.allocate(bytes)) {
      for (ElementalName name : data.mesonElementals()) {
        if (name.vanishes(data.header().spatialExtent())) {
          faults.add(
              ("%selementals/meson/%s is stored, but vanishes identically at this momentum and extent;"
                      + " delete it")
                  .formatted(where, name));
          continue;
        }
        for (int t : data.mesonTimes(name).stream().toArray()) {
          if (readsElemental(name, t, block)) {
            verifyRelations(name, t, block, other);
          }
        }
      }
    }
  }

  private boolean readsElemental(ElementalName name, int t, HostMemory target) {
    ElementalRef elemental = new ElementalRef(name.displacement(), name.momentum(), false);
    return reads(() -> data.load(new Input.Elemental(elemental, t), target, 0));
  }

  /** The relations of an elemental to itself and to those that come before it. */
  private void verifyRelations(ElementalName name, int t, HostMemory block, HostMemory other) {
    boolean unit = name.displacement().equals(ElementalRef.NO_DISPLACEMENT);
    if (unit && name.momentum().equals(Momentum.ZERO)) {
      double off = worst((i, j) -> Math.hypot(re(block, i, j) - (i == j ? 1 : 0), im(block, i, j)));
      addElemental("meson", name, t, "the unit matrix", off);
      return;
    }
    for (ElementalName.Alias alias : name.aliases()) {
      if (alias.name().compareTo(name) <= 0
          && data.mesonTimes(alias.name()).get(t)
          && readsElemental(alias.name(), t, other)) {
        int sign = alias.sign();
        String what =
            (sign < 0 ? "minus " : "")
                + (alias.adjoint() ? "the adjoint of " : "equal to ")
                + (alias.name().equals(name) ? "itself" : alias.name());
        double off =
            worst(
                (i, j) ->
                    alias.adjoint()
                        ? Math.hypot(
                            re(block, i, j) - sign * re(other, j, i),
                            im(block, i, j) + sign * im(other, j, i))
                        : Math.hypot(
                            re(block, i, j) - sign * re(other, i, j),
                            im(block, i, j) - sign * im(other, i, j)));
        addElemental("meson", name, t, what, off);
      }
    }
  }

  private interface Deviation {
    double at(int i, int j);
  }

  private double worst(Deviation deviation) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        worst = Math.max(worst, deviation.at(i, j));
      }
    }
    return worst;
  }

  private double re(HostMemory block, int i, int j) {
    return block.pointer().get(2L * (i * n + j));
  }

  private double im(HostMemory block, int i, int j) {
    return block.pointer().get(2L * (i * n + j) + 1);
  }

  private void verifyBaryons() {
    if (data.baryonElementals().isEmpty()) {
      return;
    }
    try (HostMemory block = HostMemory.allocate(new TensorShape(1, 3, n).bytes())) {
      for (ElementalName name : data.baryonElementals()) {
        for (int t : data.baryonTimes(name).stream().toArray()) {
          Input.BaryonElemental elemental =
              new Input.BaryonElemental(
                  name.displacement(), name.momentum(), t, false, BaryonPart.Legs.NATURAL);
          if (reads(() -> data.load(elemental, block, 0))
              && name.displacement().equals(ElementalRef.NO_DISPLACEMENT)) {
            addElemental("baryon", name, t, "antisymmetric", asymmetry(block));
          }
        }
      }
    }
  }

  private double asymmetry(HostMemory block) {
    double[] first = new double[2 * n * n];
    double[] second = new double[2 * n];
    double worst = 0;
    for (int i = 0; i < n; i++) {
      block.get(2L * i * n * n, first, 0, first.length);
      for (int j = 0; j <= i; j++) {
        block.get(2L * ((long) j * n + i) * n, second, 0, second.length);
        for (int k = 0; k < n; k++) {
          int jk = 2 * (j * n + k);
          int kj = 2 * (k * n + j);
          worst = Math.max(worst, Math.hypot(first[jk] + first[kj], first[jk + 1] + first[kj + 1]));
          worst =
              Math.max(
                  worst, Math.hypot(first[jk] + second[2 * k], first[jk + 1] + second[2 * k + 1]));
        }
      }
    }
    return worst;
  }

  private void verifyPerambulators(String label) {
    int size = 2 * n * n;
    double[] forward = new double[SPINS * SPINS * size];
    double[] backward = new double[forward.length];
    int wrong = 0;
    double worst = 0;
    String worstPair = "";
    try (HostMemory block = HostMemory.allocate(TensorShape.mesonNode(n).bytes())) {
      for (int source : data.sourceTimes(label)) {
        for (int sink : data.sinkTimes(label, source).stream().toArray()) {
          boolean both = data.storesPerambulator(label, source, sink);
          if (both && sink < source) {
            // Seen as the counterpart of (source, sink).
            continue;
          }
          boolean sound = read(label, sink, source, block, forward);
          if (both && sink != source) {
            sound &= read(label, source, sink, block, backward);
          }
          if (sound && both && data.gamma5Hermitian(label)) {
            double off = deviation(forward, sink == source ? forward : backward);
            if (off > HERMITICITY_TOLERANCE) {
              wrong++;
              if (off > worst) {
                worst = off;
                worstPair = "(" + sink + ", " + source + ")";
              }
            }
          }
        }
      }
    }
    if (wrong > 0) {
      faults.add(
          String.format(
              Locale.ROOT,
              "%sperambulators/%s are not gamma5-hermitian at %d %s of times, worst at (sink, source) ="
                  + " %s: off by %.2g of the largest entry",
              where,
              label,
              wrong,
              wrong == 1 ? "pair" : "pairs",
              worstPair,
              worst));
    }
  }

  private boolean read(String label, int sink, int source, HostMemory block, double[] target) {
    boolean sound = reads(() -> data.load(new Input.Perambulator(label, sink, source), block, 0));
    block.get(0, target, 0, target.length);
    return sound;
  }

  /** max |τ(t,t')[α,β,i,j] - g5[α] g5[β] τ(t',t)[β,α,j,i]*| over max |τ(t,t')|; g5 is diagonal. */
  private double deviation(double[] forward, double[] backward) {
    double worst = 0;
    double largest = 0;
    for (int alpha = 0; alpha < SPINS; alpha++) {
      for (int beta = 0; beta < SPINS; beta++) {
        double sign = G5[alpha] * G5[beta];
        int there = (alpha * SPINS + beta) * n * n;
        int back = (beta * SPINS + alpha) * n * n;
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            int x = 2 * (there + i * n + j);
            int y = 2 * (back + j * n + i);
            double re = forward[x] - sign * backward[y];
            double im = forward[x + 1] + sign * backward[y + 1];
            worst = Math.max(worst, Math.hypot(re, im));
            largest = Math.max(largest, Math.hypot(forward[x], forward[x + 1]));
          }
        }
      }
    }
    return worst / largest;
  }
}
