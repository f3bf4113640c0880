package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Writes an analysis with all its samples to HDF5; the layout is in {@code docs/analysis.md}. */
final class AnalysisFile {
  /** The root attribute {@code format}. */
  static final String FORMAT = "correlator_analysis";

  /** The root attribute {@code format_version}. */
  static final long FORMAT_VERSION = 1;

  private AnalysisFile() {}

  /** Writes the file, replacing one that exists. */
  static void write(Path path, CorrelatorAnalysis analysis) {
    try (Hdf5File file = Hdf5File.create(path)) {
      writeRoot(file, analysis);
      writeCorrelator(file, analysis);
      for (EffectiveMass kind : EffectiveMass.values()) {
        writeMasses(file, "effective_mass/" + kind.label(), kind, analysis.masses());
        writeMasses(file, "gevp/effective_mass/" + kind.label(), kind, analysis.principalMasses());
      }
      PrincipalCorrelators principal = analysis.principal();
      if (principal != null) {
        writeEigenvalues(file, principal);
      }
      FitResults fits = analysis.fits();
      if (fits != null) {
        writeFits(file, "fits/energy", fits.correlators());
        if (principal != null) {
          writeFits(file, "gevp/fits/energy", fits.eigenvalues());
        }
      }
    }
  }

  /** Writes mean, error and spread [operator or state] and samples [sample][operator or state]. */
  private static void writeFits(Hdf5File file, String group, List<FitResults.EnergyFit> fits) {
    int n = fits.size();
    double[] mean = new double[n];
    double[] error = new double[n];
    double[] spread = new double[n];
    int count = fits.get(0).energy().samples().length;
    double[] samples = new double[count * n];
    for (int k = 0; k < n; k++) {
      Estimate energy = fits.get(k).energy();
      mean[k] = energy.value();
      error[k] = energy.error();
      spread[k] = fits.get(k).spread();
      for (int s = 0; s < count; s++) {
        samples[s * n + k] = energy.samples()[s];
      }
    }
    write(file, group + "/mean", ElementType.REAL, new long[] {n}, mean);
    write(file, group + "/error", ElementType.REAL, new long[] {n}, error);
    write(file, group + "/spread", ElementType.REAL, new long[] {n}, spread);
    write(file, group + "/samples", ElementType.REAL, new long[] {count, n}, samples);
  }

  private static void writeRoot(Hdf5File file, CorrelatorAnalysis analysis) {
    CorrelatorData data = analysis.data();
    Resampling resampling = analysis.correlator().resampling();
    Hdf5Attributes root = file.attributes("/");
    root.put("format", FORMAT);
    root.put("format_version", FORMAT_VERSION);
    root.put("name", data.name());
    root.put("ensemble", data.ensemble());
    root.put("operators", data.operators());
    root.put("conjugation", integers(data.conjugation()));
    root.put("separations", integers(data.separations()));
    root.put(
        "configurations",
        data.configurations().stream().mapToLong(CorrelatorData.Configuration::number).toArray());
    if (data.temporalExtent().isPresent()) {
      root.put("temporal_extent", data.temporalExtent().getAsInt());
    }
    root.put("resampling", resampling.method().name().toLowerCase(Locale.ROOT));
    root.put("bin_size", analysis.binSize());
    root.put("bins", resampling.bins());
    root.put("vacuum_subtracted", analysis.connected() ? 1 : 0);
    if (resampling.method() == Resampling.Method.BOOTSTRAP) {
      root.put("seed", resampling.seed());
      writeMultiplicities(file, resampling);
    }
  }

  /** The bins of every bootstrap sample, which pyerrors and others need to keep correlations. */
  private static void writeMultiplicities(Hdf5File file, Resampling resampling) {
    long[] values = new long[resampling.samples() * resampling.bins()];
    for (int k = 0; k < values.length; k++) {
      values[k] = resampling.multiplicity(k / resampling.bins(), k % resampling.bins());
    }
    try (Hdf5Dataset dataset =
        file.createDataset(
            "multiplicities",
            ElementType.INTEGER,
            new long[] {resampling.samples(), resampling.bins()},
            DatasetOptions.CONTIGUOUS)) {
      dataset.writeIntegers(values);
    }
  }

