package org.starlingqcd.graph.wick;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.Term;

class BaryonWickTest {
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "s", "strange");

  private static BaryonFactor baryon(String quarks, int component) {
    return new BaryonFactor(
        quarks.substring(0, 1),
        quarks.substring(1, 2),
        quarks.substring(2, 3),
        Gamma.G5,
        1,
        component,
        Momentum.ZERO,
        "none");
  }

  private static Bilinear pi(String bar, String quark) {
    return new Bilinear(bar, Gamma.G5, quark, Momentum.ZERO, "none");
  }

  private static DiagramSet contract(Factor... factors) {
    Operator operator = new Operator("o", List.of(new Term(Complex.ONE, List.of(factors))));
    return WickContraction.contract(
        List.of(new CorrelationMatrix("test", List.of(operator), LABELS, false)));
  }

  private static double pairings(DiagramSet set) {
    return set.element(0, 0, 0).terms().values().stream().mapToDouble(Complex::abs).sum();
  }

  @Test
  void nucleon_hasDirectAndExchangeGraphOfOppositeSign() {
    DiagramSet set = contract(baryon("udd", 1));
    assertEquals(2, set.baryonGraphCount());
    List<Double> weights = new ArrayList<>();
    set.element(0, 0, 0).terms().values().forEach(c -> weights.add(c.re()));
    weights.sort(null);
    assertEquals(List.of(-1.0, 1.0), weights);
  }

  @Test
  void likeQuarksOfADiquark_areMerged() {
    // The first two legs of either side may be exchanged: the six pairings fall into two classes,
    // of 2 and 4.
    BaryonFactor delta =
        new BaryonFactor("u", "u", "u", Gamma.parse("g3"), 1, 1, Momentum.ZERO, "none");
    DiagramSet set = contract(delta);
    assertEquals(2, set.baryonGraphCount());
    assertEquals(6, pairings(set), 1e-12);
  }

  @Test
  void factorThatVanishesByItsOwnSymmetry_leavesNoDiagram() {
    assertEquals(0, contract(baryon("uuu", 1)).diagramCount());
  }

  @Test
  void threeFlavours_haveOnePairing() {
    assertEquals(1, contract(baryon("uds", 1)).baryonGraphCount());
  }

  @Test
  void twoNucleons_countEveryPairingOnce() {
    // u u and d d d d: 2! 4! pairings, merged but none lost, since equal graphs come with equal
    // signs here.
    DiagramSet set = contract(baryon("udd", 1), baryon("udd", 2));
    assertEquals(48, pairings(set), 1e-12);
  }

  @Test
  void nucleonPion_sharesWordsThroughTheMeson() {
    // Quarks u d d + d at the sink against u d d + ... : u 1!, d 3! pairings with d from ubar d,
    // ubar through the meson.
    DiagramSet set = contract(baryon("udd", 1), pi("u", "d"));
    double all = pairings(set);
    // Quark fields: u, d, d (baryon), d (meson), u (adjoint meson); antiquarks likewise: 2! of u,
    // 3! of d.
    assertEquals(12, all, 1e-12);
  }

  @Test
  void identicalBaryonsOfOneOperator_haveGraphsThatCancelOrMerge() {
    // A A vanishes for a fermion: every pairing meets its negative.
    assertEquals(0, contract(baryon("udd", 1), baryon("udd", 1)).diagramCount());
  }

  @Test
  void graph_refusesLegsWithoutPath() {
    BaryonVertex vertex = new BaryonVertex("none", Momentum.ZERO, 15, 1, 1, false);
    QuarkPath path = new QuarkPath(0, 0, 0, 0, List.of(0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new BaryonGraph(List.of(vertex), List.of(vertex), List.of(path, path, path)));
  }
}
