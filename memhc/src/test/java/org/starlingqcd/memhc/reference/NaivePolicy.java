package org.starlingqcd.memhc.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/** The element that leaves when there is no room, from all elements that are there. */
abstract class NaivePolicy {
  /** What a policy may know of a cache. */
  interface View {
    boolean mayLeave(int element);

    int nextUse(int element);

    int step();

    long bytes(int element);

    /** Bytes that move if an element leaves and comes back; 0 if it is not used again. */
    long cost(int element);

    boolean stays(int element);
  }

  static final int NONE = -1;

  /** Elements that are there; what each means is the policy's. */
  final List<Integer> order = new ArrayList<>();

  abstract void inserted(int element);

  abstract void accessed(int element);

  abstract int victim();

  /** The element that leaves for another one. */
  int victimFor(int element) {
    return victim();
  }

  void removed(int element, boolean evicted) {
    order.remove((Integer) element);
  }

  void beginVector(List<Integer> elements) {}

  static int first(List<Integer> elements, IntPredicate condition) {
    return elements.stream().filter(condition::test).findFirst().orElse(NONE);
  }

  static NaivePolicy of(String name, View view, long seed) {
    return switch (name) {
      case "fifo" -> new Recency(view, false, false);
      case "lru" -> new Recency(view, true, false);
      case "mru" -> new Recency(view, true, true);
      case "random" -> new Drawn(view, seed);
      case "lfu" -> new Ranked(view, true);
      case "furthest-next-use" -> new Ranked(view, false);
      case "pre-protected-lru" -> new Protected(view);
      case "cost-aware" -> new Cost(view);
      case "car" -> new Adaptive(view);
      case "clock-pro" -> new Clock(view);
      case "first-unused" -> new FirstOfSize(view);
      default -> throw new IllegalArgumentException("no naive policy: " + name);
    };
  }

  /** The first of equal size in places that are filled again, the last to fall empty first. */
  private static final class FirstOfSize extends NaivePolicy {
    private final View view;
    private final List<Integer> holes = new ArrayList<>();

    FirstOfSize(View view) {
      this.view = view;
    }

    @Override
    void inserted(int element) {
      if (holes.isEmpty()) {
        order.add(element);
      } else {
        order.set(holes.remove(holes.size() - 1), element);
      }
    }

    @Override
    void accessed(int element) {}

    @Override
    void removed(int element, boolean evicted) {
      holes.add(order.indexOf(element));
      order.set(order.indexOf(element), NONE);
    }

    @Override
    int victim() {
      return first(order, element -> element != NONE && view.mayLeave(element));
    }

    @Override
    int victimFor(int element) {
      int equal =
          first(
              order,
              other ->
                  other != NONE
                      && view.bytes(other) == view.bytes(element)
                      && view.mayLeave(other));
      return equal == NONE ? victim() : equal;
    }
  }

  /** The order of insertions, or of look-ups, oldest first. */
  private static class Recency extends NaivePolicy {
    final View view;
    private final boolean byUse;
    private final boolean newestFirst;

    Recency(View view, boolean byUse, boolean newestFirst) {
      this.view = view;
      this.byUse = byUse;
      this.newestFirst = newestFirst;
    }

    @Override
    void inserted(int element) {
      order.add(element);
    }

    @Override
    void accessed(int element) {
      if (byUse) {
        order.remove((Integer) element);
        order.add(element);
      }
    }

    @Override
    int victim() {
      List<Integer> candidates = new ArrayList<>(order);
      if (newestFirst) {
        Collections.reverse(candidates);
      }
      return first(candidates, view::mayLeave);
    }
  }

  /** Flagged elements of the running vector get a second chance, once. */
  private static final class Protected extends Recency {
    private List<Integer> vector = List.of();
    private final Set<Integer> flagged = new HashSet<>();

    Protected(View view) {
      super(view, true, false);
    }

    @Override
    void beginVector(List<Integer> elements) {
      vector = elements;
      flagged.clear();
    }

    @Override
    void removed(int element, boolean evicted) {
      super.removed(element, evicted);
      flagged.remove(element);
    }

    @Override
    int victim() {
      vector.stream().filter(order::contains).forEach(flagged::add);
      int at = 0;
      for (int left = 2 * order.size(); left > 0 && at < order.size(); left--) {
        int element = order.get(at);
        if (!view.mayLeave(element)) {
          at++;
        } else if (!flagged.remove(element)) {
          return element;
        } else {
          accessed(element);
          at = at == order.size() - 1 ? 0 : at;
        }
      }
      return super.victim();
    }
  }

  /** Any element; the last one takes the place of one that goes. */
  private static final class Drawn extends NaivePolicy {
    private static final int DRAWS = 32;
    private final View view;
    private final SplittableRandom random;

    Drawn(View view, long seed) {
      this.view = view;
      random = new SplittableRandom(seed);
    }

    @Override
    void inserted(int element) {
      order.add(element);
    }

