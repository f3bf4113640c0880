package org.starlingqcd.hadron.synthetic;

import static org.starlingqcd.hadron.data.DistillationHeader.MAX_EIGENVECTORS;
import static org.starlingqcd.hadron.data.DistillationHeader.MAX_EXTENT;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * What synthetic distillation data hold; {@link SyntheticData} writes them.
 *
 * @param ensemble name of the ensemble
 * @param spatialExtent L; it decides which derivatives vanish identically
 * @param temporalExtent T
 * @param eigenvectors N
 * @param labels perambulator labels
 * @param sourceTimes source times of the perambulators; empty for all
 * @param momenta momenta of the meson elementals without displacement, and of the baryon elementals
 * @param displacements displacements besides {@code none}; their elementals have the momenta too,
 *     except those that vanish identically
 * @param baryons whether there are baryon elementals, N³ numbers each
 * @param deflate compression level, 0 … 9
 * @param seed seed of all numbers
 * @param tetraquarks colours of the elementals of tetraquarks, which have the momenta too
 * @param currents generalized perambulators and loops
 * @param gluonic names of gluonic factors, at the momenta, {@code NAME} or {@code NAME:ROW}
 * @param eigenvalues whether there are eigenvalues of the Laplacian
 * @param sinks sets of quark sinks with their noises, made of the perambulators of their labels,
 *     which need not be written
 */
