package org.starlingqcd.correlators.definition;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
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
 * @param gParity G parity that operators were projected to, if any
 * @param cParity the same for C
 * @param quantumNumbers of each operator; not read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WrittenOut(
    String name,
    @Nullable List<String> isospin,
    List<Integer> momentum,
    @Nullable String irrep,
    @Nullable String row,
    @JsonProperty("g_parity") @Nullable String gParity,
    @JsonProperty("c_parity") @Nullable String cParity,
    Map<String, String> quarks,
    boolean vev,
    @JsonProperty("allow_zero") boolean allowZero,
    List<OperatorTerms> operators,
    @JsonProperty("quantum_numbers") List<QuantumNumbers> quantumNumbers) {

  /** An operator. */
  public record OperatorTerms(String name, List<WrittenTerm> terms) {}

  /** A term; either list of factors may be empty. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record WrittenTerm(
      List<Double> coefficient, List<WrittenBaryon> baryons, List<WrittenMeson> mesons) {}

  /** A meson factor; the displacement is null if there is none. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record WrittenMeson(
      String bar,
      String gamma,
      String quark,
      List<Integer> momentum,
      @Nullable String displacement) {}

  /**
   * A baryon factor.
   *
   * @param basis the spin basis of the component if it is not the default, which is the data's
   *     basis, or DeGrand-Rossi with an irrep
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record WrittenBaryon(
      List<String> quarks,
      String diquark,
      String parity,
      int component,
      @Nullable String basis,
      List<Integer> momentum) {}

  /** The written-out form of a definition. */
  public static WrittenOut of(Definition definition) {
    DefinitionHeader header = definition.header();
    Isospin isospin = header.isospin();
    DefinitionHeader.Target target = turned(header) ? null : header.target();
    return new WrittenOut(
        header.name(),
        isospin == null ? null : List.of(isospin.total().toString(), isospin.third().toString()),
        momentum(header.total()),
        target == null ? null : target.irrep(),
        target == null ? null : header.rowName().orElse(null),
        charge(header, ChargeParity.G),
        charge(header, ChargeParity.C),
        header.quarks(),
        header.onePoint(),
        header.allowZero(),
        definition.toCorrelationMatrix().operators().stream()
            .map(operator -> operator(operator, target != null))
            .toList(),
        QuantumNumbers.of(definition));
  }

  private static @Nullable String charge(DefinitionHeader header, ChargeParity symmetry) {
    DefinitionHeader.Charge charge = header.charge();
    return charge == null || charge.symmetry() != symmetry
        ? null
        : Eigenvalue.of(charge.sign()).text();
  }

  /**
   * Whether the irrep is one at another momentum than that of the operators. Double-valued irreps
   * are the same at both.
   */
  private static boolean turned(DefinitionHeader header) {
    Irrep irrep = header.irrep();
    return irrep != null && !irrep.isDoubleValued() && header.orientation() != null;
  }

  private static OperatorTerms operator(Operator operator, boolean irrep) {
    return new OperatorTerms(
        operator.name(), operator.terms().stream().map(term -> term(term, irrep)).toList());
  }

  private static WrittenTerm term(Term term, boolean irrep) {
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
        baryons.add(baryon(baryon, irrep));
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

  private static WrittenBaryon baryon(BaryonFactor baryon, boolean irrep) {
    String gamma = customaryName(baryon.diquark());
    return new WrittenBaryon(
        List.of(baryon.quark1(), baryon.quark2(), baryon.quark3()),
        gamma.equals("1") ? "C" : "C" + gamma,
        baryon.parity() > 0 ? "plus" : "minus",
        baryon.component(),
        baryon.deGrandRossi() == irrep
            ? null
            : baryon.deGrandRossi() ? TermReader.DEGRAND_ROSSI : TermReader.DATA,
        momentum(baryon.momentum()));
  }

  private static List<Integer> momentum(Momentum n) {
    return List.of(n.x(), n.y(), n.z());
  }

  /** Products of three gammas are usually written with g5: {@code g3g5}, not {@code g1g2g4}. */
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
