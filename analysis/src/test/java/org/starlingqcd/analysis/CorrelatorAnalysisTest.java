package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.InputException;

final class CorrelatorAnalysisTest {
  private static AnalysisSettings options(
      int binSize, @Nullable String t0, @Nullable Integer td, EffectiveMass... masses) {
    AnalysisSettings options = new AnalysisSettings();
    options.binSize = binSize;
    options.t0 = t0;
    options.td = td;
    options.masses = Set.of(masses);
    return options;
  }

  private static CorrelatorAnalysis binned(int binSize) {
    return CorrelatorAnalysis.of(
        FormulaData.data(), options(binSize, null, null, EffectiveMass.LOG));
  }

  @Test
  void everyKindAndOperator_hasACurve() {
    CorrelatorAnalysis analysis =
        CorrelatorAnalysis.of(FormulaData.data(), options(1, "1", null, EffectiveMass.values()));
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
    assertEquals(2, binned(2).correlator().resampling().bins());
    assertEquals(
        List.of("all 5 configurations are in one bin: no errors can be estimated"),
        binned(9).warnings());
  }

  @Test
  void oneConfiguration_warns() {
    CorrelatorData one =
        FormulaData.data(List.of(FormulaData.configuration(0, FormulaData.SOURCES)));
    CorrelatorAnalysis analysis = CorrelatorAnalysis.of(one, FormulaData.OPTIONS);
    assertEquals(2, analysis.warnings().size());
    assertEquals("only one configuration: no errors can be estimated", analysis.warnings().get(0));
    Estimate value = analysis.correlator().real(0, 0, 0);
    assertTrue(value.isDefined() && !value.hasError());
    assertEquals("no error from a single configuration or bin", value.remark());
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
    String separations = "must be one of the separations [0, 1, 2, 4] ";
    for (String t0 : new String[] {"3", "4"}) {
      refused(
          data,
          options(1, t0, null, EffectiveMass.LOG),
          "formula: t0 " + separations + "but the last: t0=" + t0);
    }
    refused(
        data,
        options(1, "1", 1, EffectiveMass.LOG),
        "formula: td " + separations + "after t0=1: td=1");
    CorrelatorData unknownExtent =
        FormulaData.data("formula", data.operators(), OptionalInt.empty());
    refused(
        unknownExtent,
        options(1, null, null, EffectiveMass.COSH),
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