  private static void writeCorrelator(Hdf5File file, CorrelatorAnalysis analysis) {
    ResampledCorrelator correlator = analysis.correlator();
    long n = correlator.size();
    int separations = correlator.separations().size();
    double[] mean = correlator.mean();
    double[] error = new double[mean.length];
    for (int k = 0; k < error.length / 2; k++) {
      int size = correlator.size();
      int t = k / (size * size);
      int i = k / size % size;
      int j = k % size;
      error[2 * k] = correlator.real(t, i, j).error();
      error[2 * k + 1] = correlator.imaginary(t, i, j).error();
    }
    long[] extents = {separations, n, n};
    write(file, "correlator/mean", ElementType.COMPLEX, extents, mean);
    write(file, "correlator/error", ElementType.COMPLEX, extents, error);
    int samples = correlator.resampling().samples();
    try (Hdf5Dataset dataset =
        file.createDataset(
            "correlator/samples",
            ElementType.COMPLEX,
            new long[] {samples, separations, n, n},
            DatasetOptions.CONTIGUOUS)) {
      for (int s = 0; s < samples; s++) {
        dataset.write(
            new long[] {s, 0, 0, 0}, new long[] {1, separations, n, n}, correlator.samples()[s]);
      }
    }
    file.attributes("correlator").put("separations", integers(correlator.separations()));
  }

  private static void writeMasses(
      Hdf5File file, String group, EffectiveMass kind, List<MassCurve> all) {
    List<MassCurve> curves = all.stream().filter(curve -> curve.kind() == kind).toList();
    if (!curves.isEmpty()) {
      int points = curves.get(0).points().size();
      writeReal(file, group, points, curves.size(), t -> k -> curves.get(k).points().get(t));
      file.attributes(group).put("separations", integers(curves.get(0).separations()));
    }
  }

  private static void writeEigenvalues(Hdf5File file, PrincipalCorrelators principal) {
    int separations = principal.separations().size();
    int n = principal.size();
    writeReal(file, "gevp/eigenvalues", separations, n, t -> k -> principal.eigenvalue(t, k));
    file.attributes("gevp/eigenvalues").put("separations", integers(principal.separations()));
    double[] vectors = new double[2 * separations * n * n];
    for (int t = 0; t < separations; t++) {
      System.arraycopy(principal.vectors()[t], 0, vectors, 2 * t * n * n, 2 * n * n);
    }
    write(file, "gevp/eigenvectors", ElementType.COMPLEX, new long[] {separations, n, n}, vectors);
    file.attributes("gevp").put("t0", principal.t0());
    file.attributes("gevp").put("td", principal.td());
  }

  /** Writes mean and error [row][column] and samples [sample][row][column]. */
  private static void writeReal(
      Hdf5File file,
      String group,
      int rows,
      int columns,
      IntFunction<IntFunction<Estimate>> estimates) {
    double[] mean = new double[rows * columns];
    double[] error = new double[mean.length];
    double[][] samples = new double[mean.length][];
    for (int k = 0; k < mean.length; k++) {
      Estimate estimate = estimates.apply(k / columns).apply(k % columns);
      mean[k] = estimate.value();
      error[k] = estimate.error();
      samples[k] = estimate.samples();
    }
    int count = samples.length == 0 ? 0 : samples[0].length;
    double[] bySample = new double[count * mean.length];
    for (int s = 0; s < count; s++) {
      for (int k = 0; k < mean.length; k++) {
        bySample[s * mean.length + k] = samples[k][s];
      }
    }
    long[] extents = {rows, columns};
    write(file, group + "/mean", ElementType.REAL, extents, mean);
    write(file, group + "/error", ElementType.REAL, extents, error);
    write(file, group + "/samples", ElementType.REAL, new long[] {count, rows, columns}, bySample);
  }

  private static void write(
      Hdf5File file, String name, ElementType type, long[] extents, double[] values) {
    try (Hdf5Dataset dataset = file.createDataset(name, type, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  private static long[] integers(List<Integer> values) {
    return values.stream().mapToLong(Integer::longValue).toArray();
  }
}
