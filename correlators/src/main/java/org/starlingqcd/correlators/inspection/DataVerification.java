package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
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
   *   τ(t, t') = γ5 τ(t', t)† γ5 where both are stored, unless the label says otherwise;
   *   τ_Γ and loops at q and -q likewise where both are stored (CurrentName.eta);
   *   the Ward identity of a conserved current, τ_V(t) = θ(t) τ + c.
   *
   * Perambulators come from an iterative solver: γ5-hermiticity holds to its residual, so the tolerance is
   * relative and generous. Eigenvectors are good to nearly rounding.
   */

  /** Largest deviation of an elemental's entry; those of the unit matrix are of order one. */
  private static final double ELEMENTAL_TOLERANCE = 1e-6;

  /** Largest deviation from γ5-hermiticity, relative to the largest entry of the block. */
  private static final double HERMITICITY_TOLERANCE = 1e-6;

  /** The largest deviation from the Ward identity, relative to the largest entry of τ. */
  private static final double WARD_TOLERANCE = 1e-6;

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
    for (CurrentName name : data.generalizedPerambulators()) {
      verifyGeneralized(name);
      if (name.bar().equals(name.quark()) && name.vertex().equals(CurrentName.CHARGE)) {
        verifyWardIdentity(name);
      }
    }
    verifyLoops();
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

  /** The blocks that violate a relation, and the worst of them. */
  private static final class Deviations {
    private final double tolerance;
    private int wrong;
    private double worst;
    private String where = "";

    Deviations(double tolerance) {
      this.tolerance = tolerance;
    }

    void add(double off, String at) {
      // Negated so that NaN is caught.
      if (!(off <= tolerance)) {
        wrong++;
        if (!(off <= worst)) {
          worst = off;
          where = at;
        }
      }
    }
  }

  /** Adds a fault about blocks, if any are off. */
  private void add(String what, String unit, Deviations found) {
    if (found.wrong > 0) {
      faults.add(
          String.format(
              Locale.ROOT,
              "%s%s at %d %s, worst at %s: off by %.2g of the largest entry",
              where,
              what,
              found.wrong,
              unit.formatted(found.wrong == 1 ? "" : "s"),
              found.where,
              found.worst));
    }
  }

  private void verifyPerambulators(String label) {
    double[] forward = new double[2 * SPINS * SPINS * n * n];
    double[] backward = new double[forward.length];
    Deviations found = new Deviations(HERMITICITY_TOLERANCE);
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
            found.add(
                deviation(forward, sink == source ? forward : backward, 1),
                "(sink, source) = (" + sink + ", " + source + ")");
          }
        }
      }
    }
    add("perambulators/" + label + " are not gamma5-hermitian", "pair%s of times", found);
  }

  /** Reads all blocks of a current; compares those whose counterpart is stored. */
  private void verifyGeneralized(CurrentName name) {
    double[] forward = new double[2 * SPINS * SPINS * n * n];
    double[] backward = new double[forward.length];
    CurrentName reversed = name.reversed();
    SortedMap<CurrentName.Ends, BitSet> others =
        data.reversible(name) ? data.storedGeneralized(reversed) : new TreeMap<>();
    Deviations found = new Deviations(HERMITICITY_TOLERANCE);
    try (HostMemory block = HostMemory.allocate(TensorShape.mesonNode(n).bytes())) {
      data.storedGeneralized(name)
          .forEach(
              (ends, times) -> {
                BitSet there = others.getOrDefault(ends.exchanged(), new BitSet());
                int order = name.compareTo(reversed);
                boolean counterpart =
                    order > 0 || (order == 0 && ends.compareTo(ends.exchanged()) > 0);
                for (int t : times.stream().toArray()) {
                  boolean both = there.get(t);
                  if (both && counterpart) {
                    continue;
                  }
                  boolean sound = read(name, ends, t, block, forward);
                  if (both) {
                    sound &= read(reversed, ends.exchanged(), t, block, backward);
                  }
                  if (sound && both) {
                    found.add(deviation(forward, backward, name.eta()), at(ends, t));
                  }
                }
              });
    }
    add("generalized_perambulators/" + name + " are not gamma5-hermitian", "set%s of times", found);
  }

  private static String at(CurrentName.Ends ends, int t) {
    return "(sink, insertion, source) = ("
        + ends.sinkTime()
        + ", "
        + t
        + ", "
        + ends.sourceTime()
        + ")";
  }

  private boolean read(
      CurrentName name, CurrentName.Ends ends, int t, HostMemory block, double[] target) {
    boolean sound =
        reads(() -> data.load(new DataBlock.Generalized(name, ends, t).input(), block, 0));
    block.get(0, target, 0, target.length);
    return sound;
  }

  /** τ_V(t_f, t, t_i) - θ(t) τ(t_f, t_i) does not depend on t; faults of blocks are known. */
  private void verifyWardIdentity(CurrentName name) {
    double[] tau = new double[2 * SPINS * SPINS * n * n];
    double[] first = new double[tau.length];
    double[] next = new double[tau.length];
    int extent = data.header().temporalExtent();
    Deviations found = new Deviations(WARD_TOLERANCE);
    int known = faults.size();
    try (HostMemory block = HostMemory.allocate(TensorShape.mesonNode(n).bytes())) {
      data.storedGeneralized(name)
          .forEach(
              (ends, times) -> {
                int sink = ends.sinkTime();
                int source = ends.sourceTime();
                int begin = times.nextSetBit(0);
                if (times.cardinality() < 2
                    || !data.hasPerambulator(name.bar(), sink, source)
                    || !read(name.bar(), sink, source, block, tau)
                    || !read(name, ends, begin, block, first)) {
                  return;
                }
                int inside = ends.include(begin, extent) ? 1 : 0;
                for (int t = times.nextSetBit(begin + 1); t >= 0; t = times.nextSetBit(t + 1)) {
                  if (read(name, ends, t, block, next)) {
                    int charge = (ends.include(t, extent) ? 1 : 0) - inside;
                    found.add(violation(tau, first, next, charge), at(ends, t));
                  }
                }
              });
    }
    // Blocks that cannot be read have been named before.
    faults.subList(known, faults.size()).clear();
    add(
        "generalized_perambulators/"
            + name
            + " violate the Ward identity: as t passes the source or the sink, they do not change"
            + " by the perambulators of '"
            + name.bar()
            + "', as those of this current and this configuration do,",
        "set%s of times",
        found);
  }

  /** max |next - first - charge τ| over max |τ|. */
  private static double violation(double[] tau, double[] first, double[] next, double charge) {
    double worst = 0;
    double largest = 0;
    for (int k = 0; k < tau.length; k += 2) {
      double re = next[k] - first[k] - charge * tau[k];
      double im = next[k + 1] - first[k + 1] - charge * tau[k + 1];
      worst = Math.max(worst, Math.hypot(re, im));
      largest = Math.max(largest, Math.hypot(tau[k], tau[k + 1]));
    }
    return worst / largest;
  }

  /** Loops may be noise averages, so that the relation of two of them is no test; they are read. */
  private void verifyLoops() {
    for (CurrentName name : data.loops()) {
      for (int t : data.loopTimes(name).stream().toArray()) {
        reads(() -> data.loop(name.bar(), name.vertex(), t));
      }
    }
  }

  private boolean read(String label, int sink, int source, HostMemory block, double[] target) {
    boolean sound = reads(() -> data.load(new Input.Perambulator(label, sink, source), block, 0));
    block.get(0, target, 0, target.length);
    return sound;
  }

  /**
   * max |τ(t,t')[α,β,i,j] - η g5[α] g5[β] τ(t',t)[β,α,j,i]*| over max |τ(t,t')|; g5 is diagonal.
   */
  private double deviation(double[] forward, double[] backward, int eta) {
    double worst = 0;
    double largest = 0;
    for (int alpha = 0; alpha < SPINS; alpha++) {
      for (int beta = 0; beta < SPINS; beta++) {
        double sign = eta * G5[alpha] * G5[beta];
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
