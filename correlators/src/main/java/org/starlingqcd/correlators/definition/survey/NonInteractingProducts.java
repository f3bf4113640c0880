package org.starlingqcd.correlators.definition.survey;

import com.google.common.collect.Comparators;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.graph.Momentum;

/**
 * Products of two and three hadrons of given masses, without interaction, below an energy: {@code E
 * = Σ √(m² + (2πn/L)²)} in lattice units.
 *
 * <p>Products that the little group of the total momentum, or the exchange of hadrons of one name,
 * takes into each other count as one. Its representative has its momenta along positive axes, z
 * first.
 */
final class NonInteractingProducts {
  /** More products than anyone would put into a definition. */
  private static final int MAX_PRODUCTS = 2_000;

  private static final Comparator<Momentum> MOMENTA =
      Comparator.<Momentum>comparingInt(n -> Math.abs(n.x()))
          .thenComparingInt(n -> Math.abs(n.y()))
          .thenComparingInt(n -> Math.abs(n.z()))
          .thenComparing(Comparator.reverseOrder());

  private static final Comparator<Iterable<Momentum>> ORDER = Comparators.lexicographical(MOMENTA);

  private final HadronNames hadronNames;
  private final Momentum total;
  private final double unit;
  private final double below;
  private final List<CubicRotation> elements;
  private final List<Product> found = new ArrayList<>();
  private final Set<List<Momentum>> seen = new HashSet<>();

  /** A product of hadrons in their first spin states, and its energy. */
  record Product(List<HadronFactor> hadrons, double energy) {}

  private NonInteractingProducts(
      HadronNames hadronNames, Momentum total, int extent, double below) {
    this.hadronNames = hadronNames;
    this.total = total;
    this.below = below;
    unit = 2 * Math.PI / extent;
    elements = LittleGroup.of(total).elements();
  }

  /**
   * The products, by ascending energy.
   *
   * @param hadronNames the hadrons that are known
   * @param masses by the names of hadrons
   * @param oddBaryons whether the number of baryons is odd
   * @param extent L
   * @throws InputException for unknown names and for too many products
   */
  static List<Product> of(
      HadronNames hadronNames,
      Map<String, Double> masses,
      boolean oddBaryons,
      Momentum total,
      int extent,
      double below) {
    NonInteractingProducts products = new NonInteractingProducts(hadronNames, total, extent, below);
    Map<String, HadronFactor> known = new LinkedHashMap<>();
    masses
        .keySet()
        .forEach(name -> known.put(name, HadronText.hadron(name, Momentum.ZERO, hadronNames)));
    List<String> names = new ArrayList<>(known.keySet());
    // Baryons before mesons; the sort keeps the order of the others.
    names.sort(Comparator.comparing(name -> !isBaryon(known, name)));
    for (int a = 0; a < names.size(); a++) {
      for (int b = a; b < names.size(); b++) {
        products.add(List.of(names.get(a), names.get(b)), known, masses, oddBaryons);
        for (int c = b; c < names.size(); c++) {
          products.add(
              List.of(names.get(a), names.get(b), names.get(c)), known, masses, oddBaryons);
        }
      }
    }
    products.found.sort(Comparator.comparingDouble(Product::energy));
    return products.found;
  }

  private static boolean isBaryon(Map<String, HadronFactor> known, String name) {
    HadronFactor hadron = known.get(name);
    return hadron != null && hadron.isBaryon();
  }

  private void add(
      List<String> names,
      Map<String, HadronFactor> known,
      Map<String, Double> masses,
      boolean oddBaryons) {
    long baryons = names.stream().filter(name -> isBaryon(known, name)).count();
    if (baryons > 2 || baryons % 2 == 1 != oddBaryons) {
      return;
    }
    seen.clear();
    place(names, names.stream().map(name -> masses.getOrDefault(name, 0.0)).toList(), List.of());
  }

  /** Places the next hadron at every momentum at which the others still fit below the energy. */
  private void place(List<String> names, List<Double> masses, List<Momentum> placed) {
    int k = placed.size();
    double rest = 0;
    Momentum left = total;
    for (int j = 0; j < k; j++) {
      rest += energy(masses.get(j), placed.get(j));
      left = left.plus(placed.get(j).negate());
    }
    for (int j = k + 1; j < masses.size(); j++) {
      rest += masses.get(j);
    }
    if (k == masses.size() - 1) {
      double energy = rest + energy(masses.get(k), left);
      if (energy < below) {
        List<Momentum> momenta = new ArrayList<>(placed);
        momenta.add(left);
        keep(names, momenta, energy);
      }
      return;
    }
    double mass = masses.get(k);
    double most = below - rest;
    if (most < mass) {
      return;
    }
    int reach = (int) Math.floor(Math.sqrt(most * most - mass * mass) / unit);
    for (int x = -reach; x <= reach; x++) {
      for (int y = -reach; y <= reach; y++) {
        for (int z = -reach; z <= reach; z++) {
          Momentum n = new Momentum(x, y, z);
          if (energy(mass, n) < most) {
            List<Momentum> longer = new ArrayList<>(placed);
            longer.add(n);
            place(names, masses, longer);
          }
        }
      }
    }
  }

  private double energy(double mass, Momentum n) {
    return Math.sqrt(mass * mass + unit * unit * n.squared());
  }

  private void keep(List<String> names, List<Momentum> momenta, double energy) {
    if (!seen.add(momenta)) {
      return;
    }
    List<Momentum> first = momenta;
    for (CubicRotation rotation : elements) {
      List<Momentum> image = sorted(names, momenta.stream().map(rotation::apply).toList());
      for (List<Momentum> other : exchanged(names, image)) {
        seen.add(other);
      }
      if (ORDER.compare(image, first) < 0) {
        first = image;
      }
    }
    if (found.size() == MAX_PRODUCTS) {
      throw new InputException(
          "more than " + MAX_PRODUCTS + " products lie below " + below + ": choose a lower energy");
    }
    List<HadronFactor> hadrons = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      hadrons.add(HadronText.hadron(names.get(k), first.get(k), hadronNames));
    }
    found.add(new Product(hadrons, energy));
  }

  /** Momenta of hadrons of one name in ascending order. */
  private static List<Momentum> sorted(List<String> names, List<Momentum> momenta) {
    List<Momentum> sorted = new ArrayList<>(momenta);
    for (int begin = 0; begin < names.size(); ) {
      int end = names.lastIndexOf(names.get(begin)) + 1;
      sorted.subList(begin, end).sort(MOMENTA);
      begin = end;
    }
    return sorted;
  }

  /** All orders of the momenta of hadrons of one name. */
  private static List<List<Momentum>> exchanged(List<String> names, List<Momentum> momenta) {
    List<List<Momentum>> all = new ArrayList<>();
    all.add(momenta);
    // Exchanges adjacent hadrons of equal name until nothing new appears; there are at most three
    // hadrons.
    for (int at = 0; at < all.size(); at++) {
      for (int k = 0; k + 1 < names.size(); k++) {
        if (names.get(k).equals(names.get(k + 1))) {
          List<Momentum> other = new ArrayList<>(all.get(at));
          other.add(k, other.remove(k + 1));
          if (!all.contains(other)) {
            all.add(other);
          }
        }
      }
    }
    return all;
  }
}
