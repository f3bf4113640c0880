package org.starlingqcd.analysis.exchange;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Writes a correlation matrix as a bins file of sigmond, in its HDF5 form: one bin a configuration,
 * one data set for the real and one for the imaginary part of each element at each time. The names
 * of data sets are XML in which a bar stands for the slash.
 *
 * <p>sigmond names operators like {@code isotriplet S=0 P=(0,0,0) T1g_3 NAME 0}. It writes g and u
 * for the parities of single-valued irreps, and counts rows from 1.
 */
final class SigmondFormat {
  /** sigmond packs a name into a fixed number of words. */
  private static final int LONGEST_NAME = 24;

  private static final int LONGEST_OBSERVABLE = 64;

  private static final List<String> ISOSPINS =
      List.of("singlet", "doublet", "triplet", "quartet", "quintet", "sextet", "septet");

  private SigmondFormat() {}

  /**
   * Writes a file. Three-point functions are simple observables, whose index is t - t_i or dt.
   *
   * @throws InputException when sigmond cannot name the elements
   */
  static void write(Path path, Exporter.Export export) {
    CorrelatorData first = export.correlators().get(0);
    List<String> operators =
        export.currents() == null
            ? names(DefinitionLoader.parse(export.name(), export.definition()), first.operators())
            : List.of();
    try (Hdf5File file = Hdf5File.create(path)) {
      header(file, first.ensemble(), first.configurations().size());
      for (CorrelatorData data : export.correlators()) {
        String observable = operators.isEmpty() ? observable(export.name(), data.name()) : "";
        int n = data.size();
        for (int k = 0; k < 2 * data.separations().size() * n * n; k++) {
          int part = k % 2;
          int j = k / 2 % n;
          int i = k / 2 / n % n;
          int t = k / 2 / n / n;
          int at = data.separations().get(t);
          String key =
              operators.isEmpty()
                  ? "<Info>%s %s s %s<|Info>".formatted(observable, at, part == 0 ? "re" : "im")
                  : "<CorrT>GI{%s} GI{%s} time=%s HermMat<|CorrT><Arg>%s<|Arg>"
                      .formatted(operators.get(i), operators.get(j), at, part == 0 ? "Re" : "Im");
          String name = "/data/Values/<MCObservable>" + key + "<|MCObservable>";
          double[] bins = new double[data.configurations().size()];
          Arrays.setAll(bins, c -> data.average(c, part, t, i, j));
          Table.write(file, name, ElementType.REAL, bins, bins.length);
        }
      }
    }
  }

  private static String observable(String result, String element) {
    String name = element.replaceAll("[^A-Za-z0-9_.+-]", "_");
    if (name.length() > LONGEST_OBSERVABLE) {
      throw InputException.of(
          "%s: sigmond takes names of observables of at most %d characters: '%s' has %d;"
              + " export to another format or shorten names in the definition",
          result, LONGEST_OBSERVABLE, name, name.length());
    }
    return name;
  }

  private static void header(Hdf5File file, String ensemble, int bins) {
    file.createText("/Info/FIdentifier", "Sigmond--BinsFile");
    file.createText("/Info/Endianness", "L");
    file.createText(
        "/data/Header",
        """
        <SigmondBinsFile><MCBinsInfo><MCEnsembleInfo>%s</MCEnsembleInfo><NumberOfMeasurements>%s\
        </NumberOfMeasurements><NumberOfBins>%2$s</NumberOfBins></MCBinsInfo></SigmondBinsFile>"""
            .formatted(
                ensemble.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), bins));
    file.createText("/data/IncludeCKS", "N");
  }

  /**
   * Names for the operators of a definition, in the order given.
   *
   * @throws InputException when the definition does not say what sigmond wants to know, or names
   *     are too long or not unique for it
   */
  static List<String> names(Definition definition, List<String> operators) {
    DefinitionHeader header = definition.header();
    Isospin isospin = header.isospin();
    if (isospin == null || isospin.total().twice() >= ISOSPINS.size()) {
      throw InputException.of(
          "%s: sigmond names operators by their isospin up to 3, and the definition %s; export to"
              + " another format",
          definition.name(), isospin == null ? "does not state one" : "has I = " + isospin.total());
    }
    DefinitionHeader.@Nullable Target target = header.target();
    Momentum total = header.total();
    List<Operator> known = definition.toCorrelationMatrix().operators();
    List<String> names = new ArrayList<>();
    for (String operator : operators) {
      String name = operator.replaceAll("[^A-Za-z0-9_.+-]", "_");
      if (name.length() > LONGEST_NAME) {
        throw InputException.of(
            "%s: sigmond takes operator names of at most %d characters: '%s' has %d; export to"
                + " another format or shorten it in the definition",
            definition.name(), LONGEST_NAME, operator, name.length());
      }
      names.add(
          String.join(
              " ",
              "iso" + ISOSPINS.get(isospin.total().twice()),
              "S=" + strangeness(definition.name(), known, operator),
              "P=(%s,%s,%s)".formatted(total.x(), total.y(), total.z()),
              target == null ? "NONE" : irrep(target.irrep()) + "_" + (target.row() + 1),
              name,
              "0"));
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new InputException(
          definition.name() + ": operators have equal names in sigmond: " + names);
    }
    return names;
  }

  /** {@code T1+} is {@code T1g}. */
  private static String irrep(String name) {
    return name.replaceFirst("\\+$", "g").replaceFirst("-$", "u");
  }

  /**
   * The strangeness of the hadrons that an operator annihilates: that of a kaon (s̄Γu) has 1, that
   * of a Lambda (uds) has -1. All terms of an operator agree.
   */
  private static int strangeness(String definition, List<Operator> operators, String name) {
    for (Operator operator : operators) {
      if (operator.name().equals(name)) {
        return -operator.terms().get(0).netFlavour().getOrDefault("s", 0);
      }
    }
    throw new InputException(definition + ": the definition has no operator '" + name + "'");
  }
}
