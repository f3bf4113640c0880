package org.starlingqcd.memhc.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code cost-aware}: evicts the elements that the plan of the whole queue lets go before their
 * next use ({@link Residency#plannedToStay}); the plan minimizes the bytes moved, with sizes and
 * write-backs. Among these elements it takes the one with the largest {@code bytes · distance /
 * cost}: the distance to the next use in steps, and {@link Residency#evictionCost}. So elements
 * that are used soon and expensive to bring back have the best chance to stay after all. Dead
 * elements go first, and elements that are planned to stay go last, by the same measure. Without a
 * schedule it is {@code lru} within each cost.
 *
 * <p>Elements with the same ratio of bytes to cost keep their order as time goes by. So there is
 * one heap for each ratio, separately for elements that are planned to stay, and a choice compares
 * the tops of the heaps.
 */
public final class CostAware extends OpenedPolicy {
  /** Elements of one ratio of bytes to cost, all planned to stay or none. */
  private record Rank(double bytesPerCost, boolean stays, RankedElements elements) {}

  private final List<Rank> ranks = new ArrayList<>();
  private int[] rankOf = new int[16];

  @Override
  public String name() {
    return "cost-aware";
  }

  @Override
  public boolean plansAhead() {
    return true;
  }

  @Override
  public void inserted(int element) {
    if (element >= rankOf.length) {
      rankOf = Arrays.copyOf(rankOf, Math.max(element + 1, 2 * rankOf.length));
    }
    int found = rankFor(element);
    rankOf[element] = found;
    ranks.get(found).elements().put(element, residency().nextUse(element));
  }

  @Override
  public void accessed(int element) {
    removed(element, false);
    inserted(element);
  }

  @Override
  public void removed(int element, boolean evicted) {
    ranks.get(rankOf[element]).elements().remove(element);
  }

  @Override
  public void rescheduled() {
    List<Integer> all = new ArrayList<>();
    for (Rank rank : ranks) {
      for (int k = 0; k < rank.elements().size(); k++) {
        all.add(rank.elements().get(k));
      }
    }
    all.sort(null);
    all.forEach(this::accessed);
  }

  /** Brings in what the plan keeps until its next use: only that saves more than it moves. */
  @Override
  public boolean admits(int element, int usesLeft) {
    return residency().plannedToStay(element);
  }

  @Override
  public int victim() {
    int leaving = victim(false);
    return leaving >= 0 ? leaving : victim(true);
  }

  private int victim(boolean stays) {
    int best = -1;
    double bestWorth = Double.NEGATIVE_INFINITY;
    for (Rank rank : ranks) {
      int candidate = rank.stays() == stays ? rank.elements().firstEvictable(residency()) : -1;
      if (candidate >= 0) {
        double distance = residency().nextUse(candidate) - residency().clock() + 1.0;
        double worth = distance * rank.bytesPerCost();
        if (worth > bestWorth) {
          bestWorth = worth;
          best = candidate;
        }
      }
    }
    return best;
  }

  private int rankFor(int element) {
    boolean stays = residency().plannedToStay(element);
    double ratio =
        residency().bytes(element) / (double) Math.max(1, residency().evictionCost(element));
    for (int r = 0; r < ranks.size(); r++) {
      if (ranks.get(r).bytesPerCost() == ratio && ranks.get(r).stays() == stays) {
        return r;
      }
    }
    ranks.add(new Rank(ratio, stays, new RankedElements(true)));
    return ranks.size() - 1;
  }
}
