package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

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

  private final Box box;
  private final Table table;
  private final Table free =
      new Table(
          "non_interacting",
          "levels without interaction",
          0,
          List.of("irrep", "momentum", "hadrons"),
          List.of("energy"));
  private final Set<String> places = new HashSet<>();

  /**
   * The box and two hadrons in it, which may be the same.
   *
   * @param masses by name, one or two, in units of the temporal lattice spacing
   * @param length L in units of the spatial lattice spacing
   * @param xi spatial by temporal lattice spacing
   */
  public record Box(Map<String, Estimate> masses, int length, double xi) {
    private String hadron(int which) {
      List<String> names = List.copyOf(masses.keySet());
      return names.get(Math.min(which, names.size() - 1));
    }

    private Estimate mass(int which) {
      return masses.getOrDefault(hadron(which), Estimate.exact(0, 0));
    }

    /** P² of a momentum of this n². */
    private double square(int n2) {
      double unit = 2 * Math.PI / (xi * length);
      return unit * unit * n2;
    }
  }

  /**
   * A hadron alone, for ratios.
   *
   * @param name as in {@link Box}
   * @param n2 the square of its momentum in units of 2π/L
   */
  public record Single(String name, int n2, CorrelatorAnalysis analysis) {
    private int best() {
      List<EnergyFit> fits = fits(analysis).correlators();
      return IntStream.range(0, fits.size())
          .filter(k -> fits.get(k).energy().hasError())
          .boxed()
          .min(Comparator.comparingDouble(k -> fits.get(k).energy().value()))
          .orElseThrow(
              () ->
                  InputException.of(
                      "%s: no fit succeeds, so that it says no energy of %s; give --masses a"
                          + " number",
                      analysis.name(), name));
    }

    private Estimate energy() {
      return fits(analysis).correlators().get(best()).energy();
    }

    /** The mass, from the energy and the momentum. */
    public Estimate mass(Box box) {
      double p2 = box.square(n2);
      return energy()
          .map(
              e -> e * e > p2 ? Math.sqrt(e * e - p2) : Double.NaN,
              analysis.correlator().resampling(),
              BELOW);
    }
  }

  /** Two hadrons with opposite or other momenta that add up to that of a level. */
  private record Pair(int n1, int n2) {
    String label(Box box) {
      return "%s[%d] %s[%d]".formatted(box.hadron(0), n1, box.hadron(1), n2);
    }
  }

  private LevelTable(Box box, boolean ratios) {
    this.box = box;
    List<String> columns =
        new ArrayList<>(List.of("energy", "energy_cm", "energy_cm_by_mass", "k_squared"));
    if (ratios) {
      columns.addAll(List.of("shift", "energy_of_fit", "hadrons"));
    }
    table = new Table("levels", "levels", 0, List.of("irrep", "momentum", "level"), columns);
  }

  private static FitResults fits(CorrelatorAnalysis analysis) {
    FitResults fits = analysis.fits();
    if (fits == null) {
      throw new IllegalArgumentException("no fits: " + analysis.name());
    }
    return fits;
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
   * The levels of analyses with fits, by energy within each.
   *
   * @param analyses with the definitions of their results
   * @param singles hadrons alone, on the same samples; with them the energies come from ratios of
   *     eigenvalues to products of their correlators
   * @throws InputException when two results have one place
   */
  public static LevelTable of(
      Map<CorrelatorAnalysis, DefinitionHeader> analyses, Box box, List<Single> singles) {
    LevelTable levels = new LevelTable(box, !singles.isEmpty());
    analyses.forEach((analysis, header) -> levels.add(analysis, header, singles));
    return levels;
  }

  private void add(CorrelatorAnalysis analysis, DefinitionHeader header, List<Single> singles) {
    DefinitionHeader.Target target = header.target();
    Momentum n = header.total();
    String irrep = target == null ? "none" : target.irrep();
    String momentum = "%d_%d_%d".formatted(n.x(), n.y(), n.z());
    if (!places.add(irrep + "/" + momentum)) {
      throw new InputException(
          "%s: another result has levels of irrep %s at momentum %s; average rows and directions"
                  .formatted(analysis.name(), irrep, n)
              + " with starling average, or give one of them");
    }
    PrincipalCorrelators principal = analysis.principal();
    List<EnergyFit> all =
        principal == null ? fits(analysis).correlators() : fits(analysis).eigenvalues();
    List<Estimate> energies = new ArrayList<>();
    for (int k = 0; k < all.size(); k++) {
      boolean fitted = all.get(k).energy().isDefined() || principal == null;
      energies.add(fitted || principal == null ? all.get(k).energy() : principal.energy(k));
      if (!fitted) {
        table.remark(
            "%s, %s: no fit succeeds; E is the effective energy from t0 to td"
                .formatted(analysis.name(), all.get(k).label()));
      }
    }
    List<Integer> order =
        IntStream.range(0, all.size())
            .boxed()
            .sorted(Comparator.comparingDouble(k -> energies.get(k).value()))
            .toList();
    Resampling samples = analysis.correlator().resampling();
    double p2 = box.square(square(n));
    double highest = 0;
    for (int level = 0; level < order.size(); level++) {
      int k = order.get(level);
      Estimate direct = energies.get(k);
      Pair pair = singles.isEmpty() ? null : nearest(n, direct, singles);
      Estimate shift = pair == null ? null : shift(analysis, k, pair, singles);
      Estimate energy = direct;
      if (shift != null && pair != null) {
        Estimate unshifted =
            energyOf(singles, 0, pair.n1).with(energyOf(singles, 1, pair.n2), Double::sum, samples);
        energy = shift.with(unshifted, Double::sum, samples);
        double apart = Math.abs(energy.value() - direct.value());
        double error = Math.hypot(energy.error(), direct.error());
        if (apart > FAR * error) {
          table.remark(
              "%s, level %d: the ratio and the fit of the eigenvalue differ by %.1f errors; ratios can"
                      .formatted(analysis.name(), level, apart / error)
                  + " have false plateaus");
        }
      }
      Estimate rest =
          energy.map(e -> e > 0 && e * e > p2 ? Math.sqrt(e * e - p2) : Double.NaN, samples, BELOW);
      Estimate inUnits = rest.with(box.mass(0), (e, m) -> e / m, samples);
      // The same as in the class comment, multiplied out.
      Estimate sum = box.mass(0).with(box.mass(1), (a, b) -> (a * a + b * b) / 2, samples);
      Estimate gap = box.mass(0).with(box.mass(1), (a, b) -> (a * a - b * b) / 2, samples);
      Estimate ofGap = rest.with(gap, (e, d) -> e * e / 4 + d * d / (e * e), samples);
      Estimate square = ofGap.with(sum, (x, y) -> x - y, samples);
      List<Object> cells = new ArrayList<>(List.of(energy, rest, inUnits, square));
      if (!singles.isEmpty()) {
        cells.add(shift == null ? Double.NaN : shift);
        cells.add(direct);
        cells.add(shift == null || pair == null ? "-" : pair.label(box));
      }
      table.row(List.of(irrep, momentum, level), cells.toArray());
      highest = energy.isDefined() ? Math.max(highest, energy.value()) : highest;
    }
    for (Pair pair : pairs(n)) {
      Estimate sum =
          free(0, pair.n1, samples).with(free(1, pair.n2, samples), Double::sum, samples);
      if (sum.value() <= ABOVE * highest) {
        free.row(List.of(irrep, momentum, pair.label(box)), sum);
      }
    }
  }

  private static int square(Momentum n) {
    return n.x() * n.x() + n.y() * n.y() + n.z() * n.z();
  }

  /** Squares of momenta of two hadrons that add up to a momentum, by energy. */
  private List<Pair> pairs(Momentum n) {
    Map<Double, Pair> found = new TreeMap<>();
    int side = 2 * MOST + 1;
    boolean equal = box.masses.size() == 1;
    for (int k = 0; k < side * side * side; k++) {
      int x = k % side - MOST;
      int y = k / side % side - MOST;
      int z = k / side / side - MOST;
      int n1 = x * x + y * y + z * z;
      int n2 = square(new Momentum(n.x() - x, n.y() - y, n.z() - z));
      if (n1 <= MOST * MOST && n2 <= MOST * MOST && (!equal || n1 >= n2)) {
        double a = box.mass(0).value();
        double b = box.mass(1).value();
        double energy = Math.sqrt(a * a + box.square(n1)) + Math.sqrt(b * b + box.square(n2));
        found.put(energy, new Pair(n1, n2));
      }
    }
    return List.copyOf(found.values());
  }

  private Estimate free(int hadron, int n2, Resampling samples) {
    return box.mass(hadron).map(m -> Math.sqrt(m * m + box.square(n2)), samples, BELOW);
  }

  /** The pair of hadrons whose correlators are there and whose energy is nearest; null: none. */
  private @Nullable Pair nearest(Momentum n, Estimate energy, List<Single> singles) {
    return pairs(n).stream()
        .filter(p -> single(singles, 0, p.n1) != null && single(singles, 1, p.n2) != null)
        .min(
            Comparator.comparingDouble(
                p ->
                    Math.abs(
                        energyOf(singles, 0, p.n1).value()
                            + energyOf(singles, 1, p.n2).value()
                            - energy.value())))
        .orElse(null);
  }

  private @Nullable Single single(List<Single> singles, int hadron, int n2) {
    return singles.stream()
        .filter(one -> one.n2 == n2 && one.name.equals(box.hadron(hadron)))
        .findFirst()
        .orElse(null);
  }

  private Estimate energyOf(List<Single> singles, int hadron, int n2) {
    Single one = single(singles, hadron, n2);
    return one == null ? Estimate.exact(Double.NaN, 0) : one.energy();
  }

  /**
   * ΔE of λ_k(t) / (C₁(t) C₂(t)) → A exp(-ΔE t), one exponential; null where no fit succeeds. The
   * noise that eigenvalue and hadrons share cancels, and so do many of their excited states.
   */
  private @Nullable Estimate shift(
      CorrelatorAnalysis analysis, int state, Pair pair, List<Single> singles) {
    PrincipalCorrelators principal = analysis.principal();
    Curve curve = (principal == null ? analysis.diagonal() : analysis.eigenvalues()).get(state);
    List<Integer> at = new ArrayList<>();
    List<Estimate> points = new ArrayList<>();
    Single one = single(singles, 0, pair.n1);
    Single two = single(singles, 1, pair.n2);
    if (one == null || two == null) {
      return null;
    }
    Resampling samples = analysis.correlator().resampling();
    Curve first = one.analysis.diagonal().get(one.best());
    Curve second = two.analysis.diagonal().get(two.best());
    for (int t = 0; t < curve.points().size(); t++) {
      int dt = curve.separations().get(t);
      int i = first.separations().indexOf(dt);
      int j = second.separations().indexOf(dt);
      if (i >= 0 && j >= 0) {
        Estimate product =
            first.points().get(i).with(second.points().get(j), (x, y) -> x * y, samples);
        at.add(dt);
        points.add(curve.points().get(t).with(product, (x, y) -> x / y, samples));
      }
    }
    Estimate shift =
        fits(analysis).shift(new Curve(curve.label(), at, points), analysis, principal).energy();
    return shift.hasError() ? shift : null;
  }

  /** The levels, and those without interaction. */
  public List<Table> tables() {
    return free.rows().isEmpty() ? List.of(table) : List.of(table, free);
  }

  /** The numbers for programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    box.masses.forEach((name, mass) -> json.put("mass_" + name, mass.value()));
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
    try (Hdf5File hdf5 = Hdf5File.create(file)) {
      Hdf5Attributes root = hdf5.attributes("/");
      root.put("format", "levels");
      root.put("format_version", 2);
      box.masses.forEach((name, mass) -> root.put("mass_" + name, mass.value()));
      root.put("samples_contain", "statistics and spread of windows");
      for (Table.Row row : table.rows()) {
        new Table(place(row), "", 0, List.of(), table.columns())
            .row(List.of(), row.cells().toArray())
            .write(hdf5);
      }
      free.write(hdf5);
    } catch (Hdf5Exception e) {
      throw new ComputationException(file + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }
}
