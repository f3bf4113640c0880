package org.starlingqcd.analysis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.FDistribution;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.JsonText;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.result.ResultRequest;
import org.starlingqcd.correlators.result.ResultStore;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import picocli.CommandLine.Option;

/**
 * The average of two-point functions that are equal by symmetry: of rows of an irrep, directions of
 * a momentum, parity partners of baryons at reflected times, and times t and T - t of mesons.
 */
public final class ResultAverage {
  /** Fewer configurations do not tell whether members agree. */
  private static final int LEAST_CONFIGURATIONS = 16;

  /** The probability below which a difference is no chance, for all comparisons together. */
  private static final double LEVEL = 0.01;

  private final List<Member> members;
  private final Settings options;
  private final int n;

  private ResultAverage(List<Member> members, Settings options) {
    this.members = members;
    this.options = options;
    n = members.get(0).units.sinks.length;
  }

  /** What is averaged besides the members, rows and directions. picocli fills the fields. */
  public static final class Settings {
    @Option(
        names = "--fold",
        description =
            "Also average t with T - t, with the sign that the operators have; mesons only.")
    public boolean fold;

    @Option(
        names = "--periodic",
        description =
            "Quarks are periodic in time, for parity partners (default: they are antiperiodic).")
    public boolean periodic;
  }

  /**
   * The outcome.
   *
   * @param comparisons by member and operator, how far a member is from the mean of the others:
   *     chi² of the differences at {@code dof} separations, with their covariance, and the
   *     probability of a larger one by chance
   * @param doubtful in words, those that are no chance
   */
  public record Report(
      Path file, List<String> members, int units, Table comparisons, List<String> doubtful) {}

  /** One result, whose files may be several. */
  private static final class Member {
    private final ResultUnits units;
    private final ResultHeader header;
    private final Definition definition;

    /**
     * Of a parity partner, what its operators are of the reflected ones of the first member; empty
     * of others.
     */
    private List<Complex> reflected = List.of();

    Member(ResultUnits units) {
      this.units = units;
      header = units.header;
      try {
        definition = DefinitionLoader.parse(units.path.toString(), header.definition());
      } catch (DefinitionException e) {
        throw new InputException(
            units.path + ": its definition does not say what it belongs to: " + e.getMessage(), e);
      }
    }

    /** The numbers of a configuration; empty without it. */
    ResultUnits.Units of(int configuration) {
      return units.configurations.getOrDefault(configuration, new ResultUnits.Units());
    }

    /** The names of the chosen operators. */
    List<String> names() {
      return ResultUnits.chosen(units.sinks, header.operators());
    }

    /** The chosen operators, written out. */
    List<Operator> operators() {
      return ResultUnits.chosen(units.sinks, definition.toCorrelationMatrix().operators());
    }
  }

  /**
   * Averages and writes a result.
   *
   * @param file the result to write; its name is that of the result
   * @throws InputException when results do not belong together, or lack units or separations
   */
  public static Report write(
      List<Path> files,
      SelectionSettings selection,
      Settings options,
      Path file,
      boolean overwrite) {
    if (Files.exists(file) && !overwrite) {
      throw new InputException(file + ": exists; --overwrite replaces it");
    }
    ResultAverage average =
        new ResultAverage(
            ResultUnits.collect(
                    files,
                    first -> ResultUnits.ofTwoPoint(selection, first, "correlator"::equals, true))
                .stream()
                .map(Member::new)
                .toList(),
            options);
    average.requireBelonging();
    return average.write(file, overwrite);
  }

  private void requireBelonging() {
    Member first = members.get(0);
    if (members.size() == 1 && !options.fold) {
      throw InputException.of(
          "%s: there is nothing to average with; give other rows or directions, or --fold",
          first.units.path);
    }
    for (Member member : members) {
      String why = member == first ? null : difference(first, member);
      Set<Integer> numbers = first.units.configurations.keySet();
      if (why == null && !member.units.configurations.keySet().equals(numbers)) {
        why =
            "it has the configurations %s and not %s; --configurations selects"
                .formatted(member.units.configurations.keySet(), numbers);
      }
      for (int number : why == null ? numbers : List.<Integer>of()) {
        Set<Integer> here = member.of(number).sources.keySet();
        Set<Integer> there = first.of(number).sources.keySet();
        if (why == null && !here.equals(there)) {
          why =
              "configuration %s has the sources %s and not %s; --sources selects"
                  .formatted(number, here, there);
        }
        String other =
            ResultReader.Configuration.changed(first.of(number).data, member.of(number).data);
        if (why == null && other != null) {
          why = "configuration %d was computed from other data: %s".formatted(number, other);
        }
      }
      if (why != null) {
        throw new InputException(
            member.units.path + " does not belong to " + first.units.path + ": " + why);
      }
      if (member.units.configurations.isEmpty()) {
        throw new InputException(member.units.path + ": has none of the selected units");
      }
    }
  }

