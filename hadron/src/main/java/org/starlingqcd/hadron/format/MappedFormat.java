package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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
import org.starlingqcd.hadron.format.ArrayEntry.Kind;
import org.starlingqcd.hadron.format.ArrayLocator.Match;

/** Arrays in {@code .npy}, raw or HDF5 files that a mapping file explains. */
public final class MappedFormat implements DataFormat {
  private static final String NAME = "arrays with a mapping file";

  private static final Pattern KEY =
      Pattern.compile(
          "^(perambulators|elementals|like|spatial_extent|temporal_extent|num_eigenvectors|gamma_basis|source_gamma)\\s*:",
          Pattern.MULTILINE);

  /** The files of an entry. */
  private record Found(ArrayEntry entry, List<Match<Path>> files) {}

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
    try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.limit(10_000).anyMatch(line -> KEY.matcher(line).find());
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
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
    List<Found> found = new ArrayList<>();
    Set<Long> numbers = new TreeSet<>();
    for (ArrayEntry entry : mapping.entries()) {
      List<Match<Path>> files = files(mapping, entry, context);
      files.forEach(
          file -> {
            String number = file.values().get("cfg");
            if (number != null) {
              numbers.add(Long.parseLong(number));
            }
          });
      if (!files.isEmpty()) {
        found.add(new Found(entry, files));
      }
    }
    if (found.isEmpty()) {
      if (mapping.entries().isEmpty()) {
        return List.of();
      }
      throw new DistillationException(
          "%s: there is no file %s in %s%s"
              .formatted(
                  mapping.file(),
                  String.join(
                      " or ",
                      new LinkedHashSet<>(
                          mapping.entries().stream()
                              .map(entry -> entry.file().toString())
                              .toList())),
                  String.join(
                      ", ", folders(mapping, context).stream().map(Path::toString).toList()),
                  context.others().isEmpty() ? "" : " or among the files named"));
    }
    Long wanted = mapping.header().configuration();
    if (wanted != null && !numbers.isEmpty()) {
      numbers.retainAll(Set.of(wanted));
    }
    if (numbers.isEmpty()) {
      return List.of(new MappedData(mapping, format, found, wanted));
    }
    List<DataSource> sources = new ArrayList<>();
    for (long number : numbers) {
      List<Found> its = new ArrayList<>();
      for (Found one : found) {
        List<Match<Path>> files =
            one.files().stream()
                .filter(file -> String.valueOf(number).equals(configuration(mapping, one, file)))
                .toList();
        if (!files.isEmpty()) {
          its.add(new Found(one.entry(), files));
        }
      }
      sources.add(new MappedData(mapping, format, its, number));
    }
    return sources;
  }

  private static String configuration(Mapping mapping, Found found, Match<Path> file) {
    String number = file.values().get("cfg");
    if (number == null) {
      throw new DistillationException(
          ("%s: its name does not tell the configuration, as names of other entries do; "
                  + "put {cfg} into 'file' of '%s' in %s")
              .formatted(file.name(), found.entry().name(), mapping.file()));
    }
    return number;
  }

  private static List<Path> folders(Mapping mapping, Context context) {
    Path own = mapping.folder();
    if (!context.folders().isEmpty()) {
      return context.folders();
    }
    return own == null || !context.others().isEmpty() ? List.of() : List.of(own);
  }

  private static List<Match<Path>> files(Mapping mapping, ArrayEntry entry, Context context) {
    Map<Path, Match<Path>> found = new LinkedHashMap<>();
    for (Path folder : folders(mapping, context)) {
      for (Match<Path> file : ArrayLocator.files(folder, entry.file(), Map.of())) {
        found.putIfAbsent(file.name().toAbsolutePath().normalize(), file);
      }
    }
    for (Path other : context.others()) {
      ArrayLocator.file(other, entry.file())
          .ifPresent(file -> found.putIfAbsent(other.toAbsolutePath().normalize(), file));
    }
    return List.copyOf(found.values());
  }

  /** The arrays of one configuration, not yet opened. */
  private static final class MappedData implements DataSource {
    private final Mapping mapping;
    private final List<Found> found;
    private final String format;
    private final PartialHeader header;

    MappedData(Mapping mapping, String format, List<Found> found, @Nullable Long configuration) {
      this.mapping = mapping;
      this.format = format;
      this.found = found;
      this.header = header(configuration);
    }

    private PartialHeader header(@Nullable Long configuration) {
      Integer n = mapping.header().eigenvectors();
      Integer times = mapping.header().temporalExtent();
      if (n == null || times == null) {
        // One file of each entry tells the shapes of all.
        try (ChunkCaches caches = new ChunkCaches(HostMemoryBudget.unbounded());
            ArrayPool pool = new ArrayPool(caches)) {
          List<IndexedArrays> first = new ArrayList<>();
          for (Found one : found) {
            first.add(new IndexedArrays(pool, one.entry(), complete(one), n == null ? 0 : n));
          }
          int[] shape = MappedSource.shape(mapping, first);
          n = n == null && shape[0] > 0 ? Integer.valueOf(shape[0]) : n;
          times = times == null && shape[1] > 0 ? Integer.valueOf(shape[1]) : times;
        }
      }
      boolean spins = found.stream().anyMatch(one -> one.entry().kind() == Kind.PERAMBULATOR);
      return new PartialHeader(
          mapping.header().ensemble(),
          configuration,
          mapping.header().spatialExtent(),
          times,
          n,
          spins
              ? mapping.basis().isDeGrandRossi()
                  ? DistillationHeader.DEGRAND_ROSSI
                  : DistillationHeader.EXPLICIT
              : null,
          mapping.header().temporalBoundary());
    }

    /** The first file, or all where parts of numbers are in several. */
    private static List<Match<Path>> complete(Found found) {
      return found.entry().file().placeholders().contains("part")
          ? found.files()
          : found.files().subList(0, 1);
    }

    @Override
    public List<Path> files() {
      Set<Path> files = new LinkedHashSet<>();
      found.forEach(one -> one.files().forEach(file -> files.add(file.name())));
      return List.copyOf(files);
    }

    @Override
    public List<Path> dependencies() {
      return Stream.concat(Stream.of(mapping.file()), files().stream()).toList();
    }

    @Override
    public PartialHeader header() {
      return header;
    }

    @Override
    public String format() {
      return format;
    }

    /** A bound where T is not known; differences of times need T itself. */
    private int times(int fromShape) {
      if (fromShape > 0) {
        return fromShape;
      }
      for (Found one : found) {
        if (one.entry().hasPlaceholder("dt")) {
          throw new DistillationException(
              ("%s: line %s: {dt} is taken modulo temporal_extent; write that into the "
                      + "mapping file")
                  .formatted(mapping.file(), one.entry().line()));
        }
      }
      return MappedSource.MOST_TIMES;
    }

    @Override
    public BlockSource open(ChunkCaches caches) {
      ArrayPool pool = new ArrayPool(caches);
      try {
        Integer n = header.eigenvectors();
        Integer times = header.temporalExtent();
        List<IndexedArrays> arrays = new ArrayList<>();
        for (Found one : found) {
          arrays.add(new IndexedArrays(pool, one.entry(), one.files(), n == null ? 0 : n));
        }
        int[] shape = MappedSource.shape(mapping, arrays);
        return new MappedSource(
            files().get(0),
            mapping,
            header,
            n == null ? shape[0] : n,
            times == null ? times(shape[1]) : times,
            pool,
            arrays);
      } catch (RuntimeException e) {
        pool.close();
        throw e;
      }
    }
  }
}