    @Override
    void accessed(int element) {}

    @Override
    void removed(int element, boolean evicted) {
      int last = order.remove(order.size() - 1);
      if (last != element) {
        order.set(order.indexOf(element), last);
      }
    }

    @Override
    int victim() {
      if (order.isEmpty()) {
        return NONE;
      }
      int at = 0;
      for (int draw = 0; draw < DRAWS; draw++) {
        at = random.nextInt(order.size());
        if (view.mayLeave(order.get(at))) {
          return order.get(at);
        }
      }
      List<Integer> turned = new ArrayList<>(order.subList(at, order.size()));
      turned.addAll(order.subList(0, at));
      return first(turned, view::mayLeave);
    }
  }

  /** Fewest look-ups, or furthest next use; of equals the one that was looked up first. */
  private static final class Ranked extends NaivePolicy {
    private final View view;
    private final boolean byCount;
    private final Map<Integer, Integer> rank = new HashMap<>();

    Ranked(View view, boolean byCount) {
      this.view = view;
      this.byCount = byCount;
    }

    @Override
    void inserted(int element) {
      order.add(element);
      rank.put(element, byCount ? -1 : view.nextUse(element));
    }

    @Override
    void accessed(int element) {
      int count = rank.get(element);
      order.remove((Integer) element);
      inserted(element);
      if (byCount) {
        rank.put(element, count - 1);
      }
    }

    @Override
    int victim() {
      List<Integer> candidates = new ArrayList<>(order);
      candidates.sort(Comparator.comparing(element -> -rank.get(element)));
      return first(candidates, view::mayLeave);
    }
  }

  /** Largest bytes × distance / cost, elements that are planned to stay last. */
  private static final class Cost extends NaivePolicy {
    private record Kind(double ratio, boolean stays) {}

    private final View view;

    /** In the order of appearance, which decides between equals. */
    private final List<Kind> kinds = new ArrayList<>();

    private final Map<Integer, Kind> kindOf = new HashMap<>();
    private final Map<Integer, Integer> nextUse = new HashMap<>();

    Cost(View view) {
      this.view = view;
    }

    @Override
    void inserted(int element) {
      order.add(element);
      double ratio = view.bytes(element) / (double) Math.max(1, view.cost(element));
      Kind kind = new Kind(ratio, view.stays(element));
      if (!kinds.contains(kind)) {
        kinds.add(kind);
      }
      kindOf.put(element, kind);
      nextUse.put(element, view.nextUse(element));
    }

    @Override
    void accessed(int element) {
      order.remove((Integer) element);
      inserted(element);
    }

    @Override
    int victim() {
      int leaving = victim(false);
      return leaving == NONE ? victim(true) : leaving;
    }

    private int victim(boolean stays) {
      int best = NONE;
      double most = Double.NEGATIVE_INFINITY;
      for (Kind kind : kinds) {
        List<Integer> same = new ArrayList<>(order);
        same.removeIf(element -> !kindOf.get(element).equals(kind));
        same.sort(Comparator.comparing(element -> -(long) nextUse.get(element)));
        int furthest = kind.stays() == stays ? first(same, view::mayLeave) : NONE;
        if (furthest != NONE) {
          double worth = (view.nextUse(furthest) - view.step() + 1.0) * kind.ratio();
          if (worth > most) {
            most = worth;
            best = furthest;
          }
        }
      }
      return best;
    }
  }

  /** CAR, after the figure in the paper of Bansal and Modha. */
  private static final class Adaptive extends NaivePolicy {
    private final View view;
    private final List<Integer> recent = new ArrayList<>();
    private final List<Integer> frequent = new ArrayList<>();
    private final List<Integer> leftRecent = new ArrayList<>();
    private final List<Integer> leftFrequent = new ArrayList<>();
    private final Set<Integer> marked = new HashSet<>();
    private int target;
    private int pages = 1;

    Adaptive(View view) {
      this.view = view;
    }

    @Override
    void inserted(int element) {
      marked.remove(element);
      if (leftRecent.contains(element)) {
        target = Math.min(target + Math.max(1, leftFrequent.size() / leftRecent.size()), pages);
        leftRecent.remove((Integer) element);
        frequent.add(element);
      } else if (leftFrequent.contains(element)) {
        target = Math.max(target - Math.max(1, leftRecent.size() / leftFrequent.size()), 0);
        leftFrequent.remove((Integer) element);
        frequent.add(element);
      } else {
        int all = recent.size() + frequent.size() + leftRecent.size() + leftFrequent.size();
        if (!leftRecent.isEmpty() && recent.size() + leftRecent.size() >= pages) {
          leftRecent.remove(0);
        } else if (!leftFrequent.isEmpty() && all >= 2 * pages) {
          leftFrequent.remove(0);
        }
        recent.add(element);
      }
    }

    @Override
    void accessed(int element) {
      marked.add(element);
    }