public record SyntheticEnsemble(
    String ensemble,
    int spatialExtent,
    int temporalExtent,
    int eigenvectors,
    List<String> labels,
    List<Integer> sourceTimes,
    List<Momentum> momenta,
    List<String> displacements,
    boolean baryons,
    int deflate,
    long seed,
    List<PairColour> tetraquarks,
    SyntheticCurrents currents,
    List<String> gluonic,
    boolean eigenvalues,
    List<SinkSet> sinks) {
  /** Data without tetraquarks, currents, gluonic factors, eigenvalues and quark sinks. */
  public SyntheticEnsemble(
      String ensemble,
      int spatialExtent,
      int temporalExtent,
      int eigenvectors,
      List<String> labels,
      List<Integer> sourceTimes,
      List<Momentum> momenta,
      List<String> displacements,
      boolean baryons,
      int deflate,
      long seed) {
    this(
        ensemble,
        spatialExtent,
        temporalExtent,
        eigenvectors,
        labels,
        sourceTimes,
        momenta,
        displacements,
        baryons,
        deflate,
        seed,
        List.of(),
        SyntheticCurrents.NONE,
        List.of(),
        false,
        List.of());
  }

  /** Copies the lists and checks the ranges. */
  public SyntheticEnsemble {
    String extents =
        "spatialExtent=%s temporalExtent=%s eigenvectors=%s"
            .formatted(spatialExtent, temporalExtent, eigenvectors);
    check(
        spatialExtent >= 1 && temporalExtent >= 1 && eigenvectors >= 1, "must be >= 1: " + extents);
    check(
        Math.max(spatialExtent, temporalExtent) <= MAX_EXTENT && eigenvectors <= MAX_EIGENVECTORS,
        "L and T must be <= " + MAX_EXTENT + ", N <= " + MAX_EIGENVECTORS + ": " + extents);
    tetraquarks = distinct("colour", tetraquarks);
    check(
        eigenvectors > 1 || !tetraquarks.contains(PairColour.TRIPLET),
        "3bar3 needs two eigenvectors: eigenvectors=1");
    labels = distinct("label", labels);
    sourceTimes = distinct("source time", sourceTimes);
    momenta = distinct("momentum", momenta);
    displacements = distinct("displacement", displacements);
    gluonic = distinct("gluonic factor", gluonic);
    sinks = List.copyOf(sinks);
    for (int time : sourceTimes) {
      check(
          time >= 0 && time < temporalExtent,
          "must be >= 0 && < " + temporalExtent + ": source time=" + time);
    }
    for (int time : currents.times()) {
      check(
          time >= 0 && time < temporalExtent,
          "must be >= 0 && < " + temporalExtent + ": time of currents=" + time);
    }
    long complete = 3L * spatialExtent * spatialExtent * spatialExtent;
    check(
        !currents.complete() || eigenvectors == complete,
        "a complete distillation space has N = 3 L^3 = %d: eigenvectors=%d"
            .formatted(complete, eigenvectors));
    labels.forEach(label -> checkName("label", label));
    for (String factor : gluonic) {
      for (String name : factor.split(":", 2)) {
        checkName("gluonic factor", name);
      }
    }
    displacements.forEach(displacement -> checkName("displacement", displacement));
    check(
        !displacements.contains("none"),
        "elementals without displacement are there anyway: displacement=none");
    checkName("ensemble", ensemble);
  }

  private static void check(boolean sound, String message) {
    if (!sound) {
      throw new IllegalArgumentException(message);
    }
  }

  private static <V> List<V> distinct(String what, List<V> values) {
    for (V value : values) {
      check(
          values.indexOf(value) == values.lastIndexOf(value), "given twice: " + what + "=" + value);
    }
    return List.copyOf(values);
  }

  private static void checkName(String what, String name) {
    check(
        !name.isEmpty() && !name.contains("/") && !name.equals(".") && !name.equals(".."),
        "must not be empty, contain '/' or be a dot: " + what + "='" + name + "'");
  }

  /** Source times, all of them when none are named. */
  public List<Integer> columns() {
    return sourceTimes.isEmpty()
        ? IntStream.range(0, temporalExtent).boxed().toList()
        : sourceTimes;
  }

  /**
   * The meson elementals of each time: every displacement at every momentum, but for those that
   * vanish identically.
   */
  public List<ElementalName> mesonElementals() {
    List<ElementalName> names = new ArrayList<>();
    for (Momentum momentum : momenta) {
      names.add(new ElementalName(ElementalRef.NO_DISPLACEMENT, momentum));
      for (String displacement : displacements) {
        ElementalName name = new ElementalName(displacement, momentum);
        if (!name.vanishes(spatialExtent)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** All series of a configuration, those of each dataset together, in the order of writing. */
  List<List<DataBlock>> datasets() {
    List<List<DataBlock>> all = new ArrayList<>();
    mesonElementals().forEach(name -> all.add(List.of(DataBlock.meson(name, 0))));
    for (Momentum momentum : baryons ? momenta : List.<Momentum>of()) {
      ElementalName name = new ElementalName(ElementalRef.NO_DISPLACEMENT, momentum);
      all.add(List.of(DataBlock.baryon(name, 0)));
    }
    for (PairColour colour : tetraquarks) {
      for (Momentum n : momenta) {
        ElementalName name = new ElementalName(colour.toString(), n);
        all.add(List.of(DataBlock.tetraquark(name, 0)));
      }
    }
    for (String label : labels) {
      all.add(
          columns().stream()
              .<DataBlock>map(source -> new DataBlock.Perambulator(label, 0, source))
              .toList());
    }
    for (Momentum momentum : momenta) {
      for (String name : gluonic) {
        String[] parts = name.split(":", 2);
        String row = parts.length > 1 ? parts[1] : "";
        all.add(List.of(new DataBlock.GluonicValue(new Gluonic(parts[0], row, momentum), 0)));
      }
    }
    for (CurrentVertex vertex : currents.vertices(spatialExtent)) {
      for (String bar : labels) {
        for (String quark : labels) {
          CurrentName name = new CurrentName(bar, quark, vertex);
          List<DataBlock> series = new ArrayList<>();
          for (int sink : currents.times()) {
            for (int source : currents.times()) {
              CurrentName.Ends ends = new CurrentName.Ends(sink, source);
              series.add(new DataBlock.Generalized(name, ends, 0));
            }
          }
          all.add(series);
        }
        all.add(List.of(new DataBlock.Loop(bar, vertex, 0)));
      }
    }
    return all;
  }

  /** Name of the file of a configuration. */
  public String fileName(long configuration) {
    return String.format(Locale.US, "%s_cfg%04d.h5", ensemble, configuration);
  }

  /** Bytes of the numbers of one configuration before compression. */
  public long bytes() {
    double numbers =
        datasets().stream()
            .flatMap(List::stream)
            .mapToDouble(one -> (double) temporalExtent * one.shape(eigenvectors).bytes())
            .sum();
    return (long) numbers + sinks.stream().mapToLong(SinkSet::bytes).sum();
  }
}
