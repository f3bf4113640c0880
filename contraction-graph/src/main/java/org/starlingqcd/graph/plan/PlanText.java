package org.starlingqcd.graph.plan;

import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.NodeRef;

/** Writes plans in the format of {@link PlanFile}. */
final class PlanText {
  private PlanText() {}

  static String of(ContractionPlan plan, ReducerOptions options) {
    StringBuilder text = new StringBuilder();
    line(text, PlanFile.MAGIC, PlanFile.VERSION);
    for (CorrelationMatrix matrix : plan.matrices()) {
      line(text, "definition", RecordText.quoted(matrix.name()), PlanFile.digest(matrix));
    }
    line(text, "options", PlanFile.text(options));
    ContractionPlan.Counts c = plan.counts();
    line(
        text,
        "counts",
        c.diagrams(),
        c.uniqueDiagrams(),
        c.cycles(),
        c.productsUnshared(),
        c.tracesUnshared(),
        c.intermediatesSeparate(),
        c.tracesSeparate());
    plan.nodes().forEach(node -> node(text, node));
    line(text, "intermediates", plan.intermediates());
    for (ContractionPlan.Product p : plan.products()) {
      line(
          text,
          "product",
          p.destination(),
          p.leftGamma(),
          p.left(),
          p.innerGamma(),
          p.right(),
          hex(p.coefficient()),
          p.accumulate());
    }
    for (ContractionPlan.Trace t : plan.traces()) {
      line(text, "trace", t.leftGamma(), t.left(), t.innerGamma(), t.right());
    }
    line(text, "baryons", baryonLayout(), RecordText.of(plan.baryonPart()));
    plan.outputs().forEach(output -> output(text, output));
    line(text, "end", PlanFile.sha256(text.toString()));
    return text.toString();
  }

  /**
   * A digest of the layout, so that a program whose baryon parts have other components refuses the
   * file.
   */
  static String baryonLayout() {
    return PlanFile.sha256(RecordText.layout(BaryonPart.class));
  }

  private static void node(StringBuilder text, NodeRef node) {
    Momentum n = node.elemental().momentum();
    line(
        text,
        "node",
        RecordText.quoted(node.elemental().displacement()),
        n.x(),
        n.y(),
        n.z(),
        node.elemental().adjoint(),
        node.time(),
        RecordText.quoted(node.label()),
        node.next());
  }

  private static void output(StringBuilder text, ContractionPlan.Output output) {
    line(text, "output", output.matrix(), output.row(), output.column(), output.monomials().size());
    for (ContractionPlan.Monomial monomial : output.monomials()) {
      text.append(hex(monomial.coefficient()));
      for (ContractionPlan.Factor factor : monomial.factors()) {
        text.append(' ').append(factor.trace()).append(factor.conjugate() ? "*" : "");
      }
      text.append('\n');
    }
  }

  private static void line(StringBuilder text, Object... words) {
    for (int k = 0; k < words.length; k++) {
      text.append(k == 0 ? "" : " ").append(words[k]);
    }
    text.append('\n');
  }

  private static String hex(Complex c) {
    return Double.toHexString(c.re()) + " " + Double.toHexString(c.im());
  }
}
