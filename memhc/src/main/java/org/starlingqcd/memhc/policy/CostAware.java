package org.starlingqcd.memhc.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.EvictionPolicy;
import org.starlingqcd.memhc.Residency;

/**
 * {@code cost-aware}: evicts the element whose room is worth most for each byte that moves because
 * of it: the largest {@code bytes · pressure / cost}. The pressure is the distance of the next use
 * with every step weighed by how short memory is at it ({@link Residency#pressureUntilNextUse}), so
 * that what stays over a stretch where there is room costs nothing. The cost is the way back, the
 * way to the host if there is no copy, or recomputing it, whichever is cheaper ({@link
 * Residency#evictionCost}). What is dead goes first. Without a schedule it is {@code lru} within
 * each cost.
 *
 * <p>Elements whose ratio of bytes to cost is equal keep their order as time goes by, so there is
 * one heap for each ratio (clean, dirty, and those of recomputation) and a choice compares their
 * tops.
 */
public final class CostAware implements EvictionPolicy {
  private final List<RankedElements> classes = new ArrayList<>();
  private double[] bytesPerCost = new double[4];
  private int[] classOf = new int[16];
  private @Nullable Residency residency;

  @Override
  public String name() {
    return "cost-aware";
  }

  @Override
  public void open(Residency newResidency, long seed) {
    residency = newResidency;
  }

  private Residency residency() {
    if (residency == null) {
      throw new IllegalStateException("policy cost-aware is not open");
    }
    return residency;
  }

  @Override
  public void inserted(int element) {
    if (element >= classOf.length) {
      classOf = Arrays.copyOf(classOf, Math.max(element + 1, 2 * classOf.length));
    }
    int found = classFor(element);
    classOf[element] = found;
    classes.get(found).put(element, residency().nextUse(element));
  }

  @Override
  public void accessed(int element) {
    removed(element, false);
    inserted(element);
  }

  @Override
  public void removed(int element, boolean evicted) {
    classes.get(classOf[element]).remove(element);
  }

  @Override
  public void rescheduled() {
    List<Integer> all = new ArrayList<>();
    for (RankedElements ranked : classes) {
      for (int k = 0; k < ranked.size(); k++) {
        all.add(ranked.get(k));
      }
    }
    all.sort(null);
    all.forEach(this::accessed);
  }

  @Override
  public int victim() {
    Residency known = residency();
    int best = -1;
    double bestWorth = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < classes.size(); c++) {
      int candidate = classes.get(c).firstEvictable(known);
      if (candidate >= 0) {
        double worth = known.pressureUntilNextUse(candidate) * bytesPerCost[c];
        if (worth > bestWorth) {
          bestWorth = worth;
          best = candidate;
        }
      }
    }
    return best;
  }

  private int classFor(int element) {
    double ratio =
        residency().bytes(element) / (double) Math.max(1, residency().evictionCost(element));
    for (int c = 0; c < classes.size(); c++) {
      if (bytesPerCost[c] == ratio) {
        return c;
      }
    }
    if (classes.size() == bytesPerCost.length) {
      bytesPerCost = Arrays.copyOf(bytesPerCost, 2 * bytesPerCost.length);
    }
    bytesPerCost[classes.size()] = ratio;
    classes.add(new RankedElements());
    return classes.size() - 1;
  }
}
