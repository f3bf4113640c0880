package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Perambulators of quda_laph in IOMap files, one for each source time and source spin, and quark
 * sinks, one for each noise and time class. Elementals of this family are not public; they come
 * from elsewhere, made with the same eigenvectors.
 *
 * <p>The file of source time t0 and source spin β has a record for each source vector j, sink time
 * t and sink spin α: the numbers of all sink vectors i. The source was multiplied with g4, which is
 * diag(1, 1, -1, -1) in the Dirac-Pauli basis of these files, so {@code τ[α][β][i][j] = ± file(t0,
 * β; j, t, α)[i]} with the minus sign for β = 2, 3. The file of a time class has a record for each
 * projector v · S + s in place of j; the sign is that of {@link LaphNoise}.
 */
public final class LaphFormat implements DataFormat {
  private static final String NAME = "LapH IOMap";
  private static final String PERAMBULATORS = "Laph--QuarkPeramb";
  private static final String SINKS = "Laph--QuarkSink";
  private static final GammaBasis BASIS = SpinBases.known(SpinBases.DIRAC_PAULI);
  private static final int SPINS = 4;

  /** Values in the 15 bits that a key has for a time or a vector. */
  private static final int MOST = 1 << 15;

  /** Most eigenvectors; a block then has 16 GiB. */
  private static final int MOST_EIGENVECTORS = 8192;

  /** Seeds and numbers of configurations that the seed of the twister is made of. */
  private static final int MOST_SEED = 0xffff;

  private static final int COMPLEX_BYTES = 16;
  private static final Map<String, String> LABELS =
      Map.of("ud", "light", "s", "strange", "c", "charm");

  private static final int MOST_MAPS = 64;

  /** What files of one source have in common; the header has no T. */
  private record Identity(String label, @Nullable String mass, PartialHeader header) {
    PartialHeader withTimes(int times) {
      return new PartialHeader(null, null, null, times, null, null, null).or(header);
    }
  }

  /**
   * What the header and the keys of a file say.
   *
   * @param sourceTime or the time class of sinks
   * @param sourceSpin 0 to 3
   * @param records for each sink time
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Column(Path path, Identity source, int sourceTime, int sourceSpin, int[] records) {
    int eigenvectors() {
      return Objects.requireNonNull(source.header().eigenvectors());
    }

    /** The sink times that have so many records. */
    BitSet complete(int each) {
      BitSet complete = new BitSet();
      IntStream.range(0, records.length).filter(t -> records[t] == each).forEach(complete::set);
      return complete;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return IoMapFile.isIoMap(head, PERAMBULATORS) || IoMapFile.isIoMap(head, SINKS);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    Integer told = context.facts().header().temporalExtent();
    Map<Identity, List<Column>> groups = new LinkedHashMap<>();
    List<DataSource> sources = new ArrayList<>();
    context.forEach(
        files,
        path -> {
          IoMapFile opened = IoMapFile.open(path);
          XmlTree header = XmlTree.parse(opened, opened.header());
          boolean sinks = opened.identifier().equals(SINKS);
          Column file = column(opened, header, sinks);
          int times = file.records().length;
          opened.check(
              told == null || times <= told,
              "has a record of sink time %s, but temporal_extent is %s",
              times - 1,
              told);
          if (sinks) {
            sources.add(sinks(opened, header, file, told == null ? times : told));
          } else {
            groups.computeIfAbsent(file.source(), absent -> new ArrayList<>()).add(file);
          }
        });
    groups.forEach(
        (identity, columns) -> {
          int there = columns.stream().mapToInt(file -> file.records().length).max().orElse(0);
          PartialHeader header = identity.withTimes(told == null ? there : told);
          sources.add(
              DataSource.of(
                  columns.stream().map(Column::path).toList(),
                  NAME,
                  header,
                  caches -> perambulators(columns, header)));
        });
    return sources;
  }

