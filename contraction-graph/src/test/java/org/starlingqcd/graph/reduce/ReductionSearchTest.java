package org.starlingqcd.graph.reduce;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.PlanCheck;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.schedule.QueueOptions;

/** The heuristics against the exact solver and the naive evaluation on small random diagrams. */
@Tag("slow")
class ReductionSearchTest {
  private static final int CASES = 25;
  private static final String[] LABELS = {"light", "strange"};
  private static final int[] GAMMAS = {0, 15, 4, 11};

  /** A few random cycles of two letters and more, some repeated with other ends, in two outputs. */
  private static DiagramSet random(Random random, int longest) {
    DiagramSet set = new DiagramSet();
    Operator operator = new Operator("o", List.of());
    set.addMatrix(new CorrelationMatrix("random", List.of(operator), Map.of("u", "light"), true));
    List<Integer> cycles = new ArrayList<>();
    for (int k = 0; k < 5; k++) {
      int n = 2 + random.nextInt(longest - 1);
      TimeSlot[] times = new TimeSlot[n];
      for (int j = 0; j < n; j++) {
        times[j] = random.nextBoolean() ? TimeSlot.SINK : TimeSlot.SOURCE;
      }
      String label = LABELS[random.nextInt(2)];
      int[] letters = new int[n];
      for (int j = 0; j < n; j++) {
        boolean displaced = random.nextInt(4) == 0;
        ElementalRef phi =
            ElementalRef.of(
                displaced ? "nabla_x" : "none",
                new Momentum(random.nextInt(2), 0, 0),
                random.nextBoolean());
        letters[j] =
            16 * set.node(new NodeRef(phi, times[j], label, times[(j + 1) % n]))
                + GAMMAS[random.nextInt(GAMMAS.length)];
      }
      cycles.add(set.cycle(letters));
    }
    for (int d = 0; d < 6; d++) {
      int[] of =
          random.nextInt(3) == 0
              ? new int[] {cycles.get(random.nextInt(5)), cycles.get(random.nextInt(5))}
              : new int[] {cycles.get(random.nextInt(5))};
      set.add(0, 0, 0, set.diagram(of), new Complex(1 + random.nextInt(3), random.nextInt(2)));
    }
    return set;
  }

  @Test
  void reduce_randomDiagrams_agreesWithNaiveEvaluation() {
    for (int seed = 0; seed < CASES; seed++) {
      DiagramSet set = random(new Random(seed), 5);
      for (boolean search : new boolean[] {false, true}) {
        for (Set<String> without : List.of(Set.<String>of(), Set.of("strange"))) {
          ReducerOptions options =
              new ReducerOptions(Set.of(), without, false, search ? 500 : 0, seed);
          new PlanCheck(set, without).check(Reducer.reduce(set, options), new QueueOptions(2));
        }
      }
    }
  }

  @Test
  void improve_randomDiagrams_isBetweenBoundsAndFindsTheOptimum() {
    int greedyExcess = 0;
    int searchedExcess = 0;
    int optimal = 0;
    for (int seed = 0; seed < CASES; seed++) {
      DiagramSet set = random(new Random(seed), 4);
      Set<Optimization> separate = Set.of(Optimization.ACCUMULATION);
      ReducerOptions plain = new ReducerOptions(separate, Set.of(), false, 0, seed);
      ReducerOptions search = new ReducerOptions(separate, Set.of(), false, 5000, seed);
      int greedy = Reducer.reduce(set, plain).products().size();
      int searched = Reducer.reduce(set, search).products().size();
      CycleClasses classes =
          new CycleClasses(set, CycleClasses.used(set, OutputSum.of(set)), plain);
      int exact = ExactReduction.products(classes, greedy);
      assertTrue(exact <= searched, "exact=" + exact + " searched=" + searched);
      assertTrue(SharingBound.products(set, plain) <= exact, "seed=" + seed);
      greedyExcess += greedy - exact;
      searchedExcess += searched - exact;
      optimal += searched == exact ? 1 : 0;
    }
    assertTrue(searchedExcess <= greedyExcess);
    assertTrue(optimal >= CASES - 2, "optimal=" + optimal);
  }
}
