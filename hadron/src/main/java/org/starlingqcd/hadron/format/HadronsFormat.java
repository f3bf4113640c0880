package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

/**
 * HDF5 files of Hadrons: perambulators {@code iDT_<t0>.<traj>.h5} and distillation meson fields
 * {@code rho-rho.<traj>/Identity_p<x>_<y>_<z>.h5}. The axes are those of the mapping {@code
 * Hadrons}. Perambulators beside the file of their noise, {@code <stem>.<traj>.h5}, are quark sinks
 * of one time class in a file, with interlaced dilution; others are exact distillation.
 */
public final class HadronsFormat implements DataFormat {
  private static final Logger LOG = LoggerFactory.getLogger(HadronsFormat.class);
  private static final String NAME = "Hadrons";
  private static final String PERAMBULATOR = "Perambulator";
  private static final String MESON_FIELD = "DistilMesonField";
  private static final String HITS = "NoiseHits";
  private static final String SIZES = "DilutionSizes";
  private static final int SPINS = SpinMatrix.SPINS;

  private static final Pattern PERAMBULATOR_FILE =
      Pattern.compile("iDT_(\\d{1,9})\\.(\\d{1,9})\\.h5");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    if (!DataFormat.isHdf5(head)) {
      return false;
    }
    try (Hdf5File opened = Hdf5File.open(file)) {
      return opened.kind(MESON_FIELD) == ObjectKind.GROUP
          || noiseGroup(opened) != null
          || (opened.kind(PERAMBULATOR) == ObjectKind.DATASET
              && (metadata(opened) != null
                  || PERAMBULATOR_FILE.matcher(file.getFileName().toString()).matches()));
    } catch (Hdf5Exception e) {
      return false;
    }
  }

  /** The group with noise; null in a file of another kind. */
  private static @Nullable String noiseGroup(Hdf5File file) {
    return file.children("/").stream()
        .filter(group -> file.kind(group + "/" + HITS) == ObjectKind.DATASET)
        .findFirst()
        .orElse(null);
  }

  /** The group with metadata of a perambulator. */
  private static @Nullable String metadata(Hdf5File file) {
    return Stream.of("MetaData", "Metadata")
        .filter(name -> file.kind(name) == ObjectKind.GROUP)
        .findFirst()
        .orElse(null);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    Map<String, Noise> noises = new HashMap<>();
    List<Path> others = new ArrayList<>();
    List<Path> exact = new ArrayList<>();
    List<DataSource> sources = new ArrayList<>();
    context.forEach(files, path -> use(path, file -> addNoise(file, noises) || others.add(path)));
    context.forEach(
        others,
        path ->
            use(
                path,
                file -> {
                  FileFaults faults = new FileFaults(path);
                  return addSinks(file, faults, noises, sources)
                      || !isUsed(file, faults)
                      || exact.add(path);
                }));
    if (!exact.isEmpty()) {
      sources.addAll(MappedFormat.explained("Hadrons", NAME, List.copyOf(exact), context));
    }
    return sources;
  }

  private static void use(Path path, Predicate<Hdf5File> use) {
    DistillationFile.hdf5(
        () -> {
          try (Hdf5File file = Hdf5File.open(path)) {
            return use.test(file);
          }
        });
  }

  /** One noise, a row of [T][N][4] in a dataset, diluted to P, V and S classes. */
  private record Noise(ArrayPool.Place place, int row, String name, List<Integer> sizes) {}

  /** Adds the noises of a file by their hashes; returns whether it is one of noise. */
  private static boolean addNoise(Hdf5File file, Map<String, Noise> noises) {
    String group = noiseGroup(file);
    if (group == null) {
      return false;
    }
    List<Integer> sizes = Arrays.stream(file.attributes(group).ints(SIZES)).boxed().toList();
    ArrayPool.Place place = new ArrayPool.Place(file.path(), group + "/" + HITS);
    try (Hdf5Dataset list = file.dataset(group + "/NoiseHitHashes")) {
      List<String> hashes = list.readStrings();
      if (sizes.size() != 3 || !hashes.stream().allMatch(hash -> hash.matches("\\w+"))) {
        throw place.fault(
            "expected three numbers in %s, and hashes; found %s, %s", SIZES, sizes, hashes);
      }
      for (int row = 0; row < hashes.size(); row++) {
        String name = "h%s_%.8s".formatted(row, hashes.get(row));
        noises.put(hashes.get(row), new Noise(place, row, name, sizes));
      }
    }
    return true;
  }

  /** Adds a perambulator of which a noise is known; returns whether it is one. */
  private static boolean addSinks(
      Hdf5File file, FileFaults faults, Map<String, Noise> known, List<DataSource> sources) {
    Matcher name = PERAMBULATOR_FILE.matcher(file.path().getFileName().toString());
    String list = metadata(file) + "/noiseHashes";
    List<Noise> noises = new ArrayList<>();
    if (name.matches() && file.kind(list) == ObjectKind.GROUP) {
      Hdf5Attributes hashes = file.attributes(list);
      for (int k = 0; hashes.has("noiseHashes_" + k); k++) {
        Optional.ofNullable(known.get(hashes.string("noiseHashes_" + k))).ifPresent(noises::add);
      }
    }
    if (noises.isEmpty()) {
      return false;
    }
    int timeClass = checkTime(file, name.group(1), faults);
    List<Integer> sizes = noises.get(0).sizes();
    int v = sizes.get(1);
    int s = sizes.get(2);
    try (Hdf5Dataset dataset = file.dataset(PERAMBULATOR)) {
      long[] e = dataset.extents();
      long[] expected = {e[0], e.length > 1 ? e[1] : 0, v, noises.size(), s, SPINS};
      faults.check(
          Arrays.equals(e, expected)
              && Math.max(e[0], e[1]) <= DistillationHeader.MAX_EIGENVECTORS
              && timeClass < sizes.get(0),
          "'%s' of time class %s has shape %s; expected [times, eigenvectors, %s, %s, %s, 4] and one"
              + " of %s time classes for the noises that are named; name the files of all its noises",
          PERAMBULATOR,
          timeClass,
          Arrays.toString(e),
          v,
          noises.size(),
          s,
          sizes.get(0));
      sources.add(source(file.path(), name.group(2), timeClass, noises, (int) e[0], (int) e[1]));
    }
    return true;
  }

  private static DataSource source(
      Path path, String trajectory, int timeClass, List<Noise> noises, int times, int n) {
    List<Integer> sizes = noises.get(0).sizes();
    int v = sizes.get(1);
    int s = sizes.get(2);
    DilutionScheme scheme =
        new DilutionScheme(
            DilutionScheme.interlaced(times, sizes.get(0)),
            DilutionScheme.interlaced(SPINS, s),
            DilutionScheme.interlaced(n, v),
            true);
    Long number = Long.valueOf(trajectory);
    PartialHeader header =
        new PartialHeader(null, number, null, times, n, DistillationHeader.DEGRAND_ROSSI, null);
    Set<Path> paths = new LinkedHashSet<>(List.of(path));
    noises.forEach(noise -> paths.add(noise.place().file()));
    return DataSource.of(
        List.copyOf(paths),
        NAME,
        header,
        caches -> {
          ArrayPool pool = new ArrayPool(caches);
          ArrayPool.Place place = new ArrayPool.Place(path, PERAMBULATOR);
          Map<DataBlock, IntFunction<double[]>> series = new HashMap<>();
          for (Noise noise : noises) {
            int r = noises.indexOf(noise);
            series.put(
                new DataBlock.Noise(noise.name(), 0),
                t -> {
                  long[] start = {noise.row(), (long) t * n * SPINS};
                  double[] rho = pool.read(noise.place(), 1, start, 1, (long) n * SPINS);
                  return NumberArray.permuted(rho, new int[] {n, SPINS}, 1, 0);
                });
            series.put(
                new DataBlock.Sink("", noise.name(), scheme, timeClass, 0),
                t -> {
                  long[] start = {t, 0, 0, r, 0, 0};
                  double[] phi = pool.read(place, 1, start, 1, n, v, 1, s, SPINS);
                  return NumberArray.permuted(phi, new int[] {n, v, s, SPINS}, 2, 1, 3, 0);
                });
          }
          GammaBasis basis = GammaBasis.DEGRAND_ROSSI;
          return IndexedSource.of(path, header, basis, series, Map.of(), pool::close);
        });
  }

  private static boolean isUsed(Hdf5File file, FileFaults faults) {
    String name = file.path().getFileName().toString();
    if (file.kind(MESON_FIELD) != ObjectKind.GROUP) {
      checkPerambulator(file, name, faults);
      return true;
    }
    checkField(file, faults);
    Path folder = file.path().toAbsolutePath().getParent();
    String fields = folder == null ? "" : folder.getFileName().toString();
    faults.check(
        fields.matches("(rho|phi)-(rho|phi)\\.(\\d{1,9})"),
        "expected this meson field in a folder such as rho-rho.1000, whose name tells its fields"
            + " and the trajectory; found '%s'",
        fields);
    faults.check(
        fields.startsWith("rho-rho"),
        "is a field of solutions (phi), from which elementals cannot be taken apart; Starling reads"
            + " rho-rho with gamma Identity");
    if (!name.startsWith("Identity_p")) {
      LOG.info("left out: {}: of the gamma matrices, Identity alone is needed", file.path());
      return false;
    }
    return true;
  }

  /** Without dilution in time, the matrix of time t is that of the dilution indices t and t. */
  private static void checkField(Hdf5File file, FileFaults faults) {
    for (String time : file.children(MESON_FIELD)) {
      String group = MESON_FIELD + "/" + time;
      if (time.matches("\\d{1,9}") && file.kind(group) == ObjectKind.GROUP) {
        for (String pair : file.children(group)) {
          faults.check(
              pair.equals(time + "-" + time),
              "'%s' has a matrix '%s', expected '%s-%s' alone: its vectors are diluted in time, so"
                  + " it is no exact distillation",
              group,
              pair,
              time,
              time);
        }
      }
    }
  }

  /**
   * The source time stands in the name, and in metadata, which must agree. The axes are sink time,
   * sink vector, source vector, noise, source spin and sink spin.
   */
  private static void checkPerambulator(Hdf5File file, String name, FileFaults faults) {
    Matcher matcher = PERAMBULATOR_FILE.matcher(name);
    faults.check(
        matcher.matches(),
        "expected the name iDT_<source time>.<trajectory>.h5 for a perambulator of Hadrons");
    try (Hdf5Dataset dataset = file.dataset(PERAMBULATOR)) {
      long[] e = dataset.extents();
      if (e.length == 6 && (e[2] != e[1] || e[3] != 1 || e[4] != e[5])) {
        throw faults.fault(
            "'%s' is diluted: %s noises, %s combinations of %s eigenvectors, %s of %s spins; name"
                + " the file of its noise too, <stem>.<trajectory>.h5 with the hashes of"
                + " MetaData/noiseHashes, with the same label",
            PERAMBULATOR, e[3], e[2], e[1], e[4], e[5]);
      }
    }
    checkTime(file, matcher.group(1), faults);
  }

  /** The source time or time class of a name, which metadata must confirm. */
  private static int checkTime(Hdf5File file, String name, FileFaults faults) {
    String group = metadata(file);
    Hdf5Attributes attributes = file.attributes(group == null ? "/" : group);
    for (String attribute : attributes.names()) {
      if (attribute.equalsIgnoreCase("timeDilutionIndex")
          && attributes.type(attribute) == ElementType.INTEGER) {
        long index = attributes.integer(attribute);
        faults.check(
            index == Long.parseLong(name),
            "its name says source time %s, its attribute %s %s",
            name,
            attribute,
            index);
      }
    }
    return Integer.parseInt(name);
  }
}