  /** Reads the header of a file, and looks at the keys. */
  private static Column column(IoMapFile file, XmlTree header, boolean sinks) {
    String spins = header.text("NumSpinComponents");
    String upper = header.text("UpperSpinComponentsOnly");
    file.check(
        (spins == null || spins.equals("4")) && (upper == null || upper.equals("false")),
        "holds the upper two spin components only; contractions need all four");
    String flavor = header.text("Flavor");
    if (flavor == null) {
      throw file.fault("its header has no <Flavor>");
    }
    int time = number(file, header, sinks ? "TimeProjectorIndex" : "SourceTime", 0, MOST - 1);
    int sourceSpin = sinks ? 0 : number(file, header, "SourceSpin", 1, SPINS) - 1;
    String boundary = header.text("FermionTimeBC");
    boolean known = "antiperiodic".equals(boundary) || "periodic".equals(boundary);
    file.check(file.records() > 0, "holds no records");
    long bytes;
    try (BinaryFile opened = file.reading()) {
      bytes = file.firstSize(opened);
    }
    long n = (bytes - Integer.BYTES) / COMPLEX_BYTES;
    file.check(
        n >= 1 && n <= MOST_EIGENVECTORS && n * COMPLEX_BYTES + Integer.BYTES == bytes,
        "its first record has %s bytes, expected a count and complex numbers",
        Long.toUnsignedString(bytes));
    PartialHeader says =
        new PartialHeader(
            header.text("EnsembleName"),
            header.text("ConfigNumber") == null
                ? null
                : Long.valueOf(number(file, header, "ConfigNumber", 0, Integer.MAX_VALUE)),
            null,
            null,
            (int) n,
            DistillationHeader.EXPLICIT,
            known ? boundary : null);
    int[] records = new int[1 + file.keys().map(LaphFormat::time).max().orElse(-1)];
    file.keys().forEach(key -> records[time(key)]++);
    String label = LABELS.getOrDefault(flavor, flavor);
    Identity source = new Identity(label, ChromaMetadata.mass(header), says);
    return new Column(file.path(), source, time, sourceSpin, records);
  }

  private static int number(IoMapFile file, XmlTree header, String name, int least, int most) {
    String text = header.text(name);
    if (text == null) {
      throw file.fault(
          "its header has no <%s>; files of other programs than quda_laph, with one file for each"
              + " pair of times, are not read",
          name);
    }
    int value = text.matches("-?\\d{1,9}") ? Integer.parseInt(text) : -1;
    if (value < least || value > most) {
      throw file.fault(
          "expected a number from %s to %s in <%s> of its header, found '%s'",
          least, most, name, text);
    }
    return value;
  }

  /** Sink time of a key. */
  private static int time(int key) {
    return key >>> 2 & MOST - 1;
  }

  /** The quark sinks of a file, with their noise. */
  private static DataSource sinks(IoMapFile file, XmlTree header, Column column, int times) {
    int n = column.eigenvectors();
    int p = column.sourceTime();
    DilutionScheme scheme =
        new DilutionScheme(
            classes(file, header, "TimeDilution", times),
            classes(file, header, "SpinDilution", SPINS),
            classes(file, header, "EigvecDilution", n),
            true);
    int group = number(file, header, "ZNGroup", 4, 32);
    int seed = number(file, header, "Seed", 0, MOST_SEED);
    int configuration = number(file, header, "ConfigNumber", 0, MOST_SEED);
    LaphNoise noise = new LaphNoise(group, seed, configuration, n);
    file.check(
        Integer.bitCount(group) == 1 && group != 16 && noise.twisterSeed() != 0,
        "its noise cannot be made again: expected Z4, Z8 or Z32 of a seed other than 0, which is"
            + " the time of day; found Z%s of %s",
        group,
        Integer.toUnsignedString(noise.twisterSeed()));
    int each = SPINS * scheme.size();
    file.check(
        p < scheme.timeClasses() && column.complete(each).cardinality() == times,
        "has %s records of time class %s, expected %s at each of %s times and a class below %s",
        file.records(),
        p,
        each,
        times,
        scheme.timeClasses());
    Path path = file.path();
    PartialHeader whole = column.source().withTimes(times);
    DataBlock sink = new DataBlock.Sink(column.source().label(), noise.name(), scheme, p, 0);
    return DataSource.of(
        List.of(path),
        NAME,
        whole,
        caches -> {
          IoMapFile map = IoMapFile.open(path);
          Map<DataBlock, IntFunction<double[]>> series =
              Map.of(
                  sink,
                  t -> readSinks(map, scheme, t, n),
                  new DataBlock.Noise(noise.name(), 0),
                  noise::numbers);
          return IndexedSource.of(path, whole, BASIS, series, Map.of(), () -> {});
        });
  }

