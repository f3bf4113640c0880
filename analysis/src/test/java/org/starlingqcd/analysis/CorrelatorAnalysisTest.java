package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.InputException;

final class CorrelatorAnalysisTest {
  private static AnalysisSettings options(Set<EffectiveMass> masses, int binSize, OptionalInt t0) {
    return FormulaData.options(binSize, masses, t0, OptionalInt.empty());
  }

  @Test
  void everyKindAndOperator_hasACurve() {
    CorrelatorAnalysis analysis =
        CorrelatorAnalysis.of(
            FormulaData.data(), options(EnumSet.allOf(EffectiveMass.class), 1, OptionalInt.of(1)));
    for (boolean ofStates : new boolean[] {false, true}) {
      Map<String, List<Curve>> masses = analysis.masses(ofStates);
      assertEquals(List.of("log", "cosh"), List.copyOf(masses.keySet()));
      for (List<Curve> curves : masses.values()) {
        assertEquals(ofStates ? "state 1" : "b", curves.get(1).label());
      }
    }
    PrincipalCorrelators principal = analysis.principal();
    assertNotNull(principal);
    assertEquals(2, principal.td());
    assertTrue(analysis.connected());
    assertEquals(List.of(), analysis.warnings());
  }

  @Test
  void bins_areAsManyAsFit() {
    CorrelatorAnalysis analysis =
        CorrelatorAnalysis.of(
            FormulaData.data(), options(Set.of(EffectiveMass.LOG), 2, OptionalInt.empty()));
    assertEquals(2, analysis.correlator().resampling().bins());
    CorrelatorAnalysis one =
        CorrelatorAnalysis.of(
            FormulaData.data(), options(Set.of(EffectiveMass.LOG), 9, OptionalInt.empty()));
    assertEquals(
        List.of("all 5 configurations are in one bin: no errors can be estimated"), one.warnings());
  }

  @Test
  void oneConfiguration_warns() {
    CorrelatorData one =
        FormulaData.data(List.of(FormulaData.configuration(0, FormulaData.SOURCES)));
    CorrelatorAnalysis analysis = CorrelatorAnalysis.of(one, FormulaData.OPTIONS);
    assertEquals(2, analysis.warnings().size());
    assertEquals("only one configuration: no errors can be estimated", analysis.warnings().get(0));
  }

  @Test
  void differentSources_warn() {
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    configurations.add(FormulaData.configuration(0, List.of(1, 4)));
    configurations.add(FormulaData.configuration(1, List.of(4)));
    CorrelatorAnalysis analysis =
        CorrelatorAnalysis.of(FormulaData.data(configurations), FormulaData.OPTIONS);
    assertEquals(
        List.of(
            "sources differ: configuration 1 has [1, 4], configuration 2 has [4]; every pair of"
                + " configuration and source counts the same"),
        analysis.warnings());
  }

  @Test
  void unfitOptions_areRefusedWithTheRemedy() {
    CorrelatorData data = FormulaData.data();
    refused(
        data,
        options(Set.of(EffectiveMass.LOG), 1, OptionalInt.of(4)),
        "formula: t0 must be one of the separations [0, 1, 2, 4] but the last: t0=4");
    refused(
        data,
        options(Set.of(EffectiveMass.LOG), 1, OptionalInt.of(3)),
        "formula: t0 must be one of the separations [0, 1, 2, 4] but the last: t0=3");
    refused(
        data,
        FormulaData.options(1, Set.of(EffectiveMass.LOG), OptionalInt.of(1), OptionalInt.of(1)),
        "formula: td must be one of the separations [0, 1, 2, 4] after t0=1: td=1");
    CorrelatorData unknownExtent =
        FormulaData.data(
            data.name(),
            data.ensemble(),
            data.operators(),
            data.separations(),
            OptionalInt.empty(),
            data.configurations());
    refused(
        unknownExtent,
        options(Set.of(EffectiveMass.COSH), 1, OptionalInt.empty()),
        "formula: a cosh effective mass needs the temporal extent, which the result does not say:"
            + " --temporal-extent T");
    refused(
        unknownExtent,
        FormulaData.OPTIONS,
        "formula: the vacuum cannot be subtracted: configuration 1 has no one-point functions for"
            + " source 4 and separation 2 (time 6), only at the times [0, 1, 2, 3, 4, 5] (the temporal"
            + " extent is unknown: --temporal-extent T); --no-subtraction leaves it in");
    refused(
        FormulaData.data(List.of()), FormulaData.OPTIONS, "formula: no configuration to analyse");
  }

  private static void refused(CorrelatorData data, AnalysisSettings options, String message) {
    InputException refused =
        assertThrows(InputException.class, () -> CorrelatorAnalysis.of(data, options));
    assertEquals(message, refused.getMessage());
  }
}
