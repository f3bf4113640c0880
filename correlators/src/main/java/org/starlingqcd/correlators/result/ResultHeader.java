package org.starlingqcd.correlators.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.hadron.text.Printable;

/**
 * What all units of one result file have in common.
 *
 * @param definition text of the definition (YAML); one of an earlier version begins with {@link
 *     DefinitionLoader#EARLIER_NAMES}
 * @param operators names of the operators, in the order of the correlator's axes
 * @param conjugation sign of each operator under complex conjugation with parity, 0 where it is not
 *     decided; empty where the file does not say
 * @param separations separations dt in the order of the correlator's axis, lattice units
 * @param temporalExtent T, where it is known
 * @param precision in which elements were kept and multiplied
 * @param sampledSites sites from which elementals of tetraquarks are estimated; 0 where they are
 *     not
 * @param currents further axes of three-point functions, whose {@code operators} are those of the
 *     sink; null for two-point functions
 * @param eigenvectors N of the data; 0 where it is not known
 * @param gammaBasis of the data; empty where it is not known
 * @param noises of stochastic lines; null where all lines are exact
 */
public record ResultHeader(
    String name,
    String ensemble,
    String definition,
    List<String> operators,
    List<Integer> conjugation,
    List<Integer> separations,
    boolean onePoint,
    OptionalInt temporalExtent,
    Precision precision,
    int sampledSites,
    @Nullable CurrentAxes currents,
    int eigenvectors,
    String gammaBasis,
    @Nullable Noises noises) {

  /**
   * Which assignments of noises were averaged.
   *
   * @param assignments the largest number of them that a diagram has
   * @param subsets K; 0 for all
   * @param kept whether the numbers of each window are kept
   */
  public record Noises(int assignments, int subsets, boolean kept) {}

  /** K where the numbers of each window are kept, else 0. */
  public int windows() {
    return noises != null && noises.kept() ? noises.subsets() : 0;
  }

  /**
   * A dataset that a unit is part of.
   *
   * @param name below the group of a configuration
   * @param extents of what one source has
   * @param before how many of them stand before the axis of sources
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Part(String name, long[] extents, int before) {
    Part(String name, long[] extents) {
      this(name, extents, 0);
    }

    /** The product of the extents before the axis of sources. */
    int blocks() {
      return (int) Arrays.stream(extents).limit(before).reduce(1, Math::multiplyExact);
    }

    /** Real and imaginary parts of one source. */
    public long doubles() {
      return 2 * Arrays.stream(extents).reduce(1, Math::multiplyExact);
    }
  }

  /** The datasets in which the numbers of a unit stand, one after the other. */
  public List<Part> parts() {
    long n = operators.size();
    long dt = separations.size();
    if (currents == null) {
      Part all = new Part("correlator", new long[] {dt, n, n});
      return windows() == 0
          ? List.of(all)
          : List.of(all, new Part("by_subset", new long[] {windows(), dt, n, n}, 1));
    }
    long m = currents.sources().size();
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("two_point", new long[] {dt, n, m}));
    long[] extents = {dt, currents.separations().size(), n, m};
    for (String insertion : currents.insertions()) {
      parts.add(new Part("insertion/" + insertion + "/connected", extents));
      if (currents.disconnected().contains(insertion)) {
        parts.add(new Part("insertion/" + insertion + "/disconnected", extents));
      }
    }
    return parts;
  }

  /** The datasets in which the one-point functions or loops of a time stand. */
  List<Part> rowParts() {
    if (currents != null) {
      return currents.loops().stream().map(i -> new Part("current/" + i, new long[0])).toList();
    }
    long n = operators.size();
    Part all = new Part("vev", new long[] {n});
    return windows() == 0
        ? List.of(all)
        : List.of(all, new Part("vev_by_subset", new long[] {windows(), n}, 1));
  }

  /** Where the numbers of a dataset begin in a unit. */
  public int offset(String part) {
    return (int)
        parts().stream().takeWhile(p -> !p.name().equals(part)).mapToLong(Part::doubles).sum();
  }

  /** Of whom a time has one-point functions or loops. */
  List<String> row() {
    return currents == null ? operators : currents.loops();
  }

  /** Copies the lists. */
  public ResultHeader {
    operators = List.copyOf(operators);
    conjugation = List.copyOf(conjugation);
    separations = List.copyOf(separations);
  }

  /**
   * What makes the results of this header others than those of {@code wanted}, in words that follow
   * "results"; null when the units of both may stand in one file. A file without configurations
   * fits all separations, and an unknown temporal extent fits all.
   */
  public @Nullable String difference(ResultHeader wanted) {
    if (!name.equals(wanted.name)) {
      return "of " + instead("definition", quoted(name), quoted(wanted.name));
    }
    if (!operators.equals(wanted.operators)
        || (onePoint != wanted.onePoint && !separations.isEmpty())
        || !DefinitionLoader.isSame(definition, wanted.definition)) {
      String times = instead(wanted);
      if (times != null && DefinitionLoader.hasGrown(definition, wanted.definition)) {
        return times;
      }
      return DefinitionLoader.differInNames(definition, wanted.definition)
          ? "of an earlier version, which named operators otherwise: I3 had the opposite sign, K and"
              + " Kstar annihilated antikaons, Kbar and Kstarbar kaons; to continue the same"
              + " correlators, change the sign of I3 and exchange these names in the definition, or"
              + " write '"
              + DefinitionLoader.EARLIER_NAMES
              + "' as its first line"
          : "of another definition of the name " + quoted(name);
    }
    if (!ensemble.equals(wanted.ensemble)) {
      return "of " + instead("ensemble", quoted(ensemble), quoted(wanted.ensemble));
    }
    if (temporalExtent.isPresent()
        && wanted.temporalExtent.isPresent()
        && !temporalExtent.equals(wanted.temporalExtent)) {
      return "with "
          + instead("temporal extent", temporalExtent.getAsInt(), wanted.temporalExtent.getAsInt());
    }
    if (!isOfDataLike(wanted)) {
      return eigenvectors == wanted.eigenvectors
          ? "in " + instead("gamma basis", quoted(gammaBasis), quoted(wanted.gammaBasis))
          : "of " + instead("data with N =", eigenvectors, wanted.eigenvectors);
    }
    if (precision != wanted.precision) {
      return "with " + instead("precision", precision.label(), wanted.precision.label());
    }
    if (!Objects.equals(noises, wanted.noises)) {
      return "with " + instead("noises", text(noises), text(wanted.noises));
    }
    if (sampledSites != wanted.sampledSites) {
      return "with "
          + instead("sampled sites of tetraquarks", sampledSites, wanted.sampledSites)
          + " (0: elementals)";
    }
    return instead(wanted);
  }

  private static String text(@Nullable Noises noises) {
    return noises == null
        ? "(exact lines)"
        : "(%d assignments, %d windows, %s --keep-noises)"
            .formatted(noises.assignments(), noises.subsets(), noises.kept() ? "with" : "without");
  }

  /** Whether the data may be the same, as far as both are known. */
  private boolean isOfDataLike(ResultHeader other) {
    return eigenvectors == 0
        || other.eigenvectors == 0
        || (eigenvectors == other.eigenvectors && gammaBasis.equals(other.gammaBasis));
  }

  /** The times that this header has instead of others; null where it has the same or none. */
  private @Nullable String instead(ResultHeader wanted) {
    if (separations.isEmpty()) {
      return null;
    }
    if (!separations.equals(wanted.separations)) {
      return "with " + instead("separations", separations, wanted.separations);
    }
    return currents == null
            || wanted.currents == null
            || currents.separations().equals(wanted.currents.separations())
        ? null
        : "with "
            + instead(
                "insertion separations", currents.separations(), wanted.currents.separations());
  }

  /**
   * Whether a result of this header becomes one of {@code wanted} when more elements of it are
   * computed: operators, separations, insertions or insertion separations were added, and the
   * operators and insertions that were there keep their meaning and their order.
   */
  boolean canGrowInto(ResultHeader wanted) {
    boolean sameKind =
        currents == null
            ? wanted.currents == null && onePoint == wanted.onePoint
            : wanted.currents != null
                && wanted.currents.separations().containsAll(currents.separations());
    return sameKind
        && isOfDataLike(wanted)
        && name.equals(wanted.name)
        && ensemble.equals(wanted.ensemble)
        && (temporalExtent.isEmpty()
            || wanted.temporalExtent.isEmpty()
            || temporalExtent.equals(wanted.temporalExtent))
        && precision == wanted.precision
        && sampledSites == wanted.sampledSites
        && Objects.equals(noises, wanted.noises)
        && windows() == 0
        && !separations.isEmpty()
        && wanted.separations.containsAll(separations)
        && wanted.operators.stream().filter(operators::contains).toList().equals(operators)
        && correlatorDoubles() < wanted.correlatorDoubles()
        && DefinitionLoader.hasGrown(definition, wanted.definition);
  }

  /**
   * The sign of each operator under complex conjugation with parity; 0 where it is not decided. It
   * follows from the definition where the file does not say it.
   */
  public List<Integer> signs() {
    if (conjugation.size() == operators.size()) {
      return conjugation;
    }
    try {
      Definition parsed = DefinitionLoader.parse(name, definition);
      if (parsed.operators().stream().map(o -> o.name()).toList().equals(operators)) {
        return parsed.conjugation();
      }
    } catch (DefinitionException e) {
      // Nothing is known of operators of another program.
    }
    return Collections.nCopies(operators.size(), 0);
  }

  private static String quoted(String text) {
    return "'" + Printable.of(text) + "'";
  }

  private static String instead(String what, Object found, Object wanted) {
    return what + " " + found + " instead of " + wanted;
  }

  /** Real and imaginary parts of the correlators of one unit, {@link #parts}. */
  int correlatorDoubles() {
    long doubles = 0;
    for (Part part : parts()) {
      doubles += part.doubles();
      if (doubles > Integer.MAX_VALUE) {
        throw new InputException(
            "'%s': one unit has more than 2^30 - 1 numbers, with %s of '%s' alone, so take fewer"
                    .formatted(Printable.of(name), Arrays.toString(part.extents()), part.name())
                + " separations or operators");
      }
    }
    return (int) doubles;
  }

  /** Where a number of a unit's correlators stands, in words. */
  public String place(int number) {
    int at = number;
    for (Part part : parts()) {
      if (at < part.doubles()) {
        long[] extents = part.extents();
        int[] index = new int[extents.length];
        int element = at / 2;
        for (int k = extents.length - 1; k >= 0; k--) {
          index[k] = (int) (element % extents[k]);
          element /= (int) extents[k];
        }
        int last = extents.length - 1;
        String insertion =
            part.before() > 0
                ? "'%s', window %d, ".formatted(part.name(), index[0])
                : currents == null || last < 3
                    ? ""
                    : "'%s', insertion separation %d, "
                        .formatted(part.name(), currents.separations().get(index[1]));
        return "%sseparation %d, sink operator '%s', source operator '%s'"
            .formatted(
                insertion,
                separations.get(index[part.before()]),
                operators.get(index[last - 1]),
                (currents == null ? operators : currents.sources()).get(index[last]));
      }
      at -= (int) part.doubles();
    }
    throw new IllegalArgumentException("no number of a unit: " + number);
  }
}
