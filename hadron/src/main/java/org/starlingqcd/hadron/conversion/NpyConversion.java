package org.starlingqcd.hadron.conversion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DatasetLayout;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.format.NpyFile;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * Writes the data of one configuration as NumPy arrays of complex128, with a mapping file that
 * describes them. Perambulators are one file for each label, [t_src][t_snk][alpha_snk][beta_src]
 * [i_snk][j_src], elementals one for each displacement, [momentum][t][i][j] or [momentum][t][i][j]
 * [k]. Generalized perambulators are one for each pair of labels, Γ, displacement, source and sink
 * time, [momentum][t][alpha_snk][beta_src][i_snk][j_src], loops one for each label, Γ and
 * displacement, [momentum][t]. Signs and phases are Starling's; blocks that are missing are zero,
 * loops NaN, since a loop may well be zero.
 */
public final class NpyConversion {
  private final DistillationData data;
  private final Path folder;
  private final String stem;
  private final LongConsumer progress;
  private final int extent;
  private final int n;
  private final List<String> gaps = new ArrayList<>();
  private final StringBuilder mapping = new StringBuilder();

  private NpyConversion(DistillationData data, Path folder, String stem, LongConsumer progress) {
    this.data = data;
    this.folder = folder;
    this.stem = stem;
    this.progress = progress;
    this.extent = data.header().temporalExtent();
    this.n = data.header().eigenvectors();
  }

