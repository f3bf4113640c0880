package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Correlators by the definition of Wick contraction: every field of every factor with all its spin
 * and distillation indices, every pairing of a quark field with an antiquark field of its flavour,
 * and the sign of the permutation that brings each pair together.
 */
final class FieldContraction {
  private final RandomLattice lattice;
  private final Map<String, String> labels;

  FieldContraction(RandomLattice lattice, Map<String, String> labels) {
    this.lattice = lattice;
    this.labels = labels;
  }

  private record Field(String flavour, boolean isQuark, int time) {}

  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Entry(int[] indices, Complex value) {}

  /** A factor: fields in order, and the numbers by their indices, spin · N + i. */
  private record Tensor(List<Field> fields, List<Entry> entries) {
    /** {@code (q_α)† = Σ q̄_β g4[β,α]} and the converse: g4 exchanges spins s and s + 2. */
    Tensor adjoint(int extent) {
      List<Field> reversed = new ArrayList<>();
      for (Field field : fields) {
        reversed.add(0, new Field(field.flavour, !field.isQuark, field.time));
      }
      List<Entry> adjoint = new ArrayList<>();
      for (Entry entry : entries) {
        int n = entry.indices.length;
        int[] indices = new int[n];
        for (int k = 0; k < n; k++) {
          indices[n - 1 - k] = (entry.indices[k] + 2 * extent) % (4 * extent);
        }
        adjoint.add(new Entry(indices, entry.value.conjugate()));
      }
      return new Tensor(reversed, adjoint);
    }
  }

  private Tensor tensor(Factor factor, int time) {
    List<Entry> entries = new ArrayList<>();
    int n = lattice.extent;
    if (factor instanceof Bilinear b) {
      SpinMatrix m =
          lattice
              .gamma(b.gamma().mask())
              .times(
                  SpinMatrix.onAllSpins(
                      lattice.elemental(
                          ElementalRef.of(b.displacement(), b.momentum(), false), time)))
              .scaled(new Complex(b.gamma().sign(), 0));
      for (int k = 0; k < m.n * m.n; k++) {
        add(entries, m.at(k / m.n, k % m.n), k / m.n, k % m.n);
      }
      return new Tensor(
          List.of(new Field(b.bar(), false, time), new Field(b.quark(), true, time)), entries);
    }
    TetraquarkFactor t = (TetraquarkFactor) factor;
    SpinMatrix k = lattice.tetraquark(t.colour(), t.momentum(), time);
    SpinMatrix dBar = QueueEvaluation.antidiquark(t.antidiquark().mask());
    SpinMatrix d = QueueEvaluation.diquark(t.diquark().mask());
    int sign = t.antidiquark().sign() * t.diquark().sign();
    int size = 4 * n;
    for (int left = 0; left < size * size; left++) {
      for (int right = 0; right < size * size; right++) {
        int[] at = {left / size, left % size, right / size, right % size};
        Complex spin = dBar.at(at[0] / n, at[1] / n).times(d.at(at[2] / n, at[3] / n));
        int symmetry =
            t.colour().sign(at[0] % n, at[1] % n) * t.colour().sign(at[2] % n, at[3] % n);
        Complex element =
            k.at(t.colour().place(at[0] % n, at[1] % n), t.colour().place(at[2] % n, at[3] % n));
        add(entries, spin.times(element).times(sign * symmetry), at);
      }
    }
    return new Tensor(
        List.of(
            new Field(t.bar1(), false, time),
            new Field(t.bar2(), false, time),
            new Field(t.quark3(), true, time),
            new Field(t.quark4(), true, time)),
        entries);
  }

  private static void add(List<Entry> entries, Complex value, int... indices) {
    if (value.abs() > 0) {
      entries.add(new Entry(indices, value));
    }
  }

