package org.starlingqcd.correlators.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.wick.ContractionCount;

class PlanningWatchTest {
  @TempDir private Path folder;

  private List<Definition> pions(int count) throws Exception {
    Path file = folder.resolve("pions" + count + ".yaml");
    Files.writeString(
        file,
        "name: pions\nmomentum: [0, 0, 0]\noperators:\n  - name: o\n    terms:\n"
            + "      - coefficient: 1\n        mesons:\n"
            + "          - {bar: d, gamma: g5, quark: u, momentum: [0, 0, 0]}\n".repeat(count));
    return new DefinitionLoader().loadAll(List.of(file.toString()));
  }

  private static double count(List<Definition> definitions) {
    return ContractionCount.of(definitions.stream().map(Definition::toCorrelationMatrix).toList());
  }

  @Test
  void theNumberOfContractionsIsKnownBeforehand() throws Exception {
    // Quark and antiquark fields of u and of d are joined in count! ways each.
    assertEquals(1, count(pions(1)));
    assertEquals(36, count(pions(3)));
    assertEquals(40320.0 * 40320.0, count(pions(8)));
    // ω = (ūu + d̄d)/√2: like terms join in two ways, unlike ones in one, and a one-point function.
    Path omega = folder.resolve("omega.yaml");
    Files.writeString(
        omega,
        """
        name: omega
        momentum: [0, 0, 0]
        vev: true
        operators:
          - name: o
            terms:
              - coefficient: 1
                mesons:
                  - {bar: u, gamma: g3, quark: u, momentum: [0, 0, 0]}
              - coefficient: 1
                mesons:
                  - {bar: d, gamma: g3, quark: d, momentum: [0, 0, 0]}
        """);
    assertEquals(
        2 + 2 + 1 + 1 + 2, count(new DefinitionLoader().loadAll(List.of(omega.toString()))));
  }

  @Test
  void planningThatTakesLongSaysHowMuchThereIsAndStopsAtOnce() throws Exception {
    List<String> messages = new ArrayList<>();
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean stop = new AtomicBoolean();
    PlanningWatch watch =
        new PlanningWatch(
            message -> {
              messages.add(message);
              stop.set(true);
            },
            stop::get);
    assertThrows(
        CancellationException.class,
        () ->
            watch.plan(
                pions(8),
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return 0;
                }));
    assertEquals(List.of("planning: 1.63e+09 contractions of quark fields to merge"), messages);
    never.countDown();
  }

  @Test
  void planningOfAFewContractionsThatTakesLongSaysThatItGoesOn() throws Exception {
    CountDownLatch said = new CountDownLatch(2);
    PlanningWatch watch =
        new PlanningWatch(
            message -> {
              assertEquals("still planning, for 0 s", message);
              said.countDown();
            },
            () -> false,
            1);
    List<Definition> few = pions(2);
    assertEquals(
        true,
        watch.plan(
            few,
            () -> {
              try {
                return said.await(1, TimeUnit.MINUTES);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }));
  }

  @Test
  void aPlanAndAFailureArePassedOn() throws Exception {
    PlanningWatch watch =
        new PlanningWatch(
            message -> {
              throw new AssertionError(message);
            },
            () -> false);
    assertEquals(7, watch.plan(pions(2), () -> 7));
    assertThrows(
        IllegalStateException.class,
        () ->
            watch.plan(
                pions(2),
                () -> {
                  throw new IllegalStateException("failed");
                }));
  }
}
