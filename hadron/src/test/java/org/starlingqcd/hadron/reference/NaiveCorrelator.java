package org.starlingqcd.hadron.reference;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * Correlators from the definition of the Wick contraction, for all hadrons alike: the fields of all
 * factors in their order, every pairing of quark fields with antiquark fields of their flavour on
 * its own, each with the sign of the permutation that brings the pairs together, and the tensors of
 * the factors contracted over dense (spin ⊗ distillation) indices.
 *
 * <p>Nothing is shared or simplified, no symmetry of data or operators is used. For a few
 * eigenvectors and hadrons only: the work grows with the factorial of the number of quarks and, for
 * two baryons, with (4N)⁵.
 */
public final class NaiveCorrelator implements AutoCloseable {
  private record Field(boolean quark, String flavour, int time) {}

  /** A factor as it stands in the product of fields: one leg of the tensor for each field. */
  private record Vertex(List<Field> fields, Tensor tensor) {}

  private final FileLattice lattice;
  private final int n;
  private final int range;
  private final Complex[][] g4;
  private final Map<List<Object>, Vertex> vertices = new HashMap<>();
  private final Map<List<Object>, Tensor> lines = new HashMap<>();

  /**
   * Opens a complete distillation file: all pairs of times, all momenta that occur, either sign.
   */
  public NaiveCorrelator(Path path) {
    lattice = new FileLattice(path);
    n = lattice.eigenvectors();
    range = 4 * n;
    g4 = lattice.matrix(Gamma.G4);
  }

  /** {@code ⟨O_i(sink) O_j(source)†⟩}. */
  public Complex element(CorrelationMatrix matrix, int i, int j, int sink, int source) {
    Complex sum = Complex.ZERO;
    for (Term left : matrix.operators().get(i).terms()) {
      for (Term right : matrix.operators().get(j).terms()) {
        List<Vertex> product = annihilating(left.factors(), sink);
        // O† has the adjoint factors in the opposite order.
        for (int k = right.factors().size() - 1; k >= 0; k--) {
          if (!(right.factors().get(k) instanceof Gluonic)) {
            product.add(vertex(right.factors().get(k), source, true));
          }
        }
        Complex coefficient = coefficient(left, sink).times(coefficient(right, source).conjugate());
        sum = sum.plus(coefficient.times(wick(product, matrix.quarkLabels())));
      }
    }
    return sum;
  }

  /** All elements, [source][separation][i][j], interleaved complex. */
  public double[] correlator(
      CorrelationMatrix matrix, List<Integer> sources, List<Integer> separations) {
    int n = matrix.operators().size();
    return sources.stream()
        .flatMapToDouble(
            source ->
                separations.stream()
                    .flatMapToDouble(
                        dt ->
                            IntStream.range(0, n * n)
                                .mapToObj(
                                    k ->
                                        element(
                                            matrix,
                                            k / n,
                                            k % n,
                                            (source + dt) % lattice.temporalExtent(),
                                            source))
                                .flatMapToDouble(c -> DoubleStream.of(c.re(), c.im()))))
        .toArray();
  }

  /** {@code ⟨O_i(time)⟩}. */
  public Complex onePoint(CorrelationMatrix matrix, int i, int time) {
    Complex sum = Complex.ZERO;
    for (Term term : matrix.operators().get(i).terms()) {
      List<Vertex> product = annihilating(term.factors(), time);
      sum = sum.plus(coefficient(term, time).times(wick(product, matrix.quarkLabels())));
    }
    return sum;
  }

  private List<Vertex> annihilating(List<Factor> factors, int time) {
    List<Vertex> product = new ArrayList<>();
    for (Factor factor : factors) {
      if (!(factor instanceof Gluonic)) {
        product.add(vertex(factor, time, false));
      }
    }
    return product;
  }

  /** The coefficient times the gluonic factors. */
  private Complex coefficient(Term term, int time) {
    Complex product = term.coefficient();
    for (Factor factor : term.factors()) {
      if (factor instanceof Gluonic gluonic) {
        product = product.times(lattice.number("gluonic/" + gluonic, time));
      }
    }
    return product;
  }