  /** φ at a time, [S][V][4][N]. */
  private static double[] readSinks(IoMapFile map, DilutionScheme scheme, int time, int n) {
    int vectors = scheme.vectorClasses();
    double[] phi = new double[2 * scheme.size() * SPINS * n];
    try (BinaryFile opened = map.reading()) {
      for (int k = 0; k < scheme.size() * SPINS; k++) {
        int d = k / SPINS;
        int projector = d % vectors * scheme.spinClasses() + d / vectors;
        map.vector(opened, projector << 17 | time << 2 | k % SPINS, n, phi, 2 * n * k, 2);
      }
    }
    return phi;
  }

  /** The class of each index, as the header has it. */
  private static List<Integer> classes(IoMapFile file, XmlTree header, String index, int length) {
    XmlTree.Element dilution = header.find(index);
    String type = dilution == null ? "" : dilution.text("DilutionType");
    String classes = dilution == null ? "" : dilution.text("NumberProjectors");
    // The header leaves out the only number that is possible for spin.
    String number = classes.isEmpty() && index.startsWith("Spin") ? "2" : classes;
    try {
      String scheme = type.matches("block|interlace") ? type + " " + number : type;
      return DilutionScheme.classes(index, scheme, length);
    } catch (IllegalArgumentException e) {
      throw file.fault(
          e,
          "expected none, full, or block or interlace with at most %s <NumberProjectors> in <%s> of"
              + " its header, found '%s' and '%s'",
          length,
          index,
          type,
          classes);
    }
  }

  /** The perambulators of a label and configuration; a block needs files of four source spins. */
  private static BlockSource perambulators(List<Column> columns, PartialHeader header) {
    Map<Integer, Column[]> bySource = new TreeMap<>();
    Identity source = columns.get(0).source();
    for (Column file : columns) {
      Column[] spins = bySource.computeIfAbsent(file.sourceTime(), t -> new Column[SPINS]);
      Column other = spins[file.sourceSpin()];
      if (other != null) {
        throw DistillationException.of(
            "%s and %s both hold source time %s, source spin %s of '%s'; leave one of them out",
            other.path(), file.path(), file.sourceTime(), file.sourceSpin() + 1, source.label());
      }
      spins[file.sourceSpin()] = file;
    }
    int n = columns.get(0).eigenvectors();
    Maps maps = new Maps();
    Map<DataBlock, IntFunction<double[]>> series = new HashMap<>();
    Map<DataBlock, BitSet> times = new HashMap<>();
    bySource.forEach(
        (time, spins) -> {
          BitSet there = BlockCatalog.all(MOST);
          for (Column file : spins) {
            there.and(file == null ? new BitSet() : file.complete(SPINS * n));
          }
          DataBlock tau = new DataBlock.Perambulator(source.label(), 0, time);
          times.put(tau, there);
          series.put(tau, t -> read(spins, t, n, maps));
        });
    Path path = columns.get(0).path();
    IndexedSource<?> all = IndexedSource.of(path, header, BASIS, series, times, () -> {});
    if (source.mass() != null) {
      all.blocks().setMass(source.label(), source.mass());
    }
    return all;
  }

  /** τ at a sink time, [4][4][N][N]. */
  private static double[] read(Column[] files, int time, int n, Maps maps) {
    double[] tau = new double[2 * SPINS * SPINS * n * n];
    for (int beta = 0; beta < SPINS; beta++) {
      IoMapFile map = maps.of(files[beta].path());
      try (BinaryFile opened = map.reading()) {
        for (int alpha = 0; alpha < SPINS; alpha++) {
          int start = 2 * (SPINS * alpha + beta) * n * n;
          for (int j = 0; j < n; j++) {
            map.vector(opened, j << 17 | time << 2 | alpha, n, tau, start + 2 * j, 2 * n);
          }
          for (int k = start; beta >= 2 && k < start + 2 * n * n; k++) {
            tau[k] = -tau[k];
          }
        }
      }
    }
    return tau;
  }

  /** The maps of the files that were used last, 16 bytes for each record. */
  private static final class Maps {
    private final Map<Path, IoMapFile> known = new LinkedHashMap<>(16, 0.75f, true);

    synchronized IoMapFile of(Path path) {
      IoMapFile map = known.computeIfAbsent(path, IoMapFile::open);
      if (known.size() > MOST_MAPS) {
        known.remove(known.keySet().iterator().next());
      }
      return map;
    }
  }
}
