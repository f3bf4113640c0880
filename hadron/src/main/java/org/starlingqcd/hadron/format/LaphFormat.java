package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Perambulators of quda_laph in IOMap files, one for each source time and source spin. Elementals
 * of this family are not public; they come from elsewhere, made with the same eigenvectors.
 *
 * <p>The file of source time t0 and source spin β has a record for each source vector j, sink time
 * t and sink spin α: the numbers of all sink vectors i. The source was multiplied with g4, which is
 * diag(1, 1, -1, -1) in the Dirac-Pauli basis of these files, so {@code τ[α][β][i][j] = ± file(t0,
 * β; j, t, α)[i]} with the minus sign for β = 2, 3.
 */
public final class LaphFormat implements DataFormat {
  private static final String IDENTIFIER = "Laph--QuarkPeramb";
  private static final int SPINS = 4;

  /** Values in the 15 bits that a key has for a time or a vector. */
  private static final int MOST = 1 << 15;

  /** Most eigenvectors; a block then has 16 GiB. */
  private static final int MOST_EIGENVECTORS = 8192;

  private static final int COMPLEX_BYTES = 16;
  private static final Map<String, String> LABELS =
      Map.of("ud", "light", "s", "strange", "c", "charm");

  private static final int MOST_MAPS = 64;

  /** What files of one source have in common; the header has no T. */
  private record Identity(String label, @Nullable String mass, PartialHeader header) {}

  /**
   * What the header and the keys of a file say.
   *
   * @param sourceSpin 0 to 3
   * @param times largest sink time of a record plus one
   */
  private record Column(
      Path path,
      Identity source,
      int sourceTime,
      int sourceSpin,
      int eigenvectors,
      int records,
      int times) {}

  @Override
  public String name() {
    return "LapH IOMap";
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return IoMapFile.isIoMap(head, IDENTIFIER);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    Integer told = context.facts().header().temporalExtent();
    Map<Identity, List<Column>> groups = new LinkedHashMap<>();
    context.forEach(
        files,
        path -> {
          IoMapFile opened = IoMapFile.open(path);
          Column file = column(opened);
          opened.check(
              told == null || file.times() <= told,
              "has a record of sink time %s, but temporal_extent is %s",
              file.times() - 1,
              told);
          groups.computeIfAbsent(file.source(), absent -> new ArrayList<>()).add(file);
        });
    List<DataSource> sources = new ArrayList<>();
    groups.forEach(
        (identity, columns) -> {
          int there = columns.stream().mapToInt(Column::times).max().orElse(0);
          int times = told == null ? there : told;
          PartialHeader header =
              new PartialHeader(null, null, null, times, null, null, null).or(identity.header());
          sources.add(
              DataSource.of(
                  columns.stream().map(Column::path).toList(),
                  name(),
                  header,
                  caches -> Source.open(columns, header, times)));
        });
    return sources;
  }

