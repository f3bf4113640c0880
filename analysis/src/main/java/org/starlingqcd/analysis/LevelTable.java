package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.FitModel;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Energies of states in a box, in the frame of the lattice and in the rest frame, in units of the
 * temporal lattice spacing.
 *
 * <p>With P = 2π n / (ξ L), E_cm = √(E² - P²), and of two hadrons k² = (E_cm² - (m₁ + m₂)²) (E_cm²
 * - (m₁ - m₂)²) / (4 E_cm²).
 */
public final class LevelTable {
  /** Non-interacting levels so far above the highest level, in units of it, are listed. */
  private static final double ABOVE = 1.15;

  /** Energies of ratios and of eigenvalues that differ by more errors are named. */
  private static final double FAR = 3;

  /** Components of momenta of non-interacting hadrons. */
  private static final int MOST = 4;

  private static final String BELOW = "the energy is below that of the momentum";

  /** P² of n² = 1. */
  private final double unit;

  private final Map<String, Estimate> masses = new LinkedHashMap<>();
  private final Map<String, Single> singles = new HashMap<>();
  private final Table table;
  private final Table free =
      new Table(
          "non_interacting", "levels without interaction", "irrep momentum hadrons", "energy");
  private final Set<String> places = new HashSet<>();

  /** The best operator of a hadron alone, for ratios. */
  private record Single(Curve correlator, Estimate energy) {}

  /** Two hadrons with momenta of these n² that add up to that of a level. */
  private record Pair(long n1, long n2) {}

  /**
   * A table without levels; the masses of one or two hadrons come first.
   *
   * @param length L in units of the spatial lattice spacing
   * @param xi spatial by temporal lattice spacing
   * @param ratios whether energies come from ratios of eigenvalues to products of the correlators
   *     of hadrons alone
   */
  public LevelTable(int length, double xi, boolean ratios) {
    unit = Math.pow(2 * Math.PI / (xi * length), 2);
    String ofRatios = ratios ? " shift energy_of_fit hadrons" : "";
    String columns = "energy energy_cm energy_cm_by_mass k_squared" + ofRatios;
    table = new Table("levels", "levels", "irrep momentum level", columns);
  }

  /** Adds a hadron with its mass in units of the temporal lattice spacing. */
  public void mass(String name, Estimate mass) {
    masses.put(name, mass);
  }

  /**
   * Adds a hadron whose mass follows from the energy of a result.
   *
   * @param momentum of the hadron in the result
   * @throws InputException when no fit succeeds
   */
  public void mass(String name, Momentum momentum, CorrelatorAnalysis analysis) {
    double p2 = unit * momentum.squared();
    Resampling samples = analysis.correlator().resampling();
    masses.put(name, atRest(single(name, analysis).energy, p2, samples));
  }

  /**
   * Adds the correlators of a hadron alone, on the samples of the levels.
   *
   * @throws InputException when no fit succeeds
   */
  public void single(String name, Momentum momentum, CorrelatorAnalysis analysis) {
    singles.put("%s[%d]".formatted(name, momentum.squared()), single(name, analysis));
  }

  private static Single single(String name, CorrelatorAnalysis analysis) {
    List<EnergyFit> all = fits(analysis).correlators();
    return IntStream.range(0, all.size())
        .filter(k -> all.get(k).energy().hasError())
        .mapToObj(k -> new Single(analysis.diagonal().get(k), all.get(k).energy()))
        .min(Comparator.comparingDouble(one -> one.energy.value()))
        .orElseThrow(
            () ->
                InputException.of(
                    "%s: no fit succeeds, so that it says no energy of %s; give --masses a"
                        + " number",
                    analysis.name(), name));
  }

  private static Estimate atRest(Estimate energy, double p2, Resampling samples) {
    return energy.map(
        e -> e > 0 && e * e > p2 ? Math.sqrt(e * e - p2) : Double.NaN, samples, BELOW);
  }

  private static FitResults fits(CorrelatorAnalysis analysis) {
    return Objects.requireNonNull(analysis.fits(), "levels need fits");
  }

  /** One of the two hadrons, which may be the same, with a momentum of this n². */
  private String hadron(int which, long n2) {
    List<String> names = List.copyOf(masses.keySet());
    return "%s[%d]".formatted(names.get(Math.min(which, names.size() - 1)), n2);
  }

  private Estimate mass(int which) {
    List<Estimate> all = List.copyOf(masses.values());
    return all.get(Math.min(which, all.size() - 1));
  }

  private String label(Pair pair) {
    return hadron(0, pair.n1) + " " + hadron(1, pair.n2);
  }