    @Override
    void removed(int element, boolean evicted) {
      boolean once = recent.remove((Integer) element);
      frequent.remove((Integer) element);
      marked.remove(element);
      if (evicted) {
        (once ? leftRecent : leftFrequent).add(element);
      }
    }

    @Override
    int victim() {
      if (recent.isEmpty() && frequent.isEmpty()) {
        return NONE;
      }
      pages = recent.size() + frequent.size();
      target = Math.min(target, pages);
      for (int left = 3 * pages; left > 0; left--) {
        List<Integer> clock =
            recent.size() >= Math.max(1, target) || frequent.isEmpty() ? recent : frequent;
        int element = clock.get(0);
        if (!view.mayLeave(element)) {
          clock.add(clock.remove(0));
        } else if (marked.remove(element)) {
          frequent.add(clock.remove(0));
        } else {
          return element;
        }
      }
      List<Integer> all = new ArrayList<>(recent);
      all.addAll(frequent);
      return first(all, view::mayLeave);
    }
  }

  /** CLOCK-Pro: one circle of hot, cold and departed elements with three hands. */
  private static final class Clock extends NaivePolicy {
    private enum State {
      HOT,
      COLD,
      DEPARTED
    }

    private final View view;
    private final List<Integer> circle = new ArrayList<>();
    private final Map<Integer, State> states = new HashMap<>();
    private final Set<Integer> marked = new HashSet<>();
    private final Set<Integer> tested = new HashSet<>();
    private int hotHand = NONE;
    private int coldHand = NONE;
    private int testHand = NONE;
    private int coldTarget = 1;
    private int pages = 1;

    Clock(View view) {
      this.view = view;
    }

    private int count(State state) {
      return (int) states.values().stream().filter(state::equals).count();
    }

    private int after(int element) {
      return circle.get((circle.indexOf(element) + 1) % circle.size());
    }

    private void put(int element, State state) {
      states.put(element, state);
      if (circle.isEmpty()) {
        circle.add(element);
        hotHand = element;
        coldHand = element;
        testHand = element;
      } else {
        circle.add(circle.indexOf(hotHand), element);
      }
    }

    private void take(int element) {
      int next = circle.size() == 1 ? NONE : after(element);
      circle.remove((Integer) element);
      states.remove(element);
      tested.remove(element);
      hotHand = hotHand == element ? next : hotHand;
      coldHand = coldHand == element ? next : coldHand;
      testHand = testHand == element ? next : testHand;
    }

    @Override
    void inserted(int element) {
      if (states.get(element) == State.DEPARTED) {
        coldTarget = Math.min(coldTarget + 1, pages);
        take(element);
        put(element, State.HOT);
        cool();
      } else {
        put(element, State.COLD);
        tested.add(element);
      }
      marked.remove(element);
    }

    @Override
    void accessed(int element) {
      marked.add(element);
    }

    @Override
    void removed(int element, boolean evicted) {
      if (!evicted || states.get(element) != State.COLD || !tested.contains(element)) {
        take(element);
        return;
      }
      states.put(element, State.DEPARTED);
      while (count(State.DEPARTED) > pages) {
        int passed = testHand;
        testHand = after(testHand);
        endTest(passed);
      }
    }

    private void endTest(int element) {
      if (states.get(element) == State.HOT || !tested.remove(element)) {
        return;
      }
      if (states.get(element) == State.DEPARTED) {
        take(element);
        coldTarget = Math.max(coldTarget - 1, 1);
      }
    }

    private void cool() {
      int most = Math.max(0, pages - coldTarget);
      for (int left = 2 * circle.size(); left > 0 && count(State.HOT) > most; left--) {
        int element = hotHand;
        hotHand = after(hotHand);
        if (states.get(element) != State.HOT) {
          endTest(element);
        } else if (!marked.remove(element)) {
          states.put(element, State.COLD);
          tested.remove(element);
        }
      }
    }

    @Override
    int victim() {
      int here = count(State.HOT) + count(State.COLD);
      if (here == 0) {
        return NONE;
      }
      pages = here;
      coldTarget = Math.min(coldTarget, pages);
      cool();
      for (int left = 2 * circle.size(); left > 0 && count(State.COLD) > 0; left--) {
        int element = coldHand;
        coldHand = after(coldHand);
        if (states.get(element) != State.COLD || !view.mayLeave(element)) {
          continue;
        }
        if (!marked.remove(element)) {
          return element;
        }
        boolean promoted = tested.contains(element);
        take(element);
        put(element, promoted ? State.HOT : State.COLD);
        if (!promoted) {
          tested.add(element);
        }
        cool();
      }
      int from = circle.indexOf(hotHand);
      List<Integer> turned = new ArrayList<>(circle.subList(from, circle.size()));
      turned.addAll(circle.subList(0, from));
      return first(turned, e -> states.get(e) != State.DEPARTED && view.mayLeave(e));
    }
  }
}