  /** Why two members are not equal by symmetry; null when they are. */
  private static @Nullable String difference(Member a, Member b) {
    DefinitionHeader one = a.definition.header();
    DefinitionHeader other = b.definition.header();
    // Results of earlier versions say nothing of their data.
    boolean known = a.header.eigenvectors() != 0 && b.header.eigenvectors() != 0;
    Object[][] pairs = {
      {"ensemble", a.header.ensemble(), b.header.ensemble()},
      {"separations", a.header.separations(), b.header.separations()},
      {"temporal extent", a.header.temporalExtent(), b.header.temporalExtent()},
      {"isospin", one.isospin(), other.isospin()},
      {"momentum", one.momentum(), other.momentum()},
      {"G or C parity", one.charge(), other.charge()},
      {"quarks", one.quarks(), other.quarks()},
      {"N", known ? a.header.eigenvectors() : 0, known ? b.header.eigenvectors() : 0},
      {"gamma basis", known ? a.header.gammaBasis() : "", known ? b.header.gammaBasis() : ""},
      {"operators", a.names(), b.names()},
    };
    for (Object[] pair : pairs) {
      if (!Objects.equals(pair[1], pair[2])) {
        return "its %s is %s and not %s".formatted(pair[0], pair[2], pair[1]);
      }
    }
    DefinitionHeader.Target target = one.target();
    DefinitionHeader.Target second = other.target();
    boolean turned = !Objects.equals(one.orientation(), other.orientation());
    if (target == null || second == null) {
      return Objects.equals(target, second) && turned
          ? operators(a, b)
          : "only an irrep says which rows belong together";
    }
    boolean partners = arePartners(target.irrep(), second.irrep());
    if (!target.irrep().equals(second.irrep()) && !partners) {
      return "its irrep is %s and not %s".formatted(second.irrep(), target.irrep());
    }
    if (partners && a.header.temporalExtent().isEmpty()) {
      return "a parity partner needs the temporal extent, which the result does not say";
    }
    if (target.equals(second) && !turned) {
      return "its row and its direction are the same";
    }
    String why = operators(a, b);
    return why != null || !partners ? why : reflect(a, b);
  }

  /** Irreps at rest of an odd number of baryons that differ in parity: they end with g and u. */
  private static boolean arePartners(String a, String b) {
    return a.length() == b.length()
        && !a.equals(b)
        && a.replaceFirst("[gu]$", "").equals(b.replaceFirst("[gu]$", ""));
  }

  /**
   * Finds what the operators of a parity partner are of the reflected ones: t to -t makes γ4γ5 ψ of
   * ψ, and of a baryon operator one of the other parity; diquarks without γ4 get a sign.
   */
  private static @Nullable String reflect(Member a, Member b) {
    List<Complex> factors = new ArrayList<>();
    for (int k = 0; k < a.units.sinks.length; k++) {
      Map<List<Factor>, Complex> image = terms(a.operators().get(k), true);
      Map<List<Factor>, Complex> own = terms(b.operators().get(k), false);
      Complex factor = Complex.ZERO;
      for (Map.Entry<List<Factor>, Complex> term : image.entrySet()) {
        Complex other = own.getOrDefault(term.getKey(), Complex.ZERO);
        factor = factor.plus(other.times(term.getValue().conjugate()));
      }
      double size = image.values().stream().mapToDouble(ResultAverage::square).sum();
      factor = factor.times(1 / size);
      double rest = own.values().stream().mapToDouble(ResultAverage::square).sum();
      if (Math.abs(square(factor) * size - rest) > 1e-9 * rest
          || Math.abs(rest - size) > 1e-9 * size) {
        return "operator '%s' is not the reflection of that of the other parity, or only up to another"
                .formatted(a.operators().get(k).name())
            + " row; give the row that it is of, or choose one operator with --operators";
      }
      factors.add(factor);
    }
    b.reflected = factors;
    return null;
  }