  private Vertex vertex(Factor factor, int time, boolean adjoint) {
    return vertices.computeIfAbsent(
        List.of(factor, time, adjoint),
        key ->
            factor instanceof Bilinear meson
                ? meson(meson, time, adjoint)
                : factor instanceof TetraquarkFactor t
                    ? tetraquark(t, time, adjoint)
                    : baryon((BaryonFactor) factor, time, adjoint));
  }

  private Vertex meson(Bilinear m, int time, boolean adjoint) {
    Complex[][] gamma = lattice.matrix(m.gamma());
    Complex[][] spin =
        adjoint ? FileLattice.product(FileLattice.product(g4, adjoint(gamma)), g4) : gamma;
    Tensor tensor = Tensor.zeros(List.of(0, 1), range);
    List<String> profiles = Profiles.in(m.displacement());
    for (int a = 0; a < range; a++) {
      for (int b = 0; b < range; b++) {
        int i = (adjoint ? b : a) % n;
        int j = (adjoint ? a : b) % n;
        Complex phi = lattice.meson(Profiles.plain(m.displacement()), m.momentum(), time, i, j);
        double weight =
            profiles.isEmpty()
                ? 1
                : weight(profiles.get(0), time, i) * weight(profiles.get(1), time, j);
        tensor.set(
            a * range + b, spin[a / n][b / n].times(adjoint ? phi.conjugate() : phi).times(weight));
      }
    }
    Field bar = new Field(false, adjoint ? m.quark() : m.bar(), time);
    Field quark = new Field(true, adjoint ? m.bar() : m.quark(), time);
    return new Vertex(List.of(bar, quark), tensor);
  }

