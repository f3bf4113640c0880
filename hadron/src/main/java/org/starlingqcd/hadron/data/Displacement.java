package org.starlingqcd.hadron.data;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.graph.Profiles;

/**
 * The meaning of the name of a displacement.
 *
 * <p>{@code none} is the unit operator, {@code nabla_k} the symmetric covariant derivative. {@code
 * D_k} is the forward-backward derivative {@code D_k(p) = ½ (∇_k + e^{ip·x} ∇_k e^{-ip·x})}, and
 * {@code D_jD_k} the product of two of them at one momentum. Any other name stands for itself.
 *
 * @param kind which of these it is
 * @param axes axes 0, 1, 2 of the derivatives, the left factor first
 */
public record Displacement(Kind kind, List<Integer> axes) {
  /** The largest number of derivatives in a product that has a name. */
  public static final int MOST_DERIVATIVES = 2;

  private static final String AXES = "xyz";
  private static final Pattern NABLA = Pattern.compile("nabla_([xyz])");
  private static final Pattern DERIVATIVES = Pattern.compile("D_([xyz])(?:D_([xyz]))?");

  /** Kinds of displacements. */
  public enum Kind {
    /** The unit operator. */
    NONE,
    /** The symmetric covariant derivative. */
    NABLA,
    /** A product of one or two forward-backward derivatives. */
    DERIVATIVE,
    /** Anything else; nothing is known about it. */
    OTHER
  }

  /** Copies the list. */
  public Displacement {
    axes = List.copyOf(axes);
  }

  /** The displacement of a name, profiles aside. */
  public static Displacement of(String displacement) {
    String name = Profiles.plain(displacement);
    if (name.equals("none")) {
      return new Displacement(Kind.NONE, List.of());
    }
    Matcher nabla = NABLA.matcher(name);
    if (nabla.matches()) {
      return new Displacement(Kind.NABLA, List.of(AXES.indexOf(nabla.group(1))));
    }
    Matcher derivatives = DERIVATIVES.matcher(name);
    if (derivatives.matches()) {
      List<Integer> axes = new ArrayList<>();
      axes.add(AXES.indexOf(derivatives.group(1)));
      if (derivatives.group(2) != null) {
        axes.add(AXES.indexOf(derivatives.group(2)));
      }
      return new Displacement(Kind.DERIVATIVE, axes);
    }
    return new Displacement(Kind.OTHER, List.of());
  }

  /** The name of the symmetric covariant derivative along an axis 0, 1, 2. */
  static String nabla(int axis) {
    return "nabla_" + AXES.charAt(axis);
  }

  /**
   * The name of a product of forward-backward derivatives; {@code none} for an empty one.
   *
   * @param axes axes 0, 1, 2, the left factor first
   */
  public static String derivative(List<Integer> axes) {
    StringBuilder name = new StringBuilder();
    axes.forEach(axis -> name.append("D_").append(AXES.charAt(axis)));
    return name.length() == 0 ? "none" : name.toString();
  }

  /** The name of the same kind of displacement along other axes. */
  public String withAxes(List<Integer> otherAxes) {
    return kind == Kind.NABLA ? nabla(otherAxes.get(0)) : derivative(otherAxes);
  }

  /** The names of all products of so many forward-backward derivatives, in ascending order. */
  public static List<String> derivatives(int factors) {
    List<List<Integer>> products = List.of(List.of());
    for (int k = 0; k < factors; k++) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> product : products) {
        for (int axis = 0; axis < 3; axis++) {
          List<Integer> next = new ArrayList<>(product);
          next.add(axis);
          longer.add(next);
        }
      }
      products = longer;
    }
    return products.stream().map(Displacement::derivative).toList();
  }
}
