package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.cpu.KernelContest.Load;
import org.starlingqcd.backend.cpu.blas.KernelChoice;

/** The choice for made-up times. */
class KernelContestTest {
  private static final KernelChoice PACKED = KernelChoice.packed(true);
  private static final KernelChoice STRASSEN = KernelChoice.strassen();
  private static final KernelChoice TILES = new KernelChoice(100, true);
  private static final KernelChoice ZGEMM = KernelChoice.zgemm();
  private static final List<KernelChoice> ALL = List.of(PACKED, TILES, STRASSEN, ZGEMM);
  private static final List<Load> FINALS = List.of(Load.SHARED, Load.SHARED_ON_ALL);
  private static final int ROUNDS = 5;

  /** Times of kernels by load, times the slowness of the machine in each of its measurements. */
  private static final class Machine implements KernelContest.Stopwatch {
    final Map<KernelChoice, Map<Load, Double>> times = new HashMap<>();
    final List<KernelChoice> finals = new ArrayList<>();
    final List<KernelChoice> alone = new ArrayList<>();

    Machine with(KernelChoice kernel, double alone, double shared, double onAll) {
      times.put(kernel, Map.of(Load.ALONE, alone, Load.SHARED, shared, Load.SHARED_ON_ALL, onAll));
      return this;
    }

    @Override
    public double seconds(KernelChoice kernel, Load load) {
      (load == Load.ALONE ? alone : finals).add(kernel);
      return times.get(kernel).get(load);
    }
  }

  private static KernelContest contest(KernelContest.Stopwatch machine) {
    return new KernelContest(ALL, FINALS, ROUNDS, machine);
  }

  @Test
  void choice_followsWorkThatSharesInputs_notContractionsAlone() {
    Machine machine =
        new Machine()
            .with(PACKED, 1.1, 1.0, 0.5)
            .with(TILES, 1.0, 1.1, 0.55)
            .with(STRASSEN, 1.05, 1.1, 0.5)
            .with(ZGEMM, 3, 3, 2);
    assertEquals(PACKED, contest(machine).chosen());
    machine.with(STRASSEN, 1.1, 0.9, 0.45);
    assertEquals(STRASSEN, contest(machine).chosen());
  }

  @Test
  void preferred_losesOnlyByMoreThanTheMargin() {
    Machine machine = new Machine().with(PACKED, 1, 1, 1).with(ZGEMM, 3, 3, 3).with(TILES, 3, 3, 3);
    machine.with(STRASSEN, 0.99, 0.99, 0.99);
    assertEquals(PACKED, contest(machine).chosen());
    machine.with(STRASSEN, 0.97, 0.97, 0.97);
    assertEquals(STRASSEN, contest(machine).chosen());
  }

  @Test
  void bothNumbersOfThreads_countTheSame() {
    Machine machine = new Machine().with(PACKED, 1, 1, 1).with(ZGEMM, 3, 3, 3).with(TILES, 3, 3, 3);
    machine.with(STRASSEN, 1, 0.9, 1.2);
    assertEquals(PACKED, contest(machine).chosen());
    machine.with(STRASSEN, 1, 1.2, 0.7);
    assertEquals(STRASSEN, contest(machine).chosen());
  }

  @Test
  void slownessOfTheMachine_doesNotDecide() {
    Machine machine =
        new Machine()
            .with(PACKED, 1, 1, 1)
            .with(STRASSEN, 1.1, 1.1, 1.1)
            .with(TILES, 1.1, 1.1, 1.1)
            .with(ZGEMM, 3, 3, 3);
    // Every round is slower than the one before, and one measurement of the best is very slow.
    double[] slowness = {1};
    KernelContest contest =
        contest(
            (kernel, load) -> {
              double seconds = machine.seconds(kernel, load);
              int number = machine.finals.size();
              slowness[0] = 1 + Math.floorDiv(number, 3) * 0.5;
              return seconds * slowness[0] * (number == 4 ? 10 : 1);
            });
    assertEquals(PACKED, contest.chosen());
    assertTrue(slowness[0] > 4);
  }

  @Test
  void turns_rotateSoThatEachKernelBeginsSomeRounds() {
    Machine machine =
        new Machine()
            .with(PACKED, 1, 1, 1)
            .with(STRASSEN, 1, 1, 1)
            .with(TILES, 1, 1, 1)
            .with(ZGEMM, 3, 3, 3);
    contest(machine);
    assertEquals(FINALS.size() * ROUNDS * 3, machine.finals.size());
    assertEquals(
        List.of(PACKED, TILES, STRASSEN, TILES, STRASSEN, PACKED, STRASSEN, PACKED, TILES),
        machine.finals.subList(0, 9));
  }

  @Test
  void hopelessKernels_areMeasuredOnce_andThePreferredOneAlwaysInTheEnd() {
    Machine machine =
        new Machine()
            .with(PACKED, 2, 1, 1)
            .with(STRASSEN, 1, 1.2, 1.2)
            .with(TILES, 1.3, 1, 1)
            .with(ZGEMM, 3, 3, 3);
    KernelContest contest = contest(machine);
    assertEquals(PACKED, contest.chosen());
    assertEquals(1, machine.alone.stream().filter(ZGEMM::equals).count());
    assertEquals(3, machine.alone.stream().filter(STRASSEN::equals).count());
    assertNull(contest.seconds(TILES, Load.SHARED));
    assertEquals(1.0, contest.seconds(PACKED, Load.SHARED));
    assertEquals(3.0, contest.seconds(ZGEMM, Load.ALONE));
  }

  @Test
  void kernelWithoutRivals_isChosenWithoutMoreMeasurements() {
    Machine machine =
        new Machine()
            .with(PACKED, 1, 1, 1)
            .with(STRASSEN, 2, 2, 2)
            .with(TILES, 2, 2, 2)
            .with(ZGEMM, 2, 2, 2);
    assertEquals(PACKED, contest(machine).chosen());
    assertTrue(machine.finals.isEmpty());
  }
}