  /**
   * The definition of a result.
   *
   * @throws InputException when this program does not understand it
   */
  public static DefinitionHeader header(Path file) {
    try (ResultReader reader = ResultReader.open(file)) {
      return DefinitionLoader.parse(file.toString(), reader.header().definition()).header();
    } catch (DefinitionException e) {
      throw new InputException(
          file + ": its definition does not say the momentum: " + e.getMessage(), e);
    }
  }

  /**
   * Adds the levels of an analysis with fits, by energy.
   *
   * @param header the definition of its result
   * @throws InputException when another result has the same place
   */
  public void add(CorrelatorAnalysis analysis, DefinitionHeader header) {
    DefinitionHeader.Target target = header.target();
    Momentum n = header.total();
    String irrep = target == null ? "none" : target.irrep();
    String momentum = "%d_%d_%d".formatted(n.x(), n.y(), n.z());
    if (!places.add(irrep + "/" + momentum)) {
      throw InputException.of(
          "%s: another result has levels of irrep %s at momentum %s; average rows and directions"
              + " with starling average, or give one of them",
          analysis.name(), irrep, n);
    }
    List<Estimate> energies = energies(analysis);
    List<Integer> order =
        IntStream.range(0, energies.size())
            .boxed()
            .sorted(Comparator.comparingDouble(k -> energies.get(k).value()))
            .toList();
    Resampling samples = analysis.correlator().resampling();
    double highest = 0;
    for (int level = 0; level < order.size(); level++) {
      Estimate direct = energies.get(order.get(level));
      Pair pair = nearest(n, direct);
      Estimate shift = pair == null ? null : shift(analysis, order.get(level), pair);
      Estimate energy = direct;
      if (shift != null && pair != null) {
        energy = shift.with(unshifted(pair, samples), Double::sum, samples);
        double apart = Math.abs(energy.value() - direct.value());
        double error = Math.hypot(energy.error(), direct.error());
        if (apart > FAR * error) {
          table.remark(
              "%s, level %d: the ratio and the fit of the eigenvalue differ by %.1f errors; ratios can"
                      .formatted(analysis.name(), level, apart / error)
                  + " have false plateaus");
        }
      }
      Estimate rest = atRest(energy, unit * n.squared(), samples);
      Estimate inUnits = rest.with(mass(0), (e, m) -> e / m, samples);
      // The same as in the class comment, multiplied out.
      Estimate sum = mass(0).with(mass(1), (a, b) -> (a * a + b * b) / 2, samples);
      Estimate gap = mass(0).with(mass(1), (a, b) -> (a * a - b * b) / 2, samples);
      Estimate ofGap = rest.with(gap, (e, d) -> e * e / 4 + d * d / (e * e), samples);
      List<Object> cells = new ArrayList<>(List.of(energy, rest, inUnits));
      cells.add(ofGap.with(sum, (x, y) -> x - y, samples));
      if (table.columns().contains("shift")) {
        cells.add(shift == null ? Double.NaN : shift);
        cells.add(direct);
        cells.add(shift == null || pair == null ? "-" : label(pair));
      }
      table.row(List.of(irrep, momentum, level), cells.toArray());
      highest = energy.isDefined() ? Math.max(highest, energy.value()) : highest;
    }
    for (Pair pair : pairs(n)) {
      Estimate sum =
          moving(0, pair.n1, samples).with(moving(1, pair.n2, samples), Double::sum, samples);
      if (sum.value() <= ABOVE * highest) {
        free.row(List.of(irrep, momentum, label(pair)), sum);
      }
    }
  }

  /** Of eigenvalues, or else of operators. */
  private List<Estimate> energies(CorrelatorAnalysis analysis) {
    PrincipalCorrelators principal = analysis.principal();
    if (principal == null) {
      return fits(analysis).correlators().stream().map(EnergyFit::energy).toList();
    }
    List<Estimate> energies = new ArrayList<>();
    for (EnergyFit fit : fits(analysis).eigenvalues()) {
      boolean fitted = fit.energy().isDefined();
      energies.add(fitted ? fit.energy() : principal.energy(energies.size()));
      if (!fitted) {
        table.remark(
            "%s, %s: no fit succeeds; E is the effective energy from t0 to td"
                .formatted(analysis.name(), fit.label()));
      }
    }
    return energies;
  }

  /** Squares of momenta of two hadrons that add up to a momentum, by energy. */
  private List<Pair> pairs(Momentum n) {
    Map<Double, Pair> found = new TreeMap<>();
    int side = 2 * MOST + 1;
    for (int k = 0; k < side * side * side; k++) {
      Momentum one = new Momentum(k % side - MOST, k / side % side - MOST, k / side / side - MOST);
      long n1 = one.squared();
      long n2 = n.plus(one.negate()).squared();
      if (Math.max(n1, n2) <= MOST * MOST && (masses.size() == 2 || n1 >= n2)) {
        double energy =
            Math.sqrt(Math.pow(mass(0).value(), 2) + unit * n1)
                + Math.sqrt(Math.pow(mass(1).value(), 2) + unit * n2);
        found.put(energy, new Pair(n1, n2));
      }
    }
    return List.copyOf(found.values());
  }

