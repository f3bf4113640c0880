package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Writes an analysis with all its samples to HDF5; the layout is in {@code docs/analysis.md}. */
final class AnalysisFile {
  private static final String FORMAT = "correlator_analysis";
  private static final long FORMAT_VERSION = 1;

  private final Hdf5File file;

  private AnalysisFile(Hdf5File file) {
    this.file = file;
  }

  /** Writes the file, replacing one that exists. */
  static void write(Path path, CorrelatorAnalysis analysis) {
    try (Hdf5File file = Hdf5File.create(path)) {
      new AnalysisFile(file).write(analysis);
    }
  }

  private void write(CorrelatorAnalysis analysis) {
    writeRoot(analysis);
    writeCorrelator(analysis.correlator());
    for (Quantity quantity : analysis.quantities()) {
      if (quantity.mass() != null || quantity.ofStates()) {
        String name = quantity.mass() == null ? "eigenvalues" : "effective_mass/" + quantity.mass();
        writeCurves((quantity.ofStates() ? "gevp/" : "") + name, quantity.curves());
      }
    }
    PrincipalCorrelators principal = analysis.principal();
    if (principal != null) {
      long n = principal.size();
      double[] vectors =
          Arrays.stream(principal.vectors()).flatMapToDouble(Arrays::stream).toArray();
      write(
          "gevp/eigenvectors", ElementType.COMPLEX, vectors, principal.separations().size(), n, n);
      List<Estimate> overlaps =
          IntStream.range(0, (int) (n * n))
              .mapToObj(k -> analysis.overlaps().get(k % (int) n).points().get(k / (int) n))
              .toList();
      writeEstimates("gevp/overlaps", overlaps, n, n);
      file.attributes("gevp").put("t0", principal.t0());
      file.attributes("gevp").put("td", principal.td());
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      writeFits("fits/energy", fits.correlators());
      if (principal != null) {
        writeFits("gevp/fits/energy", fits.eigenvalues());
      }
    }
  }

  private void writeRoot(CorrelatorAnalysis analysis) {
    CorrelatorData data = analysis.data();
    Hdf5Attributes root = writeHead(file, FORMAT, analysis.head());
    root.put("operators", data.operators());
    root.put("conjugation", integers(data.conjugation()));
    root.put("separations", integers(data.separations()));
    Resampling resampling = analysis.correlator().resampling();
    if (resampling.method() == Resampling.Method.BOOTSTRAP) {
      // The bins of every sample, which pyerrors and others need to keep correlations.
      int bins = resampling.bins();
      long[] extents = {resampling.samples(), bins};
      try (Hdf5Dataset dataset =
          file.createDataset(
              "multiplicities", ElementType.INTEGER, extents, DatasetOptions.CONTIGUOUS)) {
        dataset.writeIntegers(
            LongStream.range(0, extents[0] * bins)
                .map(k -> resampling.multiplicity((int) (k / bins), (int) (k % bins)))
                .toArray());
      }
    }
  }

  /** Writes the attributes that files of all analyses have; returns the root. */
  static Hdf5Attributes writeHead(Hdf5File file, String format, Analysis.Head head) {
    Hdf5Attributes root = file.attributes("/");
    root.put("format", format);
    root.put("format_version", FORMAT_VERSION);
    root.put("name", head.name());
    root.put("ensemble", head.ensemble());
    root.put("configurations", integers(head.configurations()));
    head.temporalExtent().ifPresent(extent -> root.put("temporal_extent", extent));
    root.put("resampling", head.resampling().method().toString());
    root.put("bin_size", head.binSize());
    root.put("bins", head.resampling().bins());
    if (head.resampling().method() == Resampling.Method.BOOTSTRAP) {
      root.put("seed", head.resampling().seed());
    }
    root.put("vacuum_subtracted", head.subtracted() ? 1 : 0);
    return root;
  }

  private void writeCorrelator(ResampledCorrelator correlator) {
    long n = correlator.size();
    int separations = correlator.separations().size();
    double[] error = new double[correlator.mean().length];
    for (int k = 0; k < error.length; k++) {
      error[k] = correlator.component(k).error();
    }
    write("correlator/mean", ElementType.COMPLEX, correlator.mean(), separations, n, n);
    write("correlator/error", ElementType.COMPLEX, error, separations, n, n);
    int samples = correlator.resampling().samples();
    long[] all = {samples, separations, n, n};
    try (Hdf5Dataset dataset =
        file.createDataset(
            "correlator/samples", ElementType.COMPLEX, all, DatasetOptions.CONTIGUOUS)) {
      for (int s = 0; s < samples; s++) {
        long[] one = {1, separations, n, n};
        dataset.write(new long[] {s, 0, 0, 0}, one, correlator.samples()[s]);
      }
    }
    file.attributes("correlator").put("separations", integers(correlator.separations()));
  }

  /** Writes mean and error [separation][curve] and samples [sample][separation][curve]. */
  private void writeCurves(String group, List<Curve> curves) {
    int points = curves.get(0).points().size();
    List<Estimate> estimates = new ArrayList<>();
    for (int t = 0; t < points; t++) {
      for (Curve curve : curves) {
        estimates.add(curve.points().get(t));
      }
    }
    writeEstimates(group, estimates, points, curves.size());
    file.attributes(group).put("separations", integers(curves.get(0).separations()));
  }

  /**
   * Writes mean, error and its parts [operator or state] and samples [sample][operator or state].
   */
  private void writeFits(String group, List<EnergyFit> fits) {
    writeEstimates(group, fits.stream().map(EnergyFit::energy).toList(), fits.size());
    double[] spread = fits.stream().mapToDouble(EnergyFit::spread).toArray();
    write(group + "/spread", ElementType.REAL, spread, fits.size());
    double[] statistical = fits.stream().mapToDouble(EnergyFit::statistical).toArray();
    write(group + "/statistical", ElementType.REAL, statistical, fits.size());
    file.attributes(group).put("samples_contain", "statistics and spread of windows");
  }

  private void writeEstimates(String group, List<Estimate> estimates, long... extents) {
    writeEstimates(file, group, ElementType.REAL, estimates, extents);
  }

  /**
   * Writes mean, error and samples; the latter have one extent more, before the others.
   *
   * @param estimates of complex numbers real and imaginary parts in turn
   */
  static void writeEstimates(
      Hdf5File file, String group, ElementType type, List<Estimate> estimates, long... extents) {
    int count = estimates.isEmpty() ? 0 : estimates.get(0).samples().length;
    double[] samples = new double[count * estimates.size()];
    for (int k = 0; k < samples.length; k++) {
      samples[k] = estimates.get(k % estimates.size()).samples()[k / estimates.size()];
    }
    double[] mean = estimates.stream().mapToDouble(Estimate::value).toArray();
    double[] error = estimates.stream().mapToDouble(Estimate::error).toArray();
    write(file, group + "/mean", type, mean, extents);
    write(file, group + "/error", type, error, extents);
    long[] all = LongStream.concat(LongStream.of(count), LongStream.of(extents)).toArray();
    write(file, group + "/samples", type, samples, all);
  }

  private void write(String name, ElementType type, double[] values, long... extents) {
    write(file, name, type, values, extents);
  }

  private static void write(
      Hdf5File file, String name, ElementType type, double[] values, long... extents) {
    try (Hdf5Dataset dataset = file.createDataset(name, type, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  static long[] integers(List<Integer> values) {
    return values.stream().mapToLong(Integer::longValue).toArray();
  }
}
