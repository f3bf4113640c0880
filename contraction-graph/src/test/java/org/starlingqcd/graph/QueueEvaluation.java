package org.starlingqcd.graph;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;

/** Runs an execution queue step by step on dense matrices, and checks the contract of vectors. */
final class QueueEvaluation {
  private final ExecutionQueue queue;
  private final RandomLattice lattice;
  private final SpinMatrix[] elements;
  private final boolean[] initialized;
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
                .times(elements[m.left()])
                .times(lattice.gamma(m.innerGamma()))
                .times(elements[m.right()])
                .scaled(m.coefficient());
        check(m.accumulate() == initialized[m.destination()], "the first term overwrites");
        elements[m.destination()] =
            m.accumulate() ? elements[m.destination()].plus(product) : product;
        initialized[m.destination()] = true;
      } else if (step instanceof ExecutionQueue.Traces t) {
        trace(t);
      }
    }
    inputs.retainAll(destinations);
    check(inputs.isEmpty(), "no step of a vector uses what another makes");
  }

  private void trace(ExecutionQueue.Traces t) {
    int trace = t.firstTrace();
    for (int l : t.lefts()) {
      SpinMatrix left =
          lattice.gamma(t.leftGamma()).times(elements[l]).times(lattice.gamma(t.innerGamma()));
      if (t.rights().isEmpty()) {
        traces[trace++] = left.trace();
      }
      for (int r : t.rights()) {
        traces[trace++] = left.times(elements[r]).trace();
      }
    }
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
