package org.starlingqcd.hadron.execute;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Build;
import org.starlingqcd.graph.schedule.ExecutionQueue.Multiply;
import org.starlingqcd.graph.schedule.ExecutionQueue.Traces;
import org.starlingqcd.graph.schedule.Input;

/**
 * Whether the nodes and intermediates of a queue are kept as they are, X, or as γ5 X.
 *
 * <p>With X' = γ5 X, a product Γ_L X Γ_I Y becomes γ5 Γ_L γ5 · X' · Γ_I γ5 · Y' in the form of its
 * destination, and a trace Tr[Γ_L X Γ_I Y] becomes Tr[Γ_L γ5 · X' · Γ_I γ5 · Y']. Where Γ_I is γ5,
 * nothing is left between the two.
 */
enum NodeForm {
  /** X. */
  PLAIN,
  /** γ5 X. */
  GAMMA5;

  /**
   * The form that leaves more products of a queue without a matrix between their factors. Queues
   * with baryons or with products of inputs themselves keep the plain form.
   */
  static NodeForm of(ExecutionQueue queue) {
    int balance = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        boolean[] made = {true};
        step.forEachInput(e -> made[0] &= !(queue.elements().get(e) instanceof Input));
        if (step instanceof Multiply multiply && made[0]) {
          balance += multiply.innerGamma() == Gamma.G5.mask() ? 1 : 0;
          balance -= multiply.innerGamma() == Gamma.ONE.mask() ? 1 : 0;
        } else if (!(step instanceof Build || (step instanceof Traces && made[0]))) {
          return PLAIN;
        }
      }
    }
    return balance > 0 ? GAMMA5 : PLAIN;
  }

  BatchSpinMapping build() {
    return this == PLAIN ? SpinMappings.build() : SpinMappings.gamma5Build();
  }

  /** The matrix before the left factor of a product, for the plain one's mask. */
  Gamma beforeProduct(int leftGamma) {
    Gamma plain = new Gamma(leftGamma, 1);
    return this == PLAIN ? plain : Gamma.G5.times(plain).times(Gamma.G5);
  }

  /** The matrix before a factor of a trace, or between those of a product. */
  Gamma before(int gamma) {
    Gamma plain = new Gamma(gamma, 1);
    return this == PLAIN ? plain : plain.times(Gamma.G5);
  }
}
