package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.QuarkSinks;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Looks for faults in the numbers of one configuration. */
final class DataVerification {
  /*
   * Every block is read once, which finds NaN, infinities, blocks never written and damaged chunks. Further:
   *
   *   Φ(0, t) without displacement is the unit matrix, since eigenvectors are orthonormal;
   *   Φ(-n, t) = Φ(n, t)† without displacement, and the relations of derivatives;
   *   B(n, t) without displacement changes its sign when two indices are exchanged;
   *   K(-n, t) = K(n, t)† of tetraquarks, packed; and with all Φ of the Brillouin zone
   *     K_3bar3 + K_66bar = (2/L³) Σ_m Φ_ik(m) Φ_jl(n-m), for some of the vectors;
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

  /** Vectors whose products are summed over the Brillouin zone; the cost is their fourth power. */
  private static final int FIERZ_VECTORS = 6;

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

  /** Reads everything, in memory for three blocks. */
  List<String> faults() {
    verifyElementals();
    verifyBaryons();
    verifyTetraquarks();
    data.labels().forEach(this::verifyPerambulators);
    for (CurrentName name : data.generalizedPerambulators()) {
      verifyGeneralized(name);
      if (name.bar().equals(name.quark()) && name.vertex().equals(CurrentName.CHARGE)) {
        verifyWardIdentity(name);
      }
    }
    verifyOthers();
    return faults.stream().distinct().toList();
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

  /** The numbers of a block; null, with a fault, when it cannot be used. */
  private double @Nullable [] read(Input input) {
    double[] numbers = new double[Math.toIntExact(input.bytes(n) / Double.BYTES)];
    try (HostMemory block = HostMemory.allocate(input.bytes(n))) {
      if (!reads(() -> data.load(input, block, 0))) {
        return null;
      }
      block.get(0, numbers, 0, numbers.length);
    }
    return numbers;
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void fault(String form, Object... values) {
    faults.add(where + String.format(Locale.US, form, values));
  }

  /**
   * Adds a fault about an elemental that is off by more than eigenvectors allow.
   *
   * @param scale the size of its largest number
   */
  private void addElemental(
      String kind, ElementalName name, int t, String what, double off, double scale) {
    if (off > ELEMENTAL_TOLERANCE * scale) {
      fault("elementals/%s/%s at time %d is not %s: off by %.2g", kind, name, t, what, off);
    }
  }

  private void verifyElementals() {
    for (ElementalName name : data.mesonElementals()) {
      if (name.vanishes(data.header().spatialExtent())) {
        fault(
            "elementals/meson/%s is stored, but vanishes identically at this momentum and extent;"
                + " delete it",
            name);
        continue;
      }
      for (int t : data.times(DataBlock.meson(name, 0)).stream().toArray()) {
        double[] block = readElemental(name, t);
        if (block != null) {
          verifyRelations(name, t, block);
        }
      }
    }
  }

  private double @Nullable [] readElemental(ElementalName name, int t) {
    return read(
        new Input.Elemental(new ElementalRef(name.displacement(), name.momentum(), false), t));
  }

  /** The relations of an elemental to itself and to those that come before it. */
  private void verifyRelations(ElementalName name, int t, double[] block) {
    boolean unit = name.displacement().equals(ElementalRef.NO_DISPLACEMENT);
    if (unit && name.momentum().equals(Momentum.ZERO)) {
      double[] one = new double[block.length];
      IntStream.range(0, n).forEach(i -> one[2 * (i * n + i)] = 1);
      addElemental("meson", name, t, "the unit matrix", deviation(block, one, 1, 1, false), 1);
      return;
    }
    for (ElementalName.Alias alias : name.aliases()) {
      if (alias.name().compareTo(name) > 0
          || !data.times(DataBlock.meson(alias.name(), 0)).get(t)) {
        continue;
      }
      double[] other = readElemental(alias.name(), t);
      if (other != null) {
        String what =
            (alias.sign() < 0 ? "minus " : "")
                + (alias.adjoint() ? "the adjoint of " : "equal to ")
                + (alias.name().equals(name) ? "itself" : alias.name());
        double off = deviation(block, other, 1, alias.sign(), alias.adjoint());
        addElemental("meson", name, t, what, off, 1);
      }
    }
  }

  private void verifyBaryons() {
    if (data.baryonElementals().isEmpty()) {
      return;
    }
    try (HostMemory block = HostMemory.allocate(new TensorShape(1, 3, n).bytes())) {
      for (ElementalName name : data.baryonElementals()) {
        for (int t : data.times(DataBlock.baryon(name, 0)).stream().toArray()) {
          Input.BaryonElemental elemental =
              new Input.BaryonElemental(
                  name.displacement(), name.momentum(), t, false, BaryonPart.Legs.NATURAL);
          if (reads(() -> data.load(elemental, block, 0))
              && name.displacement().equals(ElementalRef.NO_DISPLACEMENT)) {
            addElemental("baryon", name, t, "antisymmetric", asymmetry(block), 1);
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

  private double @Nullable [] readTetraquark(ElementalName name, int t) {
    return read(new Input.Tetraquark(name.colour(), name.momentum(), t, false));
  }

  private void verifyTetraquarks() {
    int count = Math.min(n, FIERZ_VECTORS);
    int[] some = IntStream.range(0, count).map(k -> k * n / count).toArray();
    for (int t = 0; t < data.header().temporalExtent(); t++) {
      List<double[]> zone = null;
      for (ElementalName name : data.tetraquarkElementals()) {
        double[] block =
            data.times(DataBlock.tetraquark(name, 0)).get(t) ? readTetraquark(name, t) : null;
        ElementalName opposite = name.aliases().get(0).name();
        double[] other =
            block != null
                    && opposite.compareTo(name) <= 0
                    && data.times(DataBlock.tetraquark(opposite, 0)).get(t)
                ? readTetraquark(opposite, t)
                : null;
        if (block != null && other != null) {
          int pairs = name.colour().pairs(n);
          double[] off = new double[block.length];
          for (int k = 0; k < off.length; k++) {
            double across = other[2 * (k / 2 % pairs * pairs + k / 2 / pairs) + k % 2];
            off[k] = (k % 2 == 0 ? across : -across) - block[k];
          }
          String what =
              "the adjoint of " + (opposite.equals(name) ? "itself" : opposite.toString());
          addElemental("tetraquark", name, t, what, largest(off), largest(block));
        }
        ElementalName triplet = new ElementalName(PairColour.TRIPLET.toString(), name.momentum());
        if (block != null && !triplet.equals(name) && data.has(DataBlock.tetraquark(triplet, t))) {
          zone = zone == null ? zone(t, some) : zone;
          double[] antisymmetric = zone.isEmpty() ? null : readTetraquark(triplet, t);
          if (antisymmetric != null) {
            verifyFierz(name, t, block, antisymmetric, zone, some);
          }
        }
      }
    }
  }

  /** Φ(m) of some vectors for all m modulo L; empty unless all are there. */
  private List<double[]> zone(int t, int[] some) {
    int extent = data.header().spatialExtent();
    List<double[]> zone = new ArrayList<>();
    for (int m = 0; m < extent * extent * extent; m++) {
      double[] block = null;
      for (int shift = 0; shift < 8 && block == null; shift++) {
        Momentum momentum =
            new Momentum(
                m % extent - (shift & 1) * extent,
                m / extent % extent - (shift >> 1 & 1) * extent,
                m / extent / extent - (shift >> 2) * extent);
        ElementalRef elemental = new ElementalRef(ElementalRef.NO_DISPLACEMENT, momentum, false);
        block = data.hasElemental(elemental, t) ? read(new Input.Elemental(elemental, t)) : null;
      }
      if (block == null) {
        return List.of();
      }
      double[] kept = new double[2 * some.length * some.length];
      for (int k = 0; k < kept.length / 2; k++) {
        int from = 2 * (some[k / some.length] * n + some[k % some.length]);
        System.arraycopy(block, from, kept, 2 * k, 2);
      }
      zone.add(kept);
    }
    return zone;
  }

  /** Compares the sum of both colours with products, for some vectors. */
  private void verifyFierz(
      ElementalName name,
      int t,
      double[] symmetric,
      double[] antisymmetric,
      List<double[]> zone,
      int[] some) {
    int extent = data.header().spatialExtent();
    int c = some.length;
    double off = 0;
    double largest = 0;
    for (int q = 0; q < c * c * c * c; q++) {
      int i = q % c;
      int j = q / c % c;
      int k = q / c / c % c;
      int l = q / c / c / c;
      double re = 0;
      double im = 0;
      for (PairColour colour : PairColour.values()) {
        double[] block = colour == name.colour() ? symmetric : antisymmetric;
        int sign = colour.sign(some[i], some[j]) * colour.sign(some[k], some[l]);
        if (sign != 0) {
          int row = colour.pairs(n) * colour.place(some[i], some[j]);
          int at = 2 * (row + colour.place(some[k], some[l]));
          re += sign * block[at];
          im += sign * block[at + 1];
        }
      }
      largest = Math.max(largest, Math.hypot(re, im));
      for (int m = 0; m < zone.size(); m++) {
        int rest = 0;
        for (int axis = 2, part = m; axis >= 0; axis--) {
          int slab = axis == 2 ? extent * extent : axis == 1 ? extent : 1;
          rest += slab * Math.floorMod(name.momentum().component(axis) - part / slab, extent);
          part %= slab;
        }
        double[] one = zone.get(m);
        double[] other = zone.get(rest);
        int ik = 2 * (i * c + k);
        int jl = 2 * (j * c + l);
        re -= 2 * (one[ik] * other[jl] - one[ik + 1] * other[jl + 1]) / zone.size();
        im -= 2 * (one[ik] * other[jl + 1] + one[ik + 1] * other[jl]) / zone.size();
      }
      off = Math.max(off, Math.hypot(re, im));
    }
    String what =
        "such that with 3bar3 it makes products of meson elementals, summed over the Brillouin zone";
    addElemental("tetraquark", name, t, what, off, largest);
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
      String units = unit.formatted(found.wrong == 1 ? "" : "s");
      fault(
          "%s at %d %s, worst at %s: off by %.2g of the largest entry",
          what, found.wrong, units, found.where, found.worst);
    }
  }

  private void verifyPerambulators(String label) {
    Deviations found = new Deviations(HERMITICITY_TOLERANCE);
    for (int source : data.sourceTimes(label)) {
      for (int sink : data.times(new DataBlock.Perambulator(label, 0, source)).stream().toArray()) {
        boolean both =
            data.gamma5Hermitian(label)
                && data.stores(new DataBlock.Perambulator(label, source, sink));
        // One that comes later is seen as the counterpart of (source, sink).
        if (!both || sink >= source) {
          compare(
              new Input.Perambulator(label, sink, source),
              both ? new Input.Perambulator(label, source, sink) : null,
              1,
              found,
              "(sink, source) = (" + sink + ", " + source + ")");
        }
      }
    }
    add("perambulators/" + label + " are not gamma5-hermitian", "pair%s of times", found);
  }

  /** Reads all blocks of a current; compares those whose counterpart is stored. */
  private void verifyGeneralized(CurrentName name) {
    CurrentName reversed = name.reversed();
    int order = name.compareTo(reversed);
    SortedMap<CurrentName.Ends, BitSet> others =
        data.reversible(name) ? data.blocks().generalized(reversed) : new TreeMap<>();
    Deviations found = new Deviations(HERMITICITY_TOLERANCE);
    data.blocks()
        .generalized(name)
        .forEach(
            (ends, times) -> {
              BitSet there = others.getOrDefault(ends.exchanged(), new BitSet());
              boolean later = order > 0 || (order == 0 && ends.compareTo(ends.exchanged()) > 0);
              for (int t : times.stream().toArray()) {
                if (!there.get(t) || !later) {
                  compare(
                      input(name, ends, t),
                      there.get(t) ? input(reversed, ends.exchanged(), t) : null,
                      name.eta(),
                      found,
                      at(ends, t));
                }
              }
            });
    add("generalized_perambulators/" + name + " are not gamma5-hermitian", "set%s of times", found);
  }

  /** Reads a block and the one that γ5-hermiticity makes of it, if that is stored. */
  private void compare(
      Input block, @Nullable Input counterpart, int eta, Deviations found, String at) {
    double[] first = read(block);
    double[] second = first;
    if (!block.equals(counterpart)) {
      second = counterpart == null ? null : read(counterpart);
    }
    if (first != null && second != null) {
      found.add(deviation(first, second, SPINS, eta, true) / largest(first), at);
    }
  }

  private static Input input(CurrentName name, CurrentName.Ends ends, int t) {
    return new DataBlock.Generalized(name, ends, t).input();
  }

  private static String at(CurrentName.Ends ends, int t) {
    return "(sink, insertion, source) = (%s, %s, %s)"
        .formatted(ends.sinkTime(), t, ends.sourceTime());
  }

  /** τ_V(t_f, t, t_i) - θ(t) τ(t_f, t_i) does not depend on t; faults of blocks are known. */
  private void verifyWardIdentity(CurrentName name) {
    int extent = data.header().temporalExtent();
    Deviations found = new Deviations(WARD_TOLERANCE);
    int known = faults.size();
    data.blocks()
        .generalized(name)
        .forEach(
            (ends, times) -> {
              int begin = times.nextSetBit(0);
              if (times.cardinality() < 2
                  || !data.hasPerambulator(name.bar(), ends.sinkTime(), ends.sourceTime())) {
                return;
              }
              double[] tau =
                  read(new Input.Perambulator(name.bar(), ends.sinkTime(), ends.sourceTime()));
              double[] first = read(input(name, ends, begin));
              if (tau == null || first == null) {
                return;
              }
              int inside = ends.include(begin, extent) ? 1 : 0;
              for (int t = times.nextSetBit(begin + 1); t >= 0; t = times.nextSetBit(t + 1)) {
                double[] change = read(input(name, ends, t));
                if (change != null) {
                  int charge = (ends.include(t, extent) ? 1 : 0) - inside;
                  for (int k = 0; k < change.length; k++) {
                    change[k] = change[k] - first[k] - charge * tau[k];
                  }
                  found.add(largest(change) / largest(tau), at(ends, t));
                }
              }
            });
    // Blocks that cannot be read have been named before.
    faults.subList(known, faults.size()).clear();
    add(
        ("generalized_perambulators/%s violate the Ward identity: as t passes the source or the sink,"
                + " they do not change by the perambulators of '%s', as those of this current and this"
                + " configuration do,")
            .formatted(name, name.bar()),
        "set%s of times",
        found);
  }

  /** Reads blocks that obey no relation: loops may be averages over noise. */
  private void verifyOthers() {
    data.blocks()
        .blocks(
            block ->
                block instanceof DataBlock.Loop
                    || block instanceof DataBlock.GluonicValue
                    || block instanceof DataBlock.Sink)
        .forEach(
            block -> {
              try (HostMemory memory = HostMemory.allocate(block.shape(n).bytes())) {
                reads(() -> data.loadStored(block, memory, 0));
              }
            });
    QuarkSinks sinks = data.quarkSinks();
    reads(() -> sinks.checkNoises(List.copyOf(sinks.noises())));
  }

  /** The largest absolute value of complex numbers. */
  private static double largest(double[] numbers) {
    double largest = 0;
    for (int k = 0; k < numbers.length; k += 2) {
      largest = Math.max(largest, Math.hypot(numbers[k], numbers[k + 1]));
    }
    return largest;
  }

  /**
   * max |a[α,β,i,j] - sign g5[α] g5[β] b[α,β,i,j]|, or with the adjoint b[β,α,j,i]* in place of b.
   * g5 is diagonal; an elemental has one spin, for which it is 1.
   */
  private double deviation(double[] a, double[] b, int spins, int sign, boolean adjoint) {
    double worst = 0;
    for (int alpha = 0; alpha < spins; alpha++) {
      for (int beta = 0; beta < spins; beta++) {
        double factor = sign * G5[alpha] * G5[beta];
        int there = (alpha * spins + beta) * n * n;
        int other = adjoint ? (beta * spins + alpha) * n * n : there;
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            int x = 2 * (there + i * n + j);
            int y = 2 * (other + (adjoint ? j * n + i : i * n + j));
            double re = a[x] - factor * b[y];
            double im = a[x + 1] - (adjoint ? -factor : factor) * b[y + 1];
            worst = Math.max(worst, Math.hypot(re, im));
          }
        }
      }
    }
    return worst;
  }
}
