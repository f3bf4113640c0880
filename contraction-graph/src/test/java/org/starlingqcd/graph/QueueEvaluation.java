package org.starlingqcd.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.TetraquarkPart;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;

/** Runs an execution queue step by step on dense matrices, and checks the contract of vectors. */
final class QueueEvaluation {
  private final ExecutionQueue queue;
  private final RandomLattice lattice;
  private final SpinMatrix[] elements;
  private final boolean[] initialized;
  private final Map<Integer, SpinMatrix[]> blocks = new HashMap<>();
  private final Complex[] traces;

  QueueEvaluation(ExecutionQueue queue, RandomLattice lattice) {
    this.queue = queue;
    this.lattice = lattice;
    elements = new SpinMatrix[queue.elements().size()];
    initialized = new boolean[elements.length];
    traces = new Complex[queue.traceCount()];
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      run(vector);
    }
  }

  private void run(ExecutionQueue.Vector vector) {
    Class<?> kind = vector.steps().get(0).getClass();
    Set<Integer> destinations = new HashSet<>();
    Set<Integer> inputs = new HashSet<>();
    int last = -1;
    for (ExecutionQueue.Step step : vector.steps()) {
      check(step.getClass() == kind, "steps of one vector are of one kind");
      if (step instanceof ExecutionQueue.Build build) {
        Input.Elemental phi = (Input.Elemental) queue.elements().get(build.elemental());
        Input.Perambulator tau = (Input.Perambulator) queue.elements().get(build.perambulator());
        check(phi.time() == tau.sinkTime(), "elemental stands where the line ends");
        check(destinations.add(build.destination()), "destinations are distinct");
        elements[build.destination()] =
            lattice.node(phi.elemental(), phi.time(), tau.label(), tau.sourceTime());
      } else if (step instanceof ExecutionQueue.Multiply m) {
        check(
            destinations.add(m.destination()) || (m.accumulate() && m.destination() == last),
            "terms of a sum in one vector are consecutive");
        last = m.destination();
        inputs.add(m.left());
        inputs.add(m.right());
        SpinMatrix product =
            lattice
                .gamma(m.leftGamma())
                .times(element(m.left()))
                .times(lattice.gamma(m.innerGamma()))
                .times(element(m.right()))
                .scaled(m.coefficient());
        check(m.accumulate() == initialized[m.destination()], "the first term overwrites");
        elements[m.destination()] =
            m.accumulate() ? elements[m.destination()].plus(product) : product;
        initialized[m.destination()] = true;
      } else if (step instanceof ExecutionQueue.Traces t) {
        trace(t);
      } else if (step instanceof ExecutionQueue.FormPairs p) {
        elements[p.destination()] = pairs(p);
      } else if (step instanceof ExecutionQueue.PairProduct p) {
        elements[p.destination()] = tetraquark(p.left()).times(elements[p.right()]);
      } else if (step instanceof ExecutionQueue.LegProduct p) {
        elements[p.destination()] = tetraquark(p.tetraquark()).times(pairs(p.lines()));
      } else if (step instanceof ExecutionQueue.ClosePair c) {
        blocks.put(c.destination(), closed(c));
      } else if (step instanceof ExecutionQueue.OpenVertex o) {
        elements[o.destination()] = opened(o);
      }
    }
    inputs.retainAll(destinations);
    check(inputs.isEmpty(), "no step of a vector uses what another makes");
  }

  private void trace(ExecutionQueue.Traces t) {
    int trace = t.firstTrace();
    for (int l : t.lefts()) {
      boolean pairs = queue.elements().get(l) instanceof ExecutionQueue.PairMatrix;
      SpinMatrix left =
          pairs
              ? elements[l]
              : lattice.gamma(t.leftGamma()).times(element(l)).times(lattice.gamma(t.innerGamma()));
      if (t.rights().isEmpty()) {
        traces[trace++] = left.trace();
      }
      for (int r : t.rights()) {
        traces[trace++] = left.times(element(r)).trace();
      }
    }
  }

  private SpinMatrix element(int e) {
    if (elements[e] == null && queue.elements().get(e) instanceof Input.Perambulator line) {
      elements[e] = lattice.perambulator(line.label(), line.sinkTime(), line.sourceTime());
    }
    return elements[e];
  }

  private SpinMatrix tetraquark(int e) {
    Input.Tetraquark k = (Input.Tetraquark) queue.elements().get(e);
    SpinMatrix plain = lattice.tetraquark(k.colour(), k.momentum(), k.time());
    return k.adjoint() ? plain.adjoint() : plain;
  }

  private SpinMatrix pairs(ExecutionQueue.FormPairs p) {
    SpinMatrix result = new SpinMatrix(PairColour.SEXTET.pairs(lattice.extent));
    SpinMatrix d = diquark(p.diquark());
    SpinMatrix dBar = antidiquark(p.antidiquark());
    int n = lattice.extent;
    for (int row = 0; row < n * n; row++) {
      for (int column = 0; column < n * n; column++) {
        int[] k = {row / n, row % n, column / n, column % n};
        int symmetry = p.rows().sign(k[0], k[1]) * p.columns().sign(k[2], k[3]);
        Complex sum = Complex.ZERO;
        for (int s = 0; symmetry != 0 && s < 256; s++) {
          int[] spin = {s & 3, s >> 2 & 3, s >> 4 & 3, s >> 6};
          Complex matrices = d.at(spin[0], spin[1]).times(dBar.at(spin[2], spin[3]));
          if (matrices.abs() > 0) {
            Complex lines =
                element(p.first())
                    .at(spin[0] * n + k[0], spin[2] * n + k[2])
                    .times(element(p.second()).at(spin[1] * n + k[1], spin[3] * n + k[3]));
            sum = sum.plus(matrices.times(lines));
          }
        }
        result.add(p.rows().place(k[0], k[1]), p.columns().place(k[2], k[3]), sum.times(symmetry));
      }
    }
    return result;
  }

  private SpinMatrix[] closed(ExecutionQueue.ClosePair c) {
    int n = lattice.extent;
    SpinMatrix k = tetraquark(c.tetraquark());
    SpinMatrix line = element(c.line());
    SpinMatrix[] result = new SpinMatrix[16];
    for (int spins = 0; spins < 16; spins++) {
      result[spins] = new SpinMatrix(n);
      for (int indices = 0; indices < n * n * n * n; indices++) {
        int i = indices % n;
        int j = indices / n % n;
        int a = indices / n / n % n;
        int b = indices / n / n / n;
        int sign = c.colour().sign(i, j) * c.colour().sign(a, b);
        if (sign != 0) {
          Complex element = k.at(c.colour().place(i, j), c.colour().place(a, b)).times(sign);
          result[spins].add(
              i, a, element.times(line.at((spins >> 2) * n + b, (spins & 3) * n + j)));
        }
      }
    }
    return result;
  }

  private SpinMatrix opened(ExecutionQueue.OpenVertex o) {
    int n = lattice.extent;
    SpinMatrix[] block = blocks.get(o.block());
    SpinMatrix result = new SpinMatrix(4 * n);
    for (TetraquarkPart.VertexSpin term : o.terms()) {
      for (int s = 0; s < 256; s++) {
        int alpha = s & 3;
        int beta = s >> 2 & 3;
        int gamma = s >> 4 & 3;
        int delta = s >> 6;
        Complex factor =
            antidiquark(term.antidiquark())
                .at(alpha, beta)
                .times(diquark(term.diquark()).at(gamma, delta))
                .times(term.coefficient());
        for (int ik = 0; factor.abs() > 0 && ik < n * n; ik++) {
          result.add(
              alpha * n + ik / n,
              gamma * n + ik % n,
              factor.times(block[4 * delta + beta].at(ik / n, ik % n)));
        }
      }
    }
    return result;
  }

  /** C times gammas. */
  static SpinMatrix diquark(int mask) {
    return SpinMatrix.gamma(0b1010, 1).times(SpinMatrix.gamma(mask, 1));
  }

  /** {@code Σ D'* g4 g4}: in the DeGrand-Rossi basis g4 exchanges spins s and s + 2. */
  static SpinMatrix antidiquark(int mask) {
    SpinMatrix bar = new SpinMatrix(4);
    for (int s = 0; s < 16; s++) {
      bar.add(s / 4, s % 4, diquark(mask).at(s / 4 ^ 2, s % 4 ^ 2).conjugate());
    }
    return bar;
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /** The value of a result. */
  Complex value(ExecutionQueue.Result result) {
    Complex sum = Complex.ZERO;
    for (ContractionPlan.Monomial monomial : result.monomials()) {
      Complex product = monomial.coefficient();
      for (ContractionPlan.Factor factor : monomial.factors()) {
        Complex t = traces[factor.trace()];
        product = product.times(factor.conjugate() ? t.conjugate() : t);
      }
      sum = sum.plus(product);
    }
    return sum;
  }

  List<ExecutionQueue.Result> results() {
    return queue.results();
  }
}
