package org.starlingqcd.simulator.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ShippedDefinitions;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Every element of the shipped definitions on the bundled configurations, on the CPU. */
class ReferenceCorrelatorsTest {
  private static final DeviceSettings CPU = DeviceSettings.of("cpu", 0);

  private final ReferenceCorrelators references = new ReferenceCorrelators(Engine.examples());

  @Test
  void everyShippedDefinition_hasAReference() {
    DefinitionLoader loader = new DefinitionLoader();
    assertEquals(
        ShippedDefinitions.names().stream()
            .filter(name -> loader.loadAny(name) instanceof Definition)
            .toList(),
        references.names());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pion",
        "rho_pipi",
        "a1_rhopi",
        "sigma",
        "kpi_i32",
        "rho_001_e",
        "rho_011_b1",
        "rho_111_e",
        "written_out",
        "pipi_i2"
      })
  void mesons_equalTheReference(String name) {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nucleon_g1u",
        "delta_h",
        "npi_g1u",
        "npi_001_g1",
        "npi_100_g1",
        "npi_111_f1",
        "nn_t1"
      })
  void baryonsInIrreps_equalTheReference(String name) {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rho_d1_t2", "b1_derivative", "rho_011_d1"})
  void derivatives_equalTheReference(String name) {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nucleon", "npi_i12", "npi_i32", "nn_i1", "lambda_uds"})
  void baryons_equalTheReference(String name) {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcc", "tcc_flight", "zc"})
  void tetraquarks_equalTheReference(String name) {
    compare(name);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"f0d2", "f0d4", "pipipi_i3"})
  void largeSetsOfOperators_equalTheReference(String name) {
    compare(name);
  }

  private void compare(String name) {
    CheckOutcome outcome = references.check(name, CPU);
    assertTrue(outcome.passed(), name + ": " + outcome.detail());
  }

  @Test
  void numbersThatDiffer_fail(@TempDir Path examples) throws IOException {
    Files.createSymbolicLink(examples.resolve("data"), Engine.examples().resolve("data"));
    Path reference = Files.createDirectories(examples.resolve("reference")).resolve("pion.h5");
    Files.copy(Engine.reference("pion"), reference);
    long[] at = {1, 3, 0, 0};
    long[] one = {1, 1, 1, 1};
    try (Hdf5File file = Hdf5File.openForUpdate(reference);
        Hdf5Dataset correlator = file.dataset("cfg_0002/correlator")) {
      double[] number = correlator.read(at, one);
      number[0] *= 1 + 1e-10;
      correlator.write(at, one, number);
    }
    CheckOutcome outcome = new ReferenceCorrelators(examples).check("pion", CPU);
    assertFalse(outcome.passed());
    assertTrue(
        outcome.detail().startsWith("configuration 2 source 3 number 6: "), outcome.detail());
  }

  @Test
  void foldersWithoutReferences_areRefused(@TempDir Path folder) {
    InputException wrong =
        assertThrows(InputException.class, () -> new ReferenceCorrelators(folder));
    assertTrue(String.valueOf(wrong.getMessage()).contains("data and reference"));
  }
}