  /** {@code ⟨O_i(sink) O_j(source)†⟩}; without a source operator {@code ⟨O_i(sink)⟩}. */
  Complex value(Operator sink, int sinkTime, List<Operator> source, int sourceTime) {
    Complex sum = Complex.ZERO;
    for (Term term : sink.terms()) {
      List<Tensor> tensors = new ArrayList<>();
      term.factors().forEach(factor -> tensors.add(tensor(factor, sinkTime)));
      if (source.isEmpty()) {
        sum = sum.plus(term.coefficient().times(product(tensors)));
        continue;
      }
      for (Term other : source.get(0).terms()) {
        List<Tensor> all = new ArrayList<>(tensors);
        for (int k = other.factors().size() - 1; k >= 0; k--) {
          all.add(tensor(other.factors().get(k), sourceTime).adjoint(lattice.extent));
        }
        Complex coefficient = term.coefficient().times(other.coefficient().conjugate());
        sum = sum.plus(coefficient.times(product(all)));
      }
    }
    return sum;
  }

  private Complex product(List<Tensor> tensors) {
    List<Field> fields = new ArrayList<>();
    tensors.forEach(tensor -> fields.addAll(tensor.fields));
    return pairings(tensors, fields, new ArrayList<>());
  }

  /** Pairs quark fields with antiquark fields, in the order of the quark fields. */
  private Complex pairings(List<Tensor> tensors, List<Field> fields, List<Integer> paired) {
    int quark = 0;
    while (quark < fields.size() && (!fields.get(quark).isQuark || paired.contains(quark))) {
      quark++;
    }
    if (quark == fields.size()) {
      return paired.size() < fields.size()
          ? Complex.ZERO
          : paired(tensors, fields, paired).times(sign(paired));
    }
    Complex sum = Complex.ZERO;
    for (int bar = 0; bar < fields.size(); bar++) {
      if (!fields.get(bar).isQuark
          && !paired.contains(bar)
          && fields.get(bar).flavour.equals(fields.get(quark).flavour)) {
        List<Integer> more = new ArrayList<>(paired);
        more.add(quark);
        more.add(bar);
        sum = sum.plus(pairings(tensors, fields, more));
      }
    }
    return sum;
  }

  private static int sign(List<Integer> permutation) {
    int sign = 1;
    for (int a = 0; a < permutation.size(); a++) {
      for (int b = a + 1; b < permutation.size(); b++) {
        sign = permutation.get(a) > permutation.get(b) ? -sign : sign;
      }
    }
    return sign;
  }

  private Complex paired(List<Tensor> tensors, List<Field> fields, List<Integer> paired) {
    SpinMatrix[] lines = new SpinMatrix[paired.size() / 2];
    int[] pairs = new int[paired.size()];
    for (int k = 0; k < lines.length; k++) {
      pairs[2 * k] = paired.get(2 * k);
      pairs[2 * k + 1] = paired.get(2 * k + 1);
      Field quark = fields.get(pairs[2 * k]);
      lines[k] =
          lattice.perambulator(
              labels.get(quark.flavour), quark.time, fields.get(pairs[2 * k + 1]).time);
    }
    double[] sum = new double[2];
    sum(tensors, 0, new int[fields.size()], 0, 1, 0, lines, pairs, sum);
    return new Complex(sum[0], sum[1]);
  }

  private static void sum(
      List<Tensor> tensors,
      int at,
      int[] indices,
      int field,
      double re,
      double im,
      SpinMatrix[] lines,
      int[] pairs,
      double[] sum) {
    if (at == tensors.size()) {
      double x = re;
      double y = im;
      for (int k = 0; k < lines.length; k++) {
        int place = indices[pairs[2 * k]] * lines[k].n + indices[pairs[2 * k + 1]];
        double real = x * lines[k].re[place] - y * lines[k].im[place];
        y = x * lines[k].im[place] + y * lines[k].re[place];
        x = real;
      }
      sum[0] += x;
      sum[1] += y;
      return;
    }
    for (Entry entry : tensors.get(at).entries) {
      System.arraycopy(entry.indices, 0, indices, field, entry.indices.length);
      Complex c = entry.value;
      sum(
          tensors,
          at + 1,
          indices,
          field + entry.indices.length,
          re * c.re() - im * c.im(),
          re * c.im() + im * c.re(),
          lines,
          pairs,
          sum);
    }
  }
}