  /**
   * Writes the files. A file appears under its name when it is complete, and one that is there
   * already is left as it is.
   *
   * @param wanted which elementals are written
   * @param progress told the bytes of each block
   * @return files in which blocks are missing
   * @throws DistillationException when a block cannot be read or a file not be written
   */
  public static List<String> write(
      DistillationData data,
      Path folder,
      String stem,
      Predicate<ElementalName> wanted,
      LongConsumer progress) {
    NpyConversion conversion = new NpyConversion(data, folder, stem, progress);
    try {
      conversion.write(wanted);
      return conversion.gaps;
    } catch (IOException e) {
      throw new DistillationException(
          folder.resolve(stem) + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  private void write(Predicate<ElementalName> wanted) throws IOException {
    DistillationHeader header = data.header();
    mapping.append(
        """
        ensemble: "%s"
        configuration: %d
        spatial_extent: %d
        temporal_extent: %d
        """
            .formatted(
                header.ensemble().replaceAll("[\"\\\\]", "_"),
                header.configuration(),
                header.spatialExtent(),
                extent));
    if (!header.temporalBoundary().isEmpty()) {
      mapping.append("temporal_boundary: ").append(header.temporalBoundary()).append('\n');
    }
    if (header.gammaBasis().equals(DistillationHeader.DEGRAND_ROSSI)) {
      mapping.append("gamma_basis: DeGrand-Rossi\n");
    }
    if (!data.labels().isEmpty()) {
      mapping.append("perambulators:\n");
    }
    for (String label : data.labels()) {
      String name = "%s.peram.%s.npy".formatted(stem, label);
      mapping.append(
          """
            "%s":
              file: "%s"
              axes: [t_src, t_snk, alpha_snk, beta_src, i_snk, j_src]
              source_times: %s
          """
              .formatted(label, name, data.sourceTimes(label)));
      array(
          name,
          data.sourceTimes(label).stream()
              .map(source -> new DataBlock.Perambulator(label, 0, source))
              .toList());
    }
    currents("generalized_perambulators", data.generalizedPerambulators());
    currents("loops", data.loops());
    Collection<ElementalName> mesons = data.mesonElementals().stream().filter(wanted).toList();
    Collection<ElementalName> baryons = data.baryonElementals().stream().filter(wanted).toList();
    if (!mesons.isEmpty() || !baryons.isEmpty()) {
      mapping.append("elementals:\n");
    }
    elementals(DataBlock.Kind.MESON, mesons, "i, j");
    elementals(DataBlock.Kind.BARYON, baryons, "i, j, k");
    Files.writeString(folder.resolve(stem + ".yaml"), mapping);
  }

  private void currents(String key, Collection<CurrentName> names) throws IOException {
    boolean loops = key.equals("loops");
    Map<String, List<CurrentName>> byLabel =
        grouped(names, name -> loops ? name.bar() : name.bar() + "-" + name.quark());
    mapping.append(byLabel.isEmpty() ? "" : key + ":\n");
    for (Map.Entry<String, List<CurrentName>> ofLabel : byLabel.entrySet()) {
      mapping.append("  \"%s\":\n".formatted(ofLabel.getKey()));
      for (Map.Entry<String, List<CurrentName>> one :
          grouped(
                  ofLabel.getValue(),
                  name -> name.vertex().gamma() + "." + name.vertex().displacement())
              .entrySet()) {
        List<CurrentName> its = one.getValue();
        String start = loops ? ".loop." : ".current.";
        String file = stem + start + ofLabel.getKey() + "." + one.getKey();
        mapping.append(
            """
                - file: "%s.npy"
                  axes: [momentum, t%s]
                  gammas: [%s]
                  displacement: "%s"
                  phase: minus
                  momenta: %s
            """
                .formatted(
                    loops ? file : file + ".{t0}.{tf}",
                    loops ? "" : ", alpha_snk, beta_src, i_snk, j_src",
                    its.get(0).vertex().gamma(),
                    its.get(0).vertex().displacement(),
                    momenta(its.stream().map(name -> name.vertex().momentum()))));
        if (loops) {
          array(
              file + ".npy",
              its.stream().map(name -> new DataBlock.Loop(name.bar(), name.vertex(), 0)).toList());
          continue;
        }
        Set<CurrentName.Ends> all = new TreeSet<>();
        its.forEach(name -> all.addAll(data.blocks().generalized(name).keySet()));
        for (CurrentName.Ends ends : all) {
          array(
              "%s.%d.%d.npy".formatted(file, ends.sourceTime(), ends.sinkTime()),
              its.stream().map(name -> new DataBlock.Generalized(name, ends, 0)).toList());
        }
      }
    }
  }

  private static <E> Map<String, List<E>> grouped(Collection<E> all, Function<E, String> key) {
    return all.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
  }

  private static List<List<Integer>> momenta(Stream<Momentum> momenta) {
    return momenta.map(p -> List.of(p.x(), p.y(), p.z())).toList();
  }

  private void elementals(DataBlock.Kind kind, Collection<ElementalName> names, String vectors)
      throws IOException {
    String key = kind == DataBlock.Kind.MESON ? "meson" : "baryon";
    if (!names.isEmpty()) {
      mapping.append("  ").append(key).append(":\n");
    }
    for (Map.Entry<String, List<ElementalName>> one :
        grouped(names, ElementalName::displacement).entrySet()) {
      String file = "%s.%s.%s.npy".formatted(stem, key, one.getKey());
      mapping.append(
          """
              "%s":
                file: "%s"
                axes: [momentum, t, %s]
                phase: minus
                momenta: %s
          """
              .formatted(
                  one.getKey(),
                  file,
                  vectors,
                  momenta(one.getValue().stream().map(ElementalName::momentum))));
      array(
          file,
          one.getValue().stream().map(name -> new DataBlock.Elemental(kind, name, 0)).toList());
    }
  }

  /** Writes the blocks of all times, series after series. */
  private void array(String name, List<? extends DataBlock> all) throws IOException {
    if (all.stream().anyMatch(series -> data.times(series).cardinality() < extent)) {
      gaps.add(name);
    }
    Path target = folder.resolve(name);
    if (Files.exists(target)) {
      return;
    }
    long[] shape = DatasetLayout.shape(all.get(0), n);
    int[] extents =
        LongStream.concat(LongStream.of(all.size(), extent), Arrays.stream(shape))
            .mapToInt(Math::toIntExact)
            .toArray();
    Path partial = folder.resolve(name + ".part");
    try (FileChannel channel = PlainFile.create(partial)) {
      writeAll(channel, ByteBuffer.wrap(NpyFile.header(extents)));
      for (DataBlock series : all) {
        for (int t = 0; t < extent; t++) {
          writeAll(channel, numbers(series.at(t)));
        }
      }
    }
    PlainFile.replace(partial, target);
  }

  private ByteBuffer numbers(DataBlock block) {
    long bytes = block.shape(n).bytes();
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    if (data.stores(block)) {
      double[] numbers = new double[out.capacity() / Double.BYTES];
      try (HostMemory memory = HostMemory.allocate(bytes)) {
        data.loadStored(block, memory, 0);
        memory.get(0, numbers, 0, numbers.length);
      }
      out.asDoubleBuffer().put(numbers);
      progress.accept(bytes);
    } else if (block instanceof DataBlock.Loop) {
      out.putDouble(0, Double.NaN);
    }
    return out;
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
