package org.starlingqcd.analysis.exchange;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;

/**
 * The names that sigmond gives to operators: {@code isotriplet S=0 P=(0,0,0) T1g_3 NAME 0}. sigmond
 * writes g and u for the parities of single-valued irreps, and counts rows from 1.
 */
final class SigmondOperators {
  /** sigmond packs a name into a fixed number of words. */
  static final int LONGEST_NAME = 24;

  private static final List<String> ISOSPINS =
      List.of("singlet", "doublet", "triplet", "quartet", "quintet", "sextet", "septet");

  private SigmondOperators() {}

  /**
   * Names for the operators of a definition, in the order given.
   *
   * @throws InputException when the definition does not say what sigmond wants to know, or names
   *     are too long or not unique for it
   */
  static List<String> names(Definition definition, List<String> operators) {
    DefinitionHeader header = definition.header();
    Isospin isospin = header.isospin();
    DefinitionHeader.@Nullable Target target = header.target();
    if (isospin == null || isospin.total().twice() >= ISOSPINS.size()) {
      throw new InputException(
          definition.name()
              + ": sigmond names operators by their isospin up to 3, and the definition "
              + (isospin == null ? "does not state one" : "has I = " + isospin.total())
              + "; export to another format");
    }
    CorrelationMatrix matrix = definition.toCorrelationMatrix();
    Momentum momentum = header.total();
    String place =
        String.format(
            Locale.ROOT,
            "P=(%d,%d,%d) %s",
            momentum.x(),
            momentum.y(),
            momentum.z(),
            target == null ? "NONE" : irrep(target.irrep()) + "_" + (target.row() + 1));
    List<String> names = new ArrayList<>();
    for (String operator : operators) {
      names.add(
          "iso"
              + ISOSPINS.get(isospin.total().twice())
              + " S="
              + strangeness(matrix, operator)
              + " "
              + place
              + " "
              + idName(definition, operator)
              + " 0");
    }
    Set<String> unique = new LinkedHashSet<>(names);
    if (unique.size() < names.size()) {
      throw new InputException(
          definition.name() + ": operators have equal names in sigmond: " + names);
    }
    return names;
  }

  /** {@code T1+} is {@code T1g}. */
  private static String irrep(String name) {
    return name.endsWith("+")
        ? name.substring(0, name.length() - 1) + "g"
        : name.endsWith("-") ? name.substring(0, name.length() - 1) + "u" : name;
  }

  private static String idName(Definition definition, String operator) {
    String name = operator.replaceAll("[^A-Za-z0-9_.+-]", "_");
    if (name.length() > LONGEST_NAME) {
      throw new InputException(
          definition.name()
              + ": sigmond takes operator names of at most "
              + LONGEST_NAME
              + " characters: '"
              + operator
              + "' has "
              + name.length()
              + "; export to another format or shorten it in the definition");
    }
    return name;
  }

  /**
   * The strangeness of the hadrons that an operator annihilates: that of a kaon (s̄Γu) has 1, that
   * of a Lambda (uds) has -1. All terms of an operator agree.
   */
  private static int strangeness(CorrelationMatrix matrix, String name) {
    for (Operator operator : matrix.operators()) {
      if (operator.name().equals(name)) {
        return -operator.terms().get(0).netFlavour().getOrDefault("s", 0);
      }
    }
    throw new InputException(matrix.name() + ": the definition has no operator '" + name + "'");
  }
}
