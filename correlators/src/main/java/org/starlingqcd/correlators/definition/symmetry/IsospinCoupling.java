package org.starlingqcd.correlators.definition.symmetry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hadrons of given isospins coupled from left to right to a total isospin.
 *
 * <p>The component of every partial coupling follows from the components of the hadrons, so that
 * each product of components has one exact coefficient, a product of Clebsch-Gordan coefficients.
 * The sums run from the last coupling to the first, so every branch that is entered can reach the
 * total, and the work is proportional to the number of products found.
 */
public final class IsospinCoupling {
  /**
   * One product of isospin components.
   *
   * @param components twice I3 of every hadron
   * @param coefficient product of the Clebsch-Gordan coefficients, not zero
   */
  public record Component(List<Integer> components, SignedRoot coefficient) {}

  private final int[] hadrons;
  private final int[] coupled;
  private final Map<List<Integer>, SignedRoot> coefficients = new HashMap<>();

  /**
   * A coupling.
   *
   * @param hadrons isospins of the hadrons
   * @param intermediate isospins after every coupling before the last, {@code hadrons.size() - 2}
   *     values (none for one hadron)
   * @param total the total isospin
   * @throws IllegalArgumentException if these isospins do not couple, with the isospins to which
   *     they could
   */
  public IsospinCoupling(
      List<HalfInteger> hadrons, List<HalfInteger> intermediate, HalfInteger total) {
    int n = hadrons.size();
    if (n < 1 || intermediate.size() != Math.max(0, n - 2)) {
      throw new IllegalArgumentException(
          "needs one intermediate isospin per coupling before the last: hadrons="
              + n
              + " intermediate="
              + intermediate.size());
    }
    this.hadrons = hadrons.stream().mapToInt(HalfInteger::twice).toArray();
    coupled = new int[n];
    coupled[0] = this.hadrons[0];
    for (int k = 1; k < n; k++) {
      coupled[k] = (k == n - 1 ? total : intermediate.get(k - 1)).twice();
      if (!ClebschGordan.allowed(coupled[k - 1], this.hadrons[k], coupled[k])) {
        throw new IllegalArgumentException(impossible(k));
      }
    }
    if (coupled[n - 1] != total.twice()) {
      throw new IllegalArgumentException(
          "impossible isospin: the hadron has I = "
              + hadrons.get(0)
              + ", the total is I = "
              + total);
    }
  }

  /** The isospins that two couple to, ascending. */
  public static List<HalfInteger> totals(HalfInteger first, HalfInteger second) {
    List<HalfInteger> totals = new ArrayList<>();
    int least = Math.abs(first.twice() - second.twice());
    for (int j = least; j <= first.twice() + second.twice(); j += 2) {
      totals.add(new HalfInteger(j));
    }
    return totals;
  }

  /**
   * All intermediate isospins with which hadrons couple to a total, as the constructor takes them;
   * none if they do not couple to it.
   */
  public static List<List<HalfInteger>> intermediates(
      List<HalfInteger> hadrons, HalfInteger total) {
    List<List<HalfInteger>> partial = List.of(List.of(hadrons.get(0)));
    for (HalfInteger hadron : hadrons.subList(1, hadrons.size())) {
      List<List<HalfInteger>> longer = new ArrayList<>();
      for (List<HalfInteger> coupled : partial) {
        for (HalfInteger next : totals(coupled.get(coupled.size() - 1), hadron)) {
          List<HalfInteger> more = new ArrayList<>(coupled);
          more.add(next);
          longer.add(more);
        }
      }
      partial = longer;
    }
    return partial.stream()
        .filter(coupled -> coupled.get(coupled.size() - 1).equals(total))
        .map(coupled -> coupled.subList(1, Math.max(1, coupled.size() - 1)))
        .toList();
  }

  private String impossible(int k) {
    int left = coupled[k - 1];
    List<String> possible =
        totals(new HalfInteger(left), new HalfInteger(hadrons[k])).stream()
            .map(HalfInteger::toString)
            .toList();
    return ("impossible isospin: %s with I = %s and hadron %d with I = %s couple to I = %s, not to"
            + " I = %s")
        .formatted(
            k == 1 ? "hadron 1" : "hadrons 1 to " + k,
            new HalfInteger(left),
            k + 1,
            new HalfInteger(hadrons[k]),
            String.join(", ", possible),
            new HalfInteger(coupled[k]));
  }

  /**
   * All products of components with this total I3, last hadron slowest, lowest I3 first.
   *
   * @param limit the largest number of products
   * @throws IllegalArgumentException if there are more
   */
  public List<Component> components(HalfInteger third, int limit) {
    List<Component> found = new ArrayList<>();
    walk(
        hadrons.length - 1,
        third.twice(),
        SignedRoot.ONE,
        new Integer[hadrons.length],
        found,
        limit);
    return found;
  }

  private void walk(
      int last,
      int sum,
      SignedRoot coefficient,
      Integer[] chosen,
      List<Component> found,
      int limit) {
    if (last == 0) {
      if (ClebschGordan.component(hadrons[0], sum)) {
        if (found.size() == limit) {
          throw new IllegalArgumentException(
              "the coupling has more than " + limit + " products of isospin components");
        }
        chosen[0] = sum;
        found.add(new Component(List.of(chosen), coefficient));
      }
      return;
    }
    for (int m = -hadrons[last]; m <= hadrons[last]; m += 2) {
      SignedRoot factor = coefficient(last, sum, m);
      if (factor.sign() != 0) {
        chosen[last] = m;
        walk(last - 1, sum - m, coefficient.times(factor), chosen, found, limit);
      }
    }
  }

  /**
   * The coefficient of the coupling to one hadron; it is cached, because the same few occur again
   * and again.
   */
  private SignedRoot coefficient(int last, int sum, int m) {
    return coefficients.computeIfAbsent(
        List.of(last, sum, m),
        key ->
            ClebschGordan.coefficient(
                coupled[last - 1], sum - m, hadrons[last], m, coupled[last], sum));
  }
}
