package org.starlingqcd.correlators.definition;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/**
 * A definition with every operator written out, under the keys of the definition format. As JSON,
 * which is YAML too, it is itself a definition, of the same correlation matrix.
 *
 * @param isospin I and I3, if given
 * @param irrep name of the irrep, if given
 * @param row name of its row, if it has several
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WrittenOut(
    String name,
    @Nullable List<String> isospin,
    List<Integer> momentum,
    @Nullable String irrep,
    @Nullable String row,
    Map<String, String> quarks,
    boolean vev,
    List<OperatorTerms> operators) {

  /** An operator. */
  public record OperatorTerms(String name, List<WrittenTerm> terms) {}

  /** A term; either list of factors may be empty. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record WrittenTerm(
      List<Double> coefficient, List<WrittenBaryon> baryons, List<WrittenMeson> mesons) {}

  /** A meson factor; without displacement, that is null. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record WrittenMeson(
      String bar,
      String gamma,
      String quark,
      List<Integer> momentum,
      @Nullable String displacement) {}

  /** A baryon factor. */
  public record WrittenBaryon(
      List<String> quarks, String diquark, String parity, int component, List<Integer> momentum) {}

  /** The written-out form of a definition. */
  public static WrittenOut of(Definition definition) {
    DefinitionHeader header = definition.header();
    Isospin isospin = header.isospin();
    DefinitionHeader.Target target = header.target();
    return new WrittenOut(
        header.name(),
        isospin == null ? null : List.of(isospin.total().toString(), isospin.third().toString()),
        momentum(header.momentum()),
        target == null ? null : target.irrep(),
        header.rowName().orElse(null),
        header.quarks(),
        header.onePoint(),
        definition.toCorrelationMatrix().operators().stream().map(WrittenOut::operator).toList());
  }

  private static OperatorTerms operator(Operator operator) {
    return new OperatorTerms(
        operator.name(), operator.terms().stream().map(WrittenOut::term).toList());
  }

  private static WrittenTerm term(Term term) {
    int sign = 1;
    List<WrittenBaryon> baryons = new ArrayList<>();
    List<WrittenMeson> mesons = new ArrayList<>();
    for (Factor factor : term.factors()) {
      if (factor instanceof Bilinear meson) {
        sign *= customarySign(meson.gamma());
        mesons.add(meson(meson));
      } else {
        BaryonFactor baryon = (BaryonFactor) factor;
        sign *= customarySign(baryon.diquark());
        baryons.add(baryon(baryon));
      }
    }
    // The sum with 0 turns -0 into 0.
    Complex c = term.coefficient().times(sign).plus(Complex.ZERO);
    return new WrittenTerm(List.of(c.re(), c.im()), baryons, mesons);
  }

  private static WrittenMeson meson(Bilinear meson) {
    return new WrittenMeson(
        meson.bar(),
        customaryName(meson.gamma()),
        meson.quark(),
        momentum(meson.momentum()),
        meson.displacement().equals(ElementalRef.NO_DISPLACEMENT) ? null : meson.displacement());
  }

  private static WrittenBaryon baryon(BaryonFactor baryon) {
    String gamma = customaryName(baryon.diquark());
    return new WrittenBaryon(
        List.of(baryon.quark1(), baryon.quark2(), baryon.quark3()),
        gamma.equals("1") ? "C" : "C" + gamma,
        baryon.parity() > 0 ? "plus" : "minus",
        baryon.component(),
        momentum(baryon.momentum()));
  }

  private static List<Integer> momentum(Momentum n) {
    return List.of(n.x(), n.y(), n.z());
  }

  /** Products of three are customarily written with g5: {@code g3g5}, not {@code g1g2g4}. */
  private static String customaryName(Gamma gamma) {
    return Integer.bitCount(gamma.mask()) == 3
        ? gamma.times(Gamma.G5).unsigned() + "g5"
        : gamma.unsigned().toString();
  }

  /** The sign of a structure relative to the one of its {@link #customaryName}. */
  private static int customarySign(Gamma gamma) {
    return gamma.sign() * Gamma.parse(customaryName(gamma)).sign();
  }
}
