package org.starlingqcd.memhc.retention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starlingqcd.memhc.access.AccessQueue;

/** The plan of what stays, and the trees it is made with, against naive references. */
final class RetentionTest {
  private static final int INPUTS = 6;

  /** Random contractions of a few elements of sizes 1 to 4. */
  private static UseIntervals random(long seed, int steps, long budget) {
    Random random = new Random(seed);
    AccessQueue.Builder builder = AccessQueue.builder();
    for (int step = 0; step < steps; step++) {
      int known = INPUTS + step;
      int recent = Math.max(0, known - 8);
      builder.step(
          new int[] {random.nextInt(known), recent + random.nextInt(known - recent)},
          new int[] {INPUTS + step});
    }
    return new UseIntervals(
        element -> 1 + element % 4, element -> element < INPUTS, builder.build(), budget);
  }

  private static long bytes(UseIntervals uses, int interval) {
    return uses.bytes[uses.elementOf[interval]];
  }

  /** What moves under a choice; -1 when a step has no room for it. */
  private static long moved(UseIntervals uses, boolean[] stays) {
    for (int step = 0; step < uses.steps(); step++) {
      long used = 0;
      for (int k = 0; k < uses.count(); k++) {
        used += stays[k] && uses.from[k] < step && step < uses.to[k] ? bytes(uses, k) : 0;
      }
      if (used > uses.room[step]) {
        return -1;
      }
    }
    long sum = 0;
    BitSet written = new BitSet();
    for (int k = 0; k < uses.count(); k++) {
      if (!stays[k]) {
        sum += bytes(uses, k);
        if (uses.dirty[uses.elementOf[k]] && !written.get(uses.elementOf[k])) {
          written.set(uses.elementOf[k]);
          sum += bytes(uses, k);
        }
      }
    }
    return sum;
  }

  /** The plan by interval. */
  private static boolean[] plan(UseIntervals uses) {
    RetentionPlan plan = RetentionSearch.plan(uses, 0, 4_000_000);
    boolean[] stays = new boolean[uses.count()];
    for (int k = 0; k < stays.length; k++) {
      for (int a = uses.queue.firstAccess(uses.from[k]);
          a < uses.queue.firstAccess(uses.from[k] + 1);
          a++) {
        stays[k] |= uses.queue.element(a) == uses.elementOf[k] && plan.stays(a);
      }
    }
    return stays;
  }

  @Test
  void plan_smallQueues_nearTheBestOfAllChoices() {
    long planned = 0;
    long optimum = 0;
    for (int seed = 1; seed <= 150; seed++) {
      UseIntervals uses = random(seed, 9, 14);
      List<Integer> free = new ArrayList<>();
      boolean[] stays = new boolean[uses.count()];
      for (int k = 0; k < uses.count(); k++) {
        if (uses.to[k] > uses.from[k] + 1) {
          free.add(k);
        } else {
          stays[k] = true;
        }
      }
      long best = Long.MAX_VALUE;
      for (int choice = 0; choice < 1 << free.size(); choice++) {
        for (int f = 0; f < free.size(); f++) {
          stays[free.get(f)] = (choice >> f & 1) != 0;
        }
        long moved = moved(uses, stays);
        best = moved >= 0 ? Math.min(best, moved) : best;
      }
      long found = moved(uses, plan(uses));
      assertTrue(found >= best, "seed " + seed + ": the plan has no room");
      planned += found;
      optimum += best;
    }
    assertTrue(optimum > 150, "something has to move: " + optimum);
    assertTrue(planned <= 1.01 * optimum, planned + " against " + optimum);
  }

  @Test
  void plan_longQueues_fitsAndIsNearTheBound() {
    for (int seed = 1; seed <= 5; seed++) {
      UseIntervals uses = random(seed, 600, 60);
      long found = moved(uses, plan(uses));
      double bound = new IntervalRelaxation(uses).bound();
      assertTrue(found >= bound, "seed " + seed + ": the plan has no room");
      assertTrue(found <= 1.05 * bound, "seed " + seed + ": " + found + " against " + bound);
    }
  }

  @Test
  void plan_roomForAll_everythingStays() {
    UseIntervals uses = random(3, 50, 1000);
    assertEquals(0, moved(uses, plan(uses)));
  }

  @Test
  void retention_countsWhatMoves() {
    UseIntervals uses = random(4, 40, 30);
    Retention retention = new Retention(uses, new Remakes(uses, 0));
    boolean[] stays = new boolean[uses.count()];
    for (int k = 0; k < stays.length; k++) {
      stays[k] = !retention.takesRoom(k);
    }
    Random random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      int k = random.nextInt(uses.count());
      if (!retention.takesRoom(k)) {
        continue;
      }
      if (stays[k]) {
        long before = retention.cost();
        long cost = retention.costOfLeaving(k);
        retention.letGo(k);
        assertEquals(before + cost, retention.cost());
        stays[k] = false;
      } else if (retention.fits(k)) {
        retention.keep(k);
        stays[k] = true;
      }
      assertEquals(moved(uses, stays), retention.cost());
    }
  }

  @Test
  void roomTree_randomCalls_asAnArray() {
    UseIntervals uses = random(7, 37, 30);
    RoomTree tree = new RoomTree(uses);
    long[] room = new long[uses.steps()];
    for (int step = 0; step < room.length; step++) {
      room[step] = uses.room[step];
    }
    Random random = new Random(2);
    for (int round = 0; round < 3000; round++) {
      int from = random.nextInt(room.length);
      int to = from + 1 + random.nextInt(room.length - from);
      long bytes = random.nextInt(41) - 20L;
      tree.take(from, to, bytes);
      for (int step = from; step < to; step++) {
        room[step] -= bytes;
      }
      from = random.nextInt(room.length);
      to = from + 1 + random.nextInt(room.length - from);
      int first = -1;
      int last = -1;
      int scarcest = from;
      for (int step = from; step < to; step++) {
        first = first < 0 && room[step] < 0 ? step : first;
        last = room[step] < 0 ? step : last;
        scarcest = room[step] < room[scarcest] ? step : scarcest;
      }
      assertEquals(first, tree.firstOverdrawn(from, to));
      assertEquals(last, tree.lastOverdrawn(from, to));
      assertEquals(scarcest, tree.scarcest(from, to));
      assertEquals(room[scarcest], tree.least(from, to));
    }
  }

  @Test
  void intervalIndex_findsWhatTakesRoom() {
    UseIntervals uses = random(9, 60, 30);
    IntervalIndex index = new IntervalIndex(uses);
    for (int begin = 0; begin < uses.steps(); begin++) {
      for (int end = begin + 1; end <= uses.steps(); end++) {
        List<Integer> found = new ArrayList<>();
        index.forEachMeeting(begin, end, found::add);
        List<Integer> expected = new ArrayList<>();
        for (int k = 0; k < uses.count(); k++) {
          if (uses.to[k] > uses.from[k] + 1 && uses.from[k] + 1 < end && uses.to[k] > begin) {
            expected.add(k);
          }
        }
        found.removeIf(k -> uses.to[k] == uses.from[k] + 1);
        found.sort(null);
        assertEquals(expected, found, begin + " to " + end);
      }
    }
  }
}
