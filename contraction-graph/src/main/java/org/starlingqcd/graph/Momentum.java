package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;

/** A lattice momentum {@code n}, meaning {@code p = 2πn/L}; never reduced modulo L. */
public record Momentum(int x, int y, int z) implements Comparable<Momentum> {
  /** Momentum zero. */
  public static final Momentum ZERO = new Momentum(0, 0, 0);

  /** All momenta n with n² of at most {@code bound}, in ascending order. */
  public static List<Momentum> ball(int bound) {
    List<Momentum> all = new ArrayList<>();
    int side = (int) Math.sqrt(bound);
    for (int x = -side; x <= side; x++) {
      for (int y = -side; y <= side; y++) {
        for (int z = -side; z <= side; z++) {
          if (x * x + y * y + z * z <= bound) {
            all.add(new Momentum(x, y, z));
          }
        }
      }
    }
    return all;
  }

  /** The opposite momentum. */
  public Momentum negate() {
    return new Momentum(-x, -y, -z);
  }

  /** The sum with another momentum. */
  public Momentum plus(Momentum other) {
    return new Momentum(
        Math.addExact(x, other.x), Math.addExact(y, other.y), Math.addExact(z, other.z));
  }

  /** n·n. */
  public long squared() {
    return (long) x * x + (long) y * y + (long) z * z;
  }

  /** The component along axis 0, 1 or 2. */
  public int component(int axis) {
    return switch (axis) {
      case 0 -> x;
      case 1 -> y;
      case 2 -> z;
      default -> throw new IllegalArgumentException("axis must be >= 0 && <= 2: axis=" + axis);
    };
  }

  @Override
  public int compareTo(Momentum other) {
    int c = Integer.compare(x, other.x);
    if (c == 0) {
      c = Integer.compare(y, other.y);
    }
    return c != 0 ? c : Integer.compare(z, other.z);
  }

  /** The name used in data files, {@code nx_ny_nz}. */
  public String fileName() {
    return x + "_" + y + "_" + z;
  }

  @Override
  public String toString() {
    return "[" + x + ", " + y + ", " + z + "]";
  }
}