  /** The energy of a hadron with a momentum of this n². */
  private Estimate moving(int hadron, long n2, Resampling samples) {
    return mass(hadron).map(m -> Math.sqrt(m * m + unit * n2), samples, BELOW);
  }

  /** The pair of hadrons whose correlators are there and whose energy is nearest; null: none. */
  private @Nullable Pair nearest(Momentum n, Estimate energy) {
    return pairs(n).stream()
        .filter(p -> singles.containsKey(hadron(0, p.n1)) && singles.containsKey(hadron(1, p.n2)))
        .min(
            Comparator.comparingDouble(
                p ->
                    Math.abs(
                        single(0, p.n1).energy.value()
                            + single(1, p.n2).energy.value()
                            - energy.value())))
        .orElse(null);
  }

  private Single single(int hadron, long n2) {
    return Objects.requireNonNull(singles.get(hadron(hadron, n2)));
  }

  private Estimate unshifted(Pair pair, Resampling samples) {
    return single(0, pair.n1).energy.with(single(1, pair.n2).energy, Double::sum, samples);
  }

  /**
   * ΔE of λ_k(t) / (C₁(t) C₂(t)) → A exp(-ΔE t), one exponential; null where no fit succeeds. The
   * noise that eigenvalue and hadrons share cancels, and so do many of their excited states.
   */
  private @Nullable Estimate shift(CorrelatorAnalysis analysis, int state, Pair pair) {
    PrincipalCorrelators principal = analysis.principal();
    Resampling samples = analysis.correlator().resampling();
    Curve curve = (principal == null ? analysis.diagonal() : analysis.eigenvalues()).get(state);
    Curve first = single(0, pair.n1).correlator;
    Curve second = single(1, pair.n2).correlator;
    Curve ratio = new Curve(curve.label());
    for (int t = 0; t < curve.points().size(); t++) {
      int dt = curve.separations().get(t);
      int i = first.separations().indexOf(dt);
      int j = second.separations().indexOf(dt);
      if (i >= 0 && j >= 0) {
        Estimate product =
            first.points().get(i).with(second.points().get(j), (x, y) -> x * y, samples);
        ratio.add(dt, curve.points().get(t).with(product, (x, y) -> x / y, samples));
      }
    }
    // Backward states are left out.
    double t0 = principal == null ? Double.NaN : principal.t0();
    Estimate shift =
        EnergyFit.of(
                ratio.upTo(analysis.data().lastBeforeReturn()),
                samples,
                analysis.options().fits,
                List.of(new FitModel(1, 0, t0)))
            .energy();
    return shift.hasError() ? shift : null;
  }

  /** The levels, and those without interaction. */
  public List<Table> tables() {
    return free.rows().isEmpty() ? List.of(table) : List.of(table, free);
  }

  /** The numbers for programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    masses.forEach((name, mass) -> json.put("mass_" + name, mass.value()));
    json.putAll(Table.tree(tables()));
    json.put("remarks", table.remarks());
    return json;
  }

  /** All quantities with samples by {@code IRREP/nx_ny_nz/level_k/QUANTITY}. */
  public Map<String, Estimate> named() {
    Map<String, Estimate> named = new LinkedHashMap<>();
    for (Table.Row row : table.rows()) {
      for (int k = 0; k < row.cells().size(); k++) {
        if (row.cells().get(k) instanceof Estimate e) {
          named.put(place(row) + "/" + table.columns().get(k), e);
        }
      }
    }
    return named;
  }

  private static String place(Table.Row row) {
    return "%s/%s/level_%d".formatted(row.place().toArray());
  }

  /**
   * Writes {@code IRREP/nx_ny_nz/level_k/QUANTITY/mean}, {@code error} and {@code samples}, and the
   * tables, replacing a file that exists.
   *
   * @throws ComputationException when it cannot be written
   */
  public void write(Path file) {
    AnalysisOutput.write(file, () -> writeHdf5(file));
  }

  private void writeHdf5(Path file) {
    try (Hdf5File hdf5 = Hdf5File.create(file)) {
      Hdf5Attributes root = hdf5.attributes("/");
      root.put("format", "levels");
      root.put("format_version", 2);
      masses.forEach((name, mass) -> root.put("mass_" + name, mass.value()));
      root.put("samples_contain", "statistics and spread of windows");
      for (Table.Row row : table.rows()) {
        new Table(place(row), "", "", String.join(" ", table.columns()))
            .row(List.of(), row.cells().toArray())
            .write(hdf5);
      }
      free.write(hdf5);
    }
  }
}
