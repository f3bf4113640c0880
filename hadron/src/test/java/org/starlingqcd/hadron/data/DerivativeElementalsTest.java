package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/** Elementals of forward-backward derivatives: names, relations, momenta at which they vanish. */
class DerivativeElementalsTest {
  private static final int N = 3;
  private static final int L = 4;
  private static final List<Momentum> MOMENTA =
      List.of(
          Momentum.ZERO,
          new Momentum(0, 1, -1),
          new Momentum(0, -1, 1),
          new Momentum(2, 0, 1),
          new Momentum(-2, 0, -1),
          new Momentum(-6, 0, 0));

  @TempDir Path folder;

  private Path write(String place) {
    List<String> displacements = new ArrayList<>(List.of("nabla_x", "shift_x"));
    displacements.addAll(Displacement.derivatives(1));
    displacements.addAll(Displacement.derivatives(2));
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "syn", L, 2, N, List.of(), List.of(), MOMENTA, displacements, false, 0, 3);
    return SyntheticData.write(ensemble, 1, folder.resolve(place), bytes -> {});
  }

  private static double[] load(DistillationData data, String name, Momentum n, boolean adjoint) {
    return TestData.load(data, new Input.Elemental(ElementalRef.of(name, n, adjoint), 1), N);
  }

  private static double[] adjoint(double[] matrix, int sign) {
    double[] adjoint = new double[matrix.length];
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        adjoint[2 * (j * N + i)] = sign * matrix[2 * (i * N + j)];
        adjoint[2 * (j * N + i) + 1] = -sign * matrix[2 * (i * N + j) + 1];
      }
    }
    return adjoint;
  }

  @Test
  void displacement_isReadFromItsName() {
    assertEquals(
        new Displacement(Displacement.Kind.DERIVATIVE, List.of(2, 0)), Displacement.of("D_zD_x"));
    assertEquals(Displacement.Kind.NABLA, Displacement.of("nabla_y").kind());
    for (String other : List.of("D_xD_yD_z", "D_", "D_t", "D_x ", "nabla_xnabla_y", "d_x", "")) {
      assertEquals(Displacement.Kind.OTHER, Displacement.of(other).kind(), other);
    }
    assertEquals("none", Displacement.derivative(List.of()));
    assertEquals(List.of("D_x", "D_y", "D_z"), Displacement.derivatives(1));
    assertEquals(9, Displacement.derivatives(2).size());
    for (String name : Displacement.derivatives(2)) {
      assertEquals(name, Displacement.derivative(Displacement.of(name).axes()));
    }
  }

  @Test
  void synthetic_relationsHoldToTheLastBit() {
    try (DistillationData data = DistillationData.open(List.of(write("a")))) {
      for (Momentum n : List.of(Momentum.ZERO, MOMENTA.get(1))) {
        for (String d : Displacement.derivatives(1)) {
          assertArrayEquals(
              adjoint(load(data, d, n, false), -1), load(data, d, n.negate(), false), 0.0, d);
        }
        for (String d : Displacement.derivatives(2)) {
          String reversed =
              Displacement.derivative(
                  List.of(Displacement.of(d).axes().get(1), Displacement.of(d).axes().get(0)));
          assertArrayEquals(
              adjoint(load(data, d, n, false), 1), load(data, reversed, n.negate(), false), 0.0, d);
        }
      }
      assertArrayEquals(
          load(data, "nabla_x", Momentum.ZERO, false),
          load(data, "D_x", Momentum.ZERO, false),
          "one derivative at rest");
      Momentum n = MOMENTA.get(1);
      assertFalse(
          Arrays.equals(load(data, "nabla_x", n, false), load(data, "D_x", n, false)),
          "two derivatives in flight");
    }
  }

  /** With half of the blocks deleted, the relations give the same numbers. */
  @Test
  void missingBlocks_areSuppliedByTheirRelations() {
    Path part = write("part");
    Momentum n = MOMENTA.get(1);
    List<String> gone =
        List.of("D_x/0_1_-1", "D_zD_y/0_-1_1", "D_yD_y/0_1_-1", "D_x/0_0_0", "D_zD_x/0_0_0");
    try (Hdf5File file = Hdf5File.openForUpdate(part)) {
      gone.forEach(name -> file.delete("elementals/meson/" + name));
      file.delete("elementals/meson/nabla_x/0_1_-1");
      file.delete("elementals/meson/shift_x/0_1_-1");
    }
    try (DistillationData all = DistillationData.open(List.of(write("all")));
        DistillationData some = DistillationData.open(List.of(part))) {
      for (String name : gone) {
        String displacement = name.substring(0, name.indexOf('/'));
        for (Momentum momentum : List.of(Momentum.ZERO, n, n.negate())) {
          for (boolean adjoint : new boolean[] {false, true}) {
            assertTrue(
                some.hasElemental(ElementalRef.of(displacement, momentum, adjoint), 0), name);
            assertArrayEquals(
                load(all, displacement, momentum, adjoint),
                load(some, displacement, momentum, adjoint),
                0.0,
                displacement + " at " + momentum);
          }
        }
      }
      assertFalse(some.hasElemental(ElementalRef.of("nabla_x", n, false), 0));
      assertFalse(some.hasElemental(ElementalRef.of("shift_x", n, false), 0));
    }
  }

  @Test
  void nablaAndDerivativeAtRest_serveForEachOther() {
    Path path = write("a");
    TestData.change(path, file -> file.delete("elementals/meson/nabla_x/0_0_0"));
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertArrayEquals(
          load(data, "D_x", Momentum.ZERO, true), load(data, "nabla_x", Momentum.ZERO, true));
      // There is no nabla_y in the file; D_y at rest stands in for it, and nothing does in flight.
      assertTrue(data.hasElemental(ElementalRef.of("nabla_y", Momentum.ZERO, false), 0));
      assertFalse(data.hasElemental(ElementalRef.of("nabla_y", MOMENTA.get(1), false), 0));
    }
  }

  @Test
  void vanishingDerivatives_areNeitherWrittenNorRead() {
    try (DistillationData data = DistillationData.open(List.of(write("a")))) {
      Momentum half = MOMENTA.get(3);
      Set<ElementalName> stored = data.mesonElementals();
      assertFalse(stored.contains(new ElementalName("D_x", half)));
      assertFalse(stored.contains(new ElementalName("D_zD_x", half)));
      assertFalse(stored.contains(new ElementalName("D_x", MOMENTA.get(5))), "-12 = -3 L");
      assertTrue(stored.contains(new ElementalName("D_z", half)));
      assertTrue(stored.contains(new ElementalName("nabla_x", half)));
      Input.Elemental needed = new Input.Elemental(ElementalRef.of("D_x", half, true), 0);
      MissingInputs missing = new MissingInputs(data);
      missing.need(needed);
      String message = TestData.refusal(missing::throwIfAny);
      assertTrue(
          message.endsWith(
              "meson elementals (displacement/momentum): D_x/2_0_1\n  of these D_x/2_0_1 vanish"
                  + " identically, because the derivative D_k is zero where 2 n_k is an odd multiple"
                  + " of L = 4; choose other momenta or operators"),
          message);
    }
  }
}