  private static double square(Complex z) {
    return z.re() * z.re() + z.im() * z.im();
  }

  /**
   * Coefficients by factors without signs, with components 1 and 2 of baryons; reflected or not.
   */
  private static Map<List<Factor>, Complex> terms(Operator operator, boolean reflects) {
    Map<List<Factor>, Complex> terms = new LinkedHashMap<>();
    for (Term term : operator.terms()) {
      int sign = 1;
      List<Factor> factors = new ArrayList<>();
      for (Factor factor : term.factors()) {
        if (factor instanceof Bilinear m) {
          sign *= m.gamma().sign() * (reflects ? reflection(m.gamma()) : 1);
          factors.add(
              new Bilinear(
                  m.bar(), m.gamma().unsigned(), m.quark(), m.momentum(), m.displacement()));
        } else if (factor instanceof BaryonFactor b) {
          sign *= b.diquark().sign() * (b.component() > 2 ? b.parity() : 1);
          sign *= reflects ? -reflection(b.diquark()) : 1;
          factors.add(
              new BaryonFactor(
                  b.quark1(),
                  b.quark2(),
                  b.quark3(),
                  b.diquark().unsigned(),
                  reflects ? -b.parity() : b.parity(),
                  (b.component() - 1) % 2 + 1,
                  b.momentum(),
                  b.displacement(),
                  true));
        } else {
          factors.add(factor);
        }
      }
      terms.merge(factors, term.coefficient().times(sign), Complex::plus);
    }
    return terms;
  }

  /** The sign of a bilinear under reflection of time. */
  private static int reflection(Gamma gamma) {
    return (gamma.mask() & Gamma.G4.mask()) == 0 ? 1 : -1;
  }

  private static @Nullable String operators(Member a, Member b) {
    for (int k = 0; k < a.units.sinks.length; k++) {
      OperatorDefinition one = a.definition.operators().get(a.units.sinks[k]);
      OperatorDefinition other = b.definition.operators().get(b.units.sinks[k]);
      if (!(one instanceof OperatorDefinition.Product p
          && other instanceof OperatorDefinition.Product q)) {
        return "operator '%s' is written out, so nothing says that both belong together"
            .formatted(one.name());
      }
      if (!hadrons(p).equals(hadrons(q))
          || !p.coefficient().equals(q.coefficient())
          || !p.intermediateIsospin().equals(q.intermediateIsospin())) {
        return "operator '%s' is %s and not %s".formatted(one.name(), hadrons(q), hadrons(p));
      }
    }
    return null;
  }

  /** Names and squares of momenta. */
  private static List<String> hadrons(OperatorDefinition.Product product) {
    return product.hadrons().stream()
        .map(hadron -> hadron.name() + " with n^2 = " + hadron.momentum().squared())
        .toList();
  }

