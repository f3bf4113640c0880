package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.format.Mapping.Entry;
import org.starlingqcd.hadron.format.NameTemplate.Match;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Arrays in {@code .npy}, raw or HDF5 files that a mapping file explains. */
public final class MappedFormat implements DataFormat {
  private static final String NAME = "arrays with a mapping file";

  private static final Pattern KEY =
      Pattern.compile(
          "^\\{?(perambulators|generalized_perambulators|elementals|like|spatial_extent|temporal_extent|num_eigenvectors|gamma_basis|source_gamma)\\s*:",
          Pattern.MULTILINE);

  private static final int MOST_EIGENVECTORS = 8192;

  /** More than any lattice has. */
  private static final int MOST_TIMES = 4096;

  /** The files of an entry. */
  private record Found(Entry entry, List<Match<Path>> files) {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    if (head.length == 0) {
      return MappingReader.shipped(file.toString()).isPresent() && !Files.exists(file);
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    return (name.endsWith(".yaml") || name.endsWith(".yml"))
        && (KEY.matcher(new String(head, StandardCharsets.UTF_8)).find()
            || (head.length == HEAD_BYTES && hasKey(file)));
  }

  /** The keys may stand below a long comment. */
  private static boolean hasKey(Path file) {
    try {
      byte[] bytes = PlainFile.read(file, MappingReader.LONGEST);
      return KEY.matcher(new String(bytes, StandardCharsets.ISO_8859_1)).find();
    } catch (IOException e) {
      return false;
    }
  }

  /** The mappings that come with the program: names, and texts of mapping files. */
  public static Map<String, String> shipped() {
    Map<String, String> texts = new LinkedHashMap<>();
    MappingReader.SHIPPED.forEach(name -> texts.put(name, MappingReader.resource(name)));
    return texts;
  }