  /** {@code S[α,β,γ,δ] K[i,j,k,l]}, with weights of profiles in the order of the fields. */
  private Vertex tetraquark(TetraquarkFactor t, int time, boolean adjoint) {
    Complex[][] c = FileLattice.product(lattice.matrix(Gamma.g(2)), g4);
    Complex[][] diquark = FileLattice.product(c, lattice.matrix(t.diquark()));
    Complex[][] named = FileLattice.product(c, lattice.matrix(t.antidiquark()));
    Complex[][] antidiquark = new Complex[4][4];
    for (int k = 0; k < 16; k++) {
      antidiquark[k / 4][k % 4] = Complex.ZERO;
      for (int l = 0; l < 16; l++) {
        Complex spins = g4[k / 4][l / 4].times(g4[k % 4][l % 4]);
        antidiquark[k / 4][k % 4] =
            antidiquark[k / 4][k % 4].plus(named[l / 4][l % 4].conjugate().times(spins));
      }
    }
    PairColour colour = t.colour();
    Tensor tensor = Tensor.zeros(List.of(0, 1, 2, 3), range);
    for (int place = 0; place < range * range * range * range; place++) {
      int[] at = new int[4];
      double weight = 1;
      for (int k = 3, rest = place; k >= 0; k--, rest /= range) {
        at[k] = rest % range;
        weight *= weight(t.allProfiles().get(k), time, at[k] % n);
      }
      int[] v = Arrays.stream(at).map(x -> x % n).toArray();
      weight *= colour.sign(v[0], v[1]) * colour.sign(v[2], v[3]);
      Complex spin = antidiquark[at[0] / n][at[1] / n].times(diquark[at[2] / n][at[3] / n]);
      if (weight != 0 && spin.abs() > 0) {
        int row = colour.place(v[0], v[1]);
        int column = colour.place(v[2], v[3]);
        Complex value =
            lattice.tetraquark(colour, t.momentum(), time, row, column).times(spin).times(weight);
        // The fields of the adjoint stand in the opposite order.
        int reversed = ((at[3] * range + at[2]) * range + at[1]) * range + at[0];
        tensor.set(adjoint ? reversed : place, adjoint ? value.conjugate() : value);
      }
    }
    List<Field> fields = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      boolean quark = k > 1 != adjoint;
      fields.add(adjoint ? 0 : k, new Field(quark, t.flavours().get(k), time));
    }
    for (int leg = 0; leg < 4 && adjoint; leg++) {
      // q̄† = g4 q, and q† = q̄ g4.
      Tensor turn = Tensor.zeros(List.of(0, 1), range);
      for (int k = 0; k < 16 * n; k++) {
        int from = k / n / 4;
        int to = k / n % 4;
        turn.set(
            (from * n + k % n) * range + to * n + k % n,
            fields.get(leg).quark() ? g4[from][to] : g4[to][from]);
      }
      tensor = tensor.times(leg, turn);
    }
    return new Vertex(fields, tensor);
  }

  /** The weight of a profile that lists weights, perhaps by time. */
  private static double weight(String profile, int time, int vector) {
    if (profile.isEmpty()) {
      return 1;
    }
    String[] times = profile.substring("weights ".length()).split(";");
    return Double.parseDouble(times[times.length == 1 ? 0 : time].split(" ")[vector]);
  }

  private static Complex[][] adjoint(Complex[][] matrix) {
    Complex[][] adjoint = new Complex[4][4];
    for (int row = 0; row < 4; row++) {
      for (int column = 0; column < 4; column++) {
        adjoint[row][column] = matrix[column][row].conjugate();
      }
    }
    return adjoint;
  }

  private Vertex baryon(BaryonFactor b, int time, boolean adjoint) {
    Complex[][][] spin = adjoint ? barred(spin(b)) : spin(b);
    Tensor tensor = Tensor.zeros(List.of(0, 1, 2), range);
    for (int x = 0; x < range; x++) {
      for (int y = 0; y < range; y++) {
        for (int z = 0; z < range; z++) {
          Complex elemental =
              lattice.baryon(b.displacement(), b.momentum(), time, x % n, y % n, z % n);
          Complex s = spin[x / n][y / n][z / n];
          // The fields of the adjoint stand in the opposite order.
          int place = adjoint ? (z * range + y) * range + x : (x * range + y) * range + z;
          tensor.set(place, s.times(adjoint ? elemental.conjugate() : elemental));
        }
      }
    }
    Field first = new Field(!adjoint, b.quark1(), time);
    Field second = new Field(!adjoint, b.quark2(), time);
    Field third = new Field(!adjoint, b.quark3(), time);
    return new Vertex(
        adjoint ? List.of(third, second, first) : List.of(first, second, third), tensor);
  }

  /** {@code S[α,β,γ] = (C Γ)[α,β] ½(1 ± g4)[c,γ]}, C = g2 g4. */
  private Complex[][][] spin(BaryonFactor b) {
    Complex[][] c = FileLattice.product(lattice.matrix(Gamma.g(2)), g4);
    Complex[][] diquark = FileLattice.product(c, lattice.matrix(b.diquark()));
    Complex[][][] spin = new Complex[4][4][4];
    for (int alpha = 0; alpha < 4; alpha++) {
      for (int beta = 0; beta < 4; beta++) {
        for (int gamma = 0; gamma < 4; gamma++) {
          Complex one = gamma == b.component() - 1 ? Complex.ONE : Complex.ZERO;
          Complex w = one.plus(g4[b.component() - 1][gamma].times(b.parity())).times(0.5);
          spin[alpha][beta][gamma] = diquark[alpha][beta].times(w);
        }
      }
    }
    return spin;
  }

  /** {@code S̄[α,β,γ] = Σ S[α',β',γ']* g4[α,α'] g4[β,β'] g4[γ,γ']}. */
  private Complex[][][] barred(Complex[][][] spin) {
    Complex[][][] barred = new Complex[4][4][4];
    for (int k = 0; k < 64; k++) {
      Complex sum = Complex.ZERO;
      for (int l = 0; l < 64; l++) {
        sum =
            sum.plus(
                spin[l / 16][l / 4 % 4][l % 4]
                    .conjugate()
                    .times(g4[k / 16][l / 16])
                    .times(g4[k / 4 % 4][l / 4 % 4])
                    .times(g4[k % 4][l % 4]));
      }
      barred[k / 16][k / 4 % 4][k % 4] = sum;
    }
    return barred;
  }

  /** The sum over all pairings. */
  private Complex wick(List<Vertex> product, Map<String, String> labels) {
    List<Field> fields = new ArrayList<>();
    product.forEach(vertex -> fields.addAll(vertex.fields()));
    List<Integer> quarks = new ArrayList<>();
    for (int k = 0; k < fields.size(); k++) {
      if (fields.get(k).quark()) {
        quarks.add(k);
      }
    }
    if (2 * quarks.size() != fields.size()) {
      return Complex.ZERO;
    }
    return pair(product, fields, quarks, new ArrayList<>(), labels);
  }

  private Complex pair(
      List<Vertex> product,
      List<Field> fields,
      List<Integer> quarks,
      List<Integer> partners,
      Map<String, String> labels) {
    if (partners.size() == quarks.size()) {
      return pairing(product, fields, quarks, partners, labels);
    }
    Field quark = fields.get(quarks.get(partners.size()));
    Complex sum = Complex.ZERO;
    for (int k = 0; k < fields.size(); k++) {
      Field bar = fields.get(k);
      if (!bar.quark() && bar.flavour().equals(quark.flavour()) && !partners.contains(k)) {
        partners.add(k);
        sum = sum.plus(pair(product, fields, quarks, partners, labels));
        partners.remove(partners.size() - 1);
      }
    }
    return sum;
  }

  /** One pairing: tensors with the lines attached, contracted; legs are named by antiquarks. */
  private Complex pairing(
      List<Vertex> product,
      List<Field> fields,
      List<Integer> quarks,
      List<Integer> partners,
      Map<String, String> labels) {
    List<Tensor> tensors = new ArrayList<>();
    int position = 0;
    for (Vertex vertex : product) {
      Tensor tensor = vertex.tensor();
      List<Integer> legs = new ArrayList<>();
      for (int leg = 0; leg < vertex.fields().size(); leg++, position++) {
        Field field = vertex.fields().get(leg);
        if (field.quark()) {
          int partner = partners.get(quarks.indexOf(position));
          String label = String.valueOf(labels.get(field.flavour()));
          tensor = tensor.times(leg, line(label, field.time(), fields.get(partner).time()));
          legs.add(partner);
        } else {
          legs.add(position);
        }
      }
      tensors.add(tensor.relabelled(legs).traced());
    }
    return contracted(tensors).times(sign(quarks, partners));
  }

  private Tensor line(String label, int sink, int source) {
    return lines.computeIfAbsent(
        List.of(label, sink, source),
        key -> {
          Tensor tau = Tensor.zeros(List.of(0, 1), range);
          for (int a = 0; a < range; a++) {
            for (int b = 0; b < range; b++) {
              tau.set(
                  a * range + b,
                  lattice.perambulator(label, sink, source, a / n, b / n, a % n, b % n));
            }
          }
          return tau;
        });
  }

  /** The sign of the permutation to q q̄ q q̄ …. */
  private static int sign(List<Integer> quarks, List<Integer> partners) {
    List<Integer> order = new ArrayList<>();
    for (int k = 0; k < quarks.size(); k++) {
      order.add(quarks.get(k));
      order.add(partners.get(k));
    }
    int sign = 1;
    for (int a = 0; a < order.size(); a++) {
      for (int b = 0; b < a; b++) {
        sign *= order.get(b) > order.get(a) ? -1 : 1;
      }
    }
    return sign;
  }

  /** Contracts everything, at each step with the tensor that shares most legs. */
  private static Complex contracted(List<Tensor> tensors) {
    Complex value = Complex.ONE;
    Tensor current = null;
    while (current != null || !tensors.isEmpty()) {
      if (current == null) {
        current = tensors.remove(tensors.size() - 1);
      }
      if (current.legs().isEmpty()) {
        value = value.times(current.get(0));
        current = null;
        continue;
      }
      Tensor best = tensors.get(0);
      for (Tensor tensor : tensors) {
        if (shared(current, tensor) > shared(current, best)) {
          best = tensor;
        }
      }
      tensors.remove(best);
      current = current.times(best);
    }
    return value;
  }

  private static long shared(Tensor a, Tensor b) {
    return a.legs().stream().filter(b.legs()::contains).count();
  }

  @Override
  public void close() {
    lattice.close();
  }
}