  private Report write(Path file, boolean overwrite) {
    Member first = members.get(0);
    List<String> operators = first.names();
    String name = file.getFileName().toString().replaceAll("\\.h5$", "");
    int[] signs = options.fold ? reflectionSigns(first) : new int[n];
    ResultHeader header =
        new ResultHeader(
            name,
            first.header.ensemble(),
            first.header.definition(),
            operators,
            ResultUnits.chosen(first.units.sinks, first.header.signs()),
            first.header.separations(),
            first.header.onePoint(),
            first.header.temporalExtent(),
            first.header.precision(),
            first.header.sampledSites(),
            null,
            first.header.eigenvectors(),
            first.header.gammaBasis(),
            null);
    SortedMap<Integer, ResultUnits.Units> all = first.units.configurations;
    TreeSet<Integer> sources = new TreeSet<>();
    all.values().forEach(units -> sources.addAll(units.sources.keySet()));
    List<double[][]> sums = new ArrayList<>();
    int count = 0;
    ResultRequest request =
        new ResultRequest(
            List.copyOf(all.keySet()), List.copyOf(sources), overwrite, Duration.ofDays(1));
    List<String> names = members.stream().map(member -> member.header.name()).toList();
    try (ResultStore store = ResultStore.open(file, header, request)) {
      store.describeRun(JsonText.of(Map.of("average_of", names, "folded", options.fold)));
      for (int number : all.keySet()) {
        double[][] ofConfiguration = new double[members.size()][];
        SortedMap<Integer, double[]> rows = onePoint(number);
        int[] times = rows.keySet().stream().mapToInt(t -> t).toArray();
        double[] onePoint = rows.values().stream().flatMapToDouble(Arrays::stream).toArray();
        List<String> data =
            members.stream().flatMap(member -> member.of(number).data.stream()).distinct().toList();
        for (int source : first.of(number).sources.keySet()) {
          List<double[]> units = new ArrayList<>();
          for (int m = 0; m < members.size(); m++) {
            double[] unit = own(members.get(m), number, source, signs);
            ofConfiguration[m] =
                ofConfiguration[m] == null
                    ? unit.clone()
                    : ResultUnits.added(ofConfiguration[m], unit);
            units.add(unit);
          }
          double[] mean = new double[units.get(0).length];
          Arrays.setAll(mean, k -> mean(units, k));
          if (store.claim(number, source)) {
            store.append(new ResultUnit(number, source, mean, times, onePoint, data));
            store.release(number, source);
          }
          count++;
        }
        sums.add(ofConfiguration);
      }
    }
    List<String> doubtful = new ArrayList<>();
    Table comparisons = comparisons(sums, operators, doubtful);
    return new Report(file, names, count, comparisons, doubtful);
  }

  private SortedMap<Integer, double[]> onePoint(int number) {
    SortedMap<Integer, double[]> mean = new TreeMap<>();
    for (Member member : members) {
      for (Map.Entry<Integer, double[]> row : member.of(number).onePoint.entrySet()) {
        double[] part = member.units.onePoint(row.getValue());
        Arrays.setAll(part, k -> part[k] / members.size());
        mean.merge(row.getKey(), part, ResultUnits::added);
      }
    }
    return mean;
  }

  /** Of those that have a number: a partner has none without the reflected time. */
  private static double mean(List<double[]> units, int k) {
    return units.stream()
        .mapToDouble(unit -> unit[k])
        .filter(x -> !Double.isNaN(x))
        .average()
        .orElse(Double.NaN);
  }

  /** A unit, folded; that of a partner at reflected times. */
  private double[] own(Member member, int number, int source, int[] signs) {
    double[] unit = member.of(number).first.getOrDefault(source, new double[0]);
    List<Integer> separations = member.header.separations();
    boolean partner = !member.reflected.isEmpty();
    boolean partners = members.stream().anyMatch(m -> !m.reflected.isEmpty());
    if (!options.fold && !partners) {
      return unit;
    }
    int extent = member.header.temporalExtent().orElseThrow();
    double[] result = new double[unit.length];
    for (int k = 0; k < unit.length; k++) {
      int place = k / 2 / (n * n);
      int dt = separations.get(place);
      int reflected = separations.indexOf(extent - dt);
      int other = reflected < 0 ? -1 : k + 2 * n * n * (reflected - place);
      if (options.fold) {
        int sign = signs[k / 2 / n % n] * signs[k / 2 % n];
        result[k] = other < 0 ? unit[k] : 0.5 * (unit[k] + sign * unit[other]);
      } else if (!partner) {
        result[k] = wrapped(source + dt, extent) * unit[k];
      } else {
        result[k] =
            other < 0
                ? Double.NaN
                : wrapped(source + extent - dt, extent)
                    * (options.periodic ? -1 : 1)
                    * turned(member, unit, other);
      }
    }
    return result;
  }

  /** A number of a partner's matrix between the reflected operators of the first member. */
  private double turned(Member member, double[] unit, int k) {
    Complex sink = member.reflected.get(k / 2 / n % n);
    Complex factor = sink.conjugate().times(member.reflected.get(k / 2 % n));
    return k % 2 == 0
        ? factor.re() * unit[k] - factor.im() * unit[k + 1]
        : factor.re() * unit[k] + factor.im() * unit[k - 1];
  }

