package org.starlingqcd.hadron.data;

import java.util.Comparator;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;

/**
 * A current between two quark lines: the name of its generalized perambulators and, where both
 * labels are the same, of its loop.
 *
 * @param bar label of the line on the left of Γ D, which ends at the sink
 * @param quark label of the line on the right, which begins at the source
 * @param vertex what stands between them
 */
public record CurrentName(String bar, String quark, CurrentVertex vertex)
    implements Comparable<CurrentName> {
  /** The displacement of a point-split conserved current. */
  public static final String CONSERVED = "conserved";

  /** The vertex of the charge of a quark, which obeys a Ward identity. */
  public static final CurrentVertex CHARGE = new CurrentVertex(Gamma.G4, CONSERVED, Momentum.ZERO);

  /** The derivative in time. */
  public static final String TIME_DERIVATIVE = "D_t";

  private static final Comparator<CurrentName> ORDER =
      Comparator.comparing(CurrentName::bar)
          .thenComparing(CurrentName::quark)
          .thenComparing(CurrentName::vertex);

  /**
   * Sink and source time of generalized perambulators.
   *
   * @param sinkTime t_f
   * @param sourceTime t_i
   */
  public record Ends(int sinkTime, int sourceTime) implements Comparable<Ends> {
    private static final Comparator<Ends> ORDER =
        Comparator.comparingInt(Ends::sourceTime).thenComparingInt(Ends::sinkTime);

    /** The same times exchanged. */
    public Ends exchanged() {
      return new Ends(/* sinkTime= */ sourceTime, /* sourceTime= */ sinkTime);
    }

    /** Whether a time is one of t_i, t_i + 1, …, t_f - 1 modulo T. */
    public boolean include(int time, int extent) {
      return Math.floorMod(time - sourceTime, extent)
          < Math.floorMod(sinkTime - sourceTime, extent);
    }

    @Override
    public int compareTo(Ends other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return "(" + sinkTime + ", " + sourceTime + ")";
    }
  }

  /**
   * The current of a group or an entry that is named by its labels: {@code f-g} where one {@code -}
   * separates them. With several, the first label is the whole name and the second empty, until the
   * labels of perambulators are known; without any, the name is both labels.
   */
  public static CurrentName of(String labels, CurrentVertex vertex) {
    int at = labels.indexOf('-');
    if (at < 0) {
      return new CurrentName(labels, labels, vertex);
    }
    return labels.indexOf('-', at + 1) < 0
        ? new CurrentName(labels.substring(0, at), labels.substring(at + 1), vertex)
        : new CurrentName(labels, "", vertex);
  }

  /** The current whose adjoint γ5-hermiticity relates to this one: labels exchanged, at -q. */
  public CurrentName reversed() {
    return new CurrentName(
        quark,
        bar,
        new CurrentVertex(vertex.gamma(), vertex.displacement(), vertex.momentum().negate()));
  }

  /**
   * The sign η of {@code τ_Γ^{fg}(t_f, t, t_i; q) = η γ5 τ_Γ^{gf}(t_i, t, t_f; -q)† γ5} and {@code
   * L_Γ(t; q) = η L_Γ(t; -q)*}; 0 when nothing is known about the displacement.
   */
  public int eta() {
    Gamma gamma = vertex.gamma();
    int sign = Gamma.G5.times(gamma.adjoint()).times(Gamma.G5).sign();
    String displacement = vertex.displacement();
    Displacement known = Displacement.of(displacement);
    if (known.kind() == Displacement.Kind.NONE) {
      return sign;
    }
    if (displacement.equals(CONSERVED)) {
      return Integer.bitCount(gamma.mask()) == 1 ? sign : 0;
    }
    boolean derivative =
        displacement.equals(TIME_DERIVATIVE)
            || (known.kind() == Displacement.Kind.DERIVATIVE && known.axes().size() == 1);
    return derivative ? -sign : 0;
  }

  @Override
  public int compareTo(CurrentName other) {
    return ORDER.compare(this, other);
  }

  /** {@code bar-quark/gamma/displacement/qx_qy_qz}, as in a file. */
  @Override
  public String toString() {
    return (quark.isEmpty() ? bar : bar + "-" + quark) + "/" + vertex;
  }
}