  /** Reads the header of a file, and looks at the keys. */
  private static Column column(IoMapFile file) {
    file.check(
        file.identifier().equals(IDENTIFIER),
        "is an IOMap of '%s', expected '%s'",
        file.identifier(),
        IDENTIFIER);
    XmlTree header = XmlTree.parse(file, file.header());
    String spins = header.text("NumSpinComponents");
    String upper = header.text("UpperSpinComponentsOnly");
    file.check(
        (spins == null || spins.equals("4")) && (upper == null || upper.equals("false")),
        "holds the upper two spin components only; contractions need all four");
    String flavor = header.text("Flavor");
    if (flavor == null) {
      throw file.fault("its header has no <Flavor>");
    }
    int sourceTime = number(file, header, "SourceTime", 0, MOST - 1);
    int sourceSpin = number(file, header, "SourceSpin", 1, SPINS) - 1;
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
    return new Column(
        file.path(),
        new Identity(LABELS.getOrDefault(flavor, flavor), ChromaMetadata.mass(header), says),
        sourceTime,
        sourceSpin,
        (int) n,
        file.records(),
        1 + file.keys().map(LaphFormat::time).max().orElse(-1));
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

  /** The files of one label and configuration; a block needs those of four source spins. */
  private static final class Source extends IndexedSource<Column[]> {
    private final int n;
    private final Maps maps;

    private Source(
        List<Column> columns, PartialHeader header, Map<DataBlock, Column[]> blocks, Maps maps) {
      super(columns.get(0).path(), header, blocks);
      this.n = columns.get(0).eigenvectors();
      this.maps = maps;
      Identity source = columns.get(0).source();
      if (source.mass() != null) {
        blocks().setMass(source.label(), source.mass());
      }
    }

    static Source open(List<Column> columns, PartialHeader header, int times) {
      Maps maps = new Maps();
      Map<Integer, Column[]> bySource = new TreeMap<>();
      for (Column file : columns) {
        Column[] spins = bySource.computeIfAbsent(file.sourceTime(), t -> new Column[SPINS]);
        Column other = spins[file.sourceSpin()];
        if (other != null) {
          throw DistillationException.of(
              "%s and %s both hold source time %s, source spin %s of '%s'; leave one of them out",
              other.path(),
              file.path(),
              file.sourceTime(),
              file.sourceSpin() + 1,
              file.source().label());
        }
        spins[file.sourceSpin()] = file;
      }
      Map<DataBlock, Column[]> blocks = new HashMap<>();
      String label = columns.get(0).source().label();
      bySource.forEach(
          (source, spins) -> {
            BitSet there = BlockCatalog.all(times);
            for (Column file : spins) {
              there.and(file == null ? new BitSet() : complete(file, times, maps));
            }
            there.stream()
                .forEach(t -> blocks.put(new DataBlock.Perambulator(label, t, source), spins));
          });
      return new Source(columns, header, blocks, maps);
    }

    /** The sink times for which a file has all records. */
    private static BitSet complete(Column file, int times, Maps maps) {
      int each = SPINS * file.eigenvectors();
      BitSet complete = new BitSet();
      if (file.times() == times && file.records() == (long) each * times) {
        complete.set(0, times);
        return complete;
      }
      int[] found = new int[times];
      maps.of(file.path()).keys().forEach(key -> found[time(key)]++);
      for (int time = 0; time < times; time++) {
        complete.set(time, found[time] == each);
      }
      return complete;
    }

    @Override
    public GammaBasis explicitBasis() {
      return SpinBases.known(SpinBases.DIRAC_PAULI);
    }

    @Override
    void read(DataBlock block, Column[] files, HostMemory target, long offset) {
      int sinkTime = ((DataBlock.Perambulator) block).sinkTime();
      int size = 2 * n * n;
      double[] matrix = new double[size];
      for (int beta = 0; beta < SPINS; beta++) {
        IoMapFile map = maps.of(files[beta].path());
        int sign = beta < 2 ? 1 : -1;
        try (BinaryFile opened = map.reading()) {
          for (int alpha = 0; alpha < SPINS; alpha++) {
            for (int j = 0; j < n; j++) {
              int key = j << 17 | sinkTime << 2 | alpha;
              ByteBuffer numbers = map.record(opened, key, Integer.BYTES + COMPLEX_BYTES * n);
              int count = numbers.getInt();
              map.check(
                  count == n,
                  "the record with key %s claims %s numbers, its size says %s",
                  key,
                  count,
                  n);
              for (int at = 2 * j; at < size; at += 2 * n) {
                matrix[at] = sign * numbers.getDouble();
                matrix[at + 1] = sign * numbers.getDouble();
              }
            }
            long to = offset / Double.BYTES + (long) (SPINS * alpha + beta) * size;
            target.put(to, matrix, 0, size);
          }
        }
      }
    }

    @Override
    public void close() {}
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