  /** The sign of an odd number of antiperiodic baryons that run across the boundary. */
  private int wrapped(int time, int extent) {
    return !options.periodic && time >= extent ? -1 : 1;
  }

  /**
   * The sign of every operator under t to -t, where ψ becomes g4 g5 ψ: a bilinear changes its sign
   * with g4 in its gamma matrix.
   */
  private int[] reflectionSigns(Member member) {
    if (member.header.temporalExtent().isEmpty()) {
      throw new InputException(
          member.units.path + ": --fold needs the temporal extent, which the result does not say");
    }
    int[] signs = new int[n];
    for (int k = 0; k < signs.length; k++) {
      Operator operator = member.operators().get(k);
      Set<Integer> all = new TreeSet<>();
      for (Term term : operator.terms()) {
        int sign = 1;
        for (Factor factor : term.factors()) {
          sign *= factor instanceof Bilinear b ? reflection(b.gamma()) : 0;
        }
        all.add(sign);
      }
      signs[k] = all.iterator().next();
      if (all.size() != 1 || signs[k] == 0) {
        throw InputException.of(
            "%s: operator '%s' cannot be folded: %s; leave it out with --operators",
            member.units.path,
            operator.name(),
            all.contains(0)
                ? "baryons run back as their parity partners, and gluonic factors have no known sign"
                : "its terms have both signs under reflection of time");
      }
    }
    return signs;
  }

  /**
   * Compares the real part of every diagonal element of every member with the mean of the others.
   */
  private Table comparisons(List<double[][]> sums, List<String> operators, List<String> doubtful) {
    String title = "differences of members from the mean of the others";
    Table table = new Table("comparisons", title, "member operator", "chi_squared dof p");
    int count = sums.size();
    if (members.size() < 2 || count < LEAST_CONFIGURATIONS) {
      return table;
    }
    for (int m = 0; m < members.size(); m++) {
      int number = m;
      for (int i = 0; i < n; i++) {
        int element = 2 * i * (n + 1);
        int[] places =
            IntStream.range(0, members.get(0).header.separations().size())
                .map(t -> 2 * n * n * t + element)
                .filter(k -> varies(sums, number, k))
                .limit(count / 4)
                .toArray();
        int p = places.length;
        if (p == 0) {
          continue;
        }
        double[][] differences = new double[count][p];
        double[] mean = new double[p];
        for (int c = 0; c < count; c++) {
          for (int t = 0; t < p; t++) {
            differences[c][t] = difference(sums.get(c), m, places[t]);
            mean[t] += differences[c][t] / count;
          }
        }
        Covariance covariance =
            Covariance.of(
                differences, 1.0 / count / (count - 1), count, Covariance.Method.SVD, 1e-6);
        double square = covariance.chiSquared(mean);
        if (!Double.isNaN(square)) {
          // Hotelling's distribution, since the covariance is an estimate.
          double f = square * (count - p) / (p * (count - 1.0));
          double probability =
              Double.isFinite(f)
                  ? 1 - new FDistribution(null, p, count - p).cumulativeProbability(f)
                  : 1;
          String member = members.get(m).header.name();
          table.row(List.of(member, operators.get(i)), square, p, probability);
          if (probability * members.size() * n < LEVEL) {
            String differs = "differs from the others by more than its errors allow: chi2/dof";
            doubtful.add(
                String.format(
                    Locale.US,
                    "%s, operator %s: %s = %.1f/%d, p = %.2g",
                    member,
                    operators.get(i),
                    differs,
                    square,
                    p,
                    probability));
          }
        }
      }
    }
    return table;
  }

  /** A number of a member less the mean of the others. */
  private static double difference(double[][] byMember, int member, int place) {
    double others = Arrays.stream(byMember).mapToDouble(one -> one[place]).sum();
    double own = byMember[member][place];
    return own - (others - own) / (byMember.length - 1);
  }

  /**
   * Whether a difference has noise beyond rounding; without it there is no error to compare with.
   */
  private static boolean varies(List<double[][]> sums, int member, int place) {
    double first = difference(sums.get(0), member, place);
    double scale = Math.abs(sums.get(0)[member][place]);
    return sums.stream()
        .anyMatch(one -> Math.abs(difference(one, member, place) - first) > 1e-12 * scale);
  }
}