  /** For an array without a mapping file, the shortest one that could do. */
  @Override
  public String advice(Path file) {
    try {
      if (!NpyFile.isMagic(ArrayPool.head(file))) {
        return "";
      }
      long[] extents = NpyFile.open(file).array().extents();
      long spins = Arrays.stream(extents).filter(extent -> extent == 4).count();
      String name = file.getFileName().toString();
      String stem = name.replaceFirst("\\.npy$", "");
      String arrays =
          switch (extents.length) {
            case 3 -> meson("%s_{nx}_{ny}_{nz}.npy".formatted(stem), "t, i, j", "");
            case 4 -> meson(name, "momentum, t, i, j", ", momenta: momenta.txt");
            case 5 ->
                spins >= 2
                    ? perambulator(stem + "_{t0}.npy", "t_snk, alpha_snk, beta_src, i_snk, j_src")
                    : meson(name, "momentum, t, i, j, k", ", momenta: momenta.txt")
                        .replace("meson", "baryon");
            case 6 -> perambulator(name, "t_snk, t_src, alpha_snk, beta_src, i_snk, j_src");
            default -> "";
          };
      return arrays.isEmpty()
          ? ""
          : ("%s is an array %s without a mapping file that says what its axes mean; write one, such"
                  + " as `{spatial_extent: 24, %s}` with your names and the axes in their order, and"
                  + " name it with --mapping (docs/your-data.md)")
              .formatted(name, Arrays.toString(extents), arrays);
    } catch (DistillationException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String perambulator(String file, String axes) {
    return "perambulators: {light: {file: \"%s\", axes: [%s]}}".formatted(file, axes);
  }

  private static String meson(String file, String axes, String more) {
    return "elementals: {meson: {none: {file: \"%s\", axes: [%s], phase: minus%s}}}"
        .formatted(file, axes, more);
  }

  @Override
  public boolean explainsOthers() {
    return true;
  }

  @Override
  public Facts facts(Path file) {
    Mapping mapping = MappingReader.read(file);
    return new Facts(mapping.header(), mapping.labels());
  }

  /**
   * Sources in files whose layout a mapping of the program explains.
   *
   * @param mapping the name of the mapping
   * @param format what the format is called
   */
  public static List<DataSource> explained(
      String mapping, String format, List<Path> files, Context context) {
    return sources(
        MappingReader.read(Path.of(mapping)),
        format,
        new Context(context.facts(), List.of(), files, context.onFault()));
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<DataSource> sources = new ArrayList<>();
    context.forEach(
        files, file -> sources.addAll(sources(MappingReader.read(file), NAME, context)));
    return sources;
  }

  private static List<DataSource> sources(Mapping mapping, String format, Context context) {
    List<Path> folders =
        mapping.folder() == null || !context.folders().isEmpty() || !context.others().isEmpty()
            ? context.folders()
            : List.of(mapping.folder());
    List<Found> found = new ArrayList<>();
    Set<Long> numbers = new TreeSet<>();
    for (Entry entry : mapping.entries()) {
      List<Match<Path>> files = files(entry, folders, context.others());
      if (!files.isEmpty()) {
        found.add(new Found(entry, files));
      }
      files.stream()
          .filter(file -> file.values().containsKey("cfg"))
          .forEach(file -> numbers.add(Long.parseLong(file.values().getOrDefault("cfg", ""))));
    }
    if (found.isEmpty() && !mapping.entries().isEmpty()) {
      throw DistillationException.of(
          "%s: there is no file %s in %s%s",
          mapping.file(),
          mapping.entries().stream()
              .map(entry -> entry.file().toString())
              .distinct()
              .collect(Collectors.joining(" or ")),
          folders.stream().map(Path::toString).collect(Collectors.joining(", ")),
          context.others().isEmpty() ? "" : " or among the files named");
    }
    Long wanted = mapping.header().configuration();
    if (wanted != null && !numbers.isEmpty()) {
      numbers.retainAll(Set.of(wanted));
    }
    PartialHeader told = mapping.header().or(context.facts().header());
    List<DataSource> sources = new ArrayList<>();
    for (long number : numbers) {
      List<Found> its =
          found.stream()
              .map(one -> new Found(one.entry(), ofConfiguration(mapping, one, number)))
              .filter(one -> !one.files().isEmpty())
              .toList();
      sources.add(source(mapping, format, its, told.withConfiguration(number)));
    }
    if (numbers.isEmpty() && !found.isEmpty()) {
      sources.add(source(mapping, format, found, told.withConfiguration(wanted)));
    }
    return sources;
  }

  private static List<Match<Path>> ofConfiguration(Mapping mapping, Found found, long number) {
    return found.files().stream()
        .filter(
            file -> {
              String its = file.values().get("cfg");
              if (its == null) {
                throw DistillationException.of(
                    "%s: its name does not tell the configuration, as names of other entries do;"
                        + " put {cfg} into 'file' of '%s' in %s",
                    file.name(), found.entry().name(), mapping.file());
              }
              return its.equals(String.valueOf(number));
            })
        .toList();
  }

  private static List<Match<Path>> files(Entry entry, List<Path> folders, List<Path> others) {
    Map<Path, Match<Path>> found = new LinkedHashMap<>();
    Stream.concat(
            folders.stream().flatMap(folder -> entry.file().files(folder).stream()),
            others.stream().flatMap(other -> entry.file().file(other).stream()))
        .forEach(file -> found.putIfAbsent(file.name().toAbsolutePath().normalize(), file));
    return List.copyOf(found.values());
  }

  /** The arrays of one configuration, not yet opened. */
  private static DataSource source(
      Mapping mapping, String format, List<Found> found, PartialHeader told) {
    PartialHeader header = header(mapping, found, told);
    List<Path> files =
        found.stream().flatMap(one -> one.files().stream()).map(Match::name).distinct().toList();
    return new DataSource(
        files,
        Stream.concat(Stream.of(mapping.file()), files.stream()).toList(),
        format,
        header,
        caches -> open(mapping, found, header, files.get(0), caches));
  }

  private static PartialHeader header(Mapping mapping, List<Found> found, PartialHeader told) {
    Integer n = told.eigenvectors();
    Integer times = told.temporalExtent();
    if (n == null || times == null) {
      // One file of each entry tells the shapes of all, but parts of numbers may be in several.
      try (ChunkCaches caches = new ChunkCaches(HostMemoryBudget.unbounded());
          ArrayPool pool = new ArrayPool(caches)) {
        List<Found> first =
            found.stream()
                .map(
                    one ->
                        one.entry().file().placeholders().contains("part")
                            ? one
                            : new Found(one.entry(), one.files().subList(0, 1)))
                .toList();
        int[] shape = shape(mapping, arrays(pool, first, n));
        n = n == null && shape[0] > 0 ? Integer.valueOf(shape[0]) : n;
        times = times == null && shape[1] > 0 ? Integer.valueOf(shape[1]) : times;
      }
    }
    boolean spins = found.stream().anyMatch(one -> !one.entry().kind().isElemental());
    String basis =
        mapping.basis().isDeGrandRossi()
            ? DistillationHeader.DEGRAND_ROSSI
            : DistillationHeader.EXPLICIT;
    return new PartialHeader(
        mapping.header().ensemble(),
        told.configuration(),
        mapping.header().spatialExtent(),
        times,
        n,
        spins ? basis : null,
        mapping.header().temporalBoundary());
  }

  private static List<IndexedArrays> arrays(ArrayPool pool, List<Found> all, @Nullable Integer n) {
    return all.stream()
        .map(one -> new IndexedArrays(pool, one.entry(), one.files(), n == null ? 0 : n))
        .toList();
  }

  /**
   * N and T that arrays tell, 0 where they do not. A dataset of HDF5 may claim any extents without
   * holding a number, so they are bounded before memory is taken for them.
   */
  private static int[] shape(Mapping mapping, List<IndexedArrays> arrays) {
    int n = 0;
    long times = 0;
    for (IndexedArrays one : arrays) {
      n = n == 0 ? one.eigenvectors() : n;
      times = Math.max(times, one.times());
    }
    if (n > MOST_EIGENVECTORS || times > MOST_TIMES) {
      throw DistillationException.of(
          "%s: the arrays in %s have %s eigenvectors and %s times, expected at most %s and %s; look"
              + " at the axes in the mapping file",
          mapping.file(),
          arrays.stream()
              .map(one -> one.entry().file().toString())
              .distinct()
              .collect(Collectors.joining(", ")),
          n,
          times,
          MOST_EIGENVECTORS,
          MOST_TIMES);
    }
    return new int[] {n, (int) times};
  }

  private static BlockSource open(
      Mapping mapping, List<Found> found, PartialHeader header, Path path, ChunkCaches caches) {
    ArrayPool pool = new ArrayPool(caches);
    try {
      List<IndexedArrays> arrays = arrays(pool, found, header.eigenvectors());
      int[] shape = shape(mapping, arrays);
      Integer n = header.eigenvectors();
      Integer times = header.temporalExtent();
      for (Found one : found) {
        if (times == null && shape[1] == 0 && one.entry().hasPlaceholder("dt")) {
          throw DistillationException.of(
              "%s: line %s: {dt} is taken modulo temporal_extent; write that into the mapping file",
              mapping.file(), one.entry().line());
        }
      }
      // Where T is not known, a bound will do.
      int bound = shape[1] > 0 ? shape[1] : MOST_TIMES;
      return new MappedSource(
          path,
          mapping,
          header,
          n == null ? shape[0] : n,
          times == null ? bound : times,
          pool,
          arrays);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }
}
