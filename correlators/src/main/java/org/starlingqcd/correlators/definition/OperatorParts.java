package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.data.DataBlock;

/**
 * Operators as sums of products of gluonic factors with operators of quarks alone: {@code O_i(t) =
 * Σ_G G(t) O_i^G(t)}. The operators of quarks are what is contracted, and correlators follow from
 * theirs: {@code ⟨O_i O_j†⟩ = Σ G(t) G'(t0)* ⟨O_i^G O_j^G'†⟩}.
 */
public final class OperatorParts {
  /**
   * One part.
   *
   * @param operator number of the operator that it belongs to
   * @param factors G
   * @param constant its terms without quarks, which are not contracted
   */
  private record Part(int operator, List<Gluonic> factors, Complex constant) {}

  private final int count;
  private final List<Part> parts = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();
  private final Set<Gluonic> factors = new TreeSet<>();

  OperatorParts(List<Operator> all) {
    count = all.size();
    for (int k = 0; k < count; k++) {
      // Parts by their gluonic factors, sorted.
      Map<List<Gluonic>, List<Term>> groups = new LinkedHashMap<>();
      for (Term term : all.get(k).terms()) {
        List<Gluonic> gluonic = new ArrayList<>();
        List<Factor> quarks = new ArrayList<>();
        for (Factor factor : term.factors()) {
          if (factor instanceof Gluonic g) {
            gluonic.add(g);
          } else {
            quarks.add(factor);
          }
        }
        Collections.sort(gluonic);
        groups
            .computeIfAbsent(gluonic, factors -> new ArrayList<>())
            .add(gluonic.isEmpty() ? term : new Term(term.coefficient(), quarks));
      }
      for (Map.Entry<List<Gluonic>, List<Term>> group : groups.entrySet()) {
        Complex constant = Complex.ZERO;
        for (Term term : group.getValue()) {
          constant = term.factors().isEmpty() ? constant.plus(term.coefficient()) : constant;
        }
        parts.add(new Part(k, group.getKey(), constant));
        operators.add(new Operator(all.get(k).name(), group.getValue()));
        factors.addAll(group.getKey());
      }
    }
  }

  /** Number of the operators that have the parts. */
  public int count() {
    return count;
  }

  /** The operators of quarks, part by part. */
  public List<Operator> operators() {
    return operators;
  }

  /** The gluonic factors, each once. */
  public Set<Gluonic> factors() {
    return factors;
  }

  private Complex[] products(int time, Function<DataBlock, Complex> values) {
    return parts.stream()
        .map(
            part ->
                part.factors().stream()
                    .map(factor -> values.apply(new DataBlock.GluonicValue(factor, time)))
                    .reduce(Complex.ONE, Complex::times))
        .toArray(Complex[]::new);
  }

  /**
   * The correlators of the operators, these at the sink.
   *
   * @param correlators those of the parts, {@code [separation][…][sink][source]}
   * @param sources the operators at the source
   * @param sinkTimes by separation
   * @param values gives the gluonic factors
   * @param current whether there is a current, which terms without quarks do not have
   * @return {@code [separation][…][sink][source]}
   */
  public double[] correlators(
      double[] correlators,
      OperatorParts sources,
      int[] sinkTimes,
      int sourceTime,
      boolean current,
      Function<DataBlock, Complex> values) {
    if (factors.isEmpty() && sources.factors.isEmpty()) {
      return correlators;
    }
    int elements = parts.size() * sources.parts.size();
    int inner = correlators.length / (2 * elements * sinkTimes.length);
    double[] sums = new double[2 * count * sources.count * inner * sinkTimes.length];
    Complex[] right = sources.products(sourceTime, values);
    int from = 0;
    Complex[] left = {};
    for (int block = 0; block < inner * sinkTimes.length; block++) {
      left = block % inner == 0 ? products(sinkTimes[block / inner], values) : left;
      for (int r = 0; r < parts.size(); r++) {
        for (int c = 0; c < sources.parts.size(); c++) {
          Part sink = parts.get(r);
          Part source = sources.parts.get(c);
          Complex value = new Complex(correlators[from], correlators[from + 1]);
          if (!current) {
            value = value.plus(sink.constant().times(source.constant().conjugate()));
          }
          value = value.times(left[r]).times(right[c].conjugate());
          int to = (block * count + sink.operator()) * sources.count + source.operator();
          sums[2 * to] += value.re();
          sums[2 * to + 1] += value.im();
          from += 2;
        }
      }
    }
    return sums;
  }

  /**
   * The one-point functions of the operators.
   *
   * @param onePoint those of the parts, {@code [time][part]}
   * @return {@code [time][operator]}
   */
  public double[] onePoint(double[] onePoint, int[] times, Function<DataBlock, Complex> values) {
    if (factors.isEmpty()) {
      return onePoint;
    }
    double[] sums = new double[2 * count * times.length];
    int from = 0;
    for (int k = 0; k < times.length; k++) {
      Complex[] products = products(times[k], values);
      for (int p = 0; p < parts.size(); p++) {
        Complex value =
            new Complex(onePoint[from], onePoint[from + 1])
                .plus(parts.get(p).constant())
                .times(products[p]);
        int to = 2 * (k * count + parts.get(p).operator());
        sums[to] += value.re();
        sums[to + 1] += value.im();
        from += 2;
      }
    }
    return sums;
  }
}
