package org.starlingqcd.hadron.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.hadron.hdf5.FileVersion;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.text.Printable;
import org.starlingqcd.hadron.text.Wildcards;

/**
 * Finds the data of an ensemble from what a user types: files, directories, globs; groups them by
 * configuration. Only headers are read.
 */
public final class DistillationFiles {
  private static final Pattern GLOB = Pattern.compile("[*?\\[{]");

  /** Of those of a glob whose lengths are tried one by one. */
  private static final int MOST_STARS = 4;

  /**
   * The data of one configuration.
   *
   * @param header what all its sources say together
   * @param sources the sources, in the order found
   */
  public record Configuration(DistillationHeader header, List<Found> sources) {
    /** Copies the list. */
    public Configuration {
      sources = List.copyOf(sources);
    }

    /** Number of the configuration. */
    public long number() {
      return header.configuration();
    }

    /** The files, in the order found. */
    public List<Path> files() {
      return sources.stream().flatMap(found -> found.source().files().stream()).toList();
    }

    /** Opens the data. */
    public DistillationData open() {
      return open(HostMemoryBudget.unbounded());
    }

    /** Opens the data within a budget of host memory. */
    public DistillationData open(HostMemoryBudget budget) {
      return DistillationData.open(
          sources.stream().map(found -> found.opening(header)).toList(),
          PartialHeader.of(header),
          budget);
    }
  }

  /**
   * A source and what the user says about it.
   *
   * @param source the source
   * @param label the label before its path on the command line, or null
   * @param facts what is said about all data
   */
  public record Found(DataSource source, @Nullable String label, DataFormat.Facts facts) {
    /** What is known before it is opened. */
    public PartialHeader header() {
      return source.header().or(facts.header());
    }

    /** The first of its files. */
    public Path path() {
      return source.files().get(0);
    }

    private DistillationData.Opening opening(DistillationHeader header) {
      return new DistillationData.Opening(
          caches -> {
            BlockSource opened = source.open(caches);
            try {
              checkLabels(opened);
              checkTimes(opened, header);
            } catch (DistillationException e) {
              opened.close();
              throw e;
            }
            return opened;
          },
          this::translated,
          source.dependencies());
    }

    /** The label of definitions for a label of the source. */
    public String translated(String there) {
      String name = label != null ? label : there;
      return facts.labels().getOrDefault(name, name);
    }

    private void checkLabels(BlockSource opened) {
      Set<String> there = opened.blocks().allLabels();
      if (there.contains("") && label == null) {
        throw DistillationException.of(
            "%s: the file does not say of which quark its data are; write --data light=%s,"
                + " or another label",
            opened.path(), opened.path());
      }
      if (label != null && there.size() > 1) {
        throw DistillationException.of(
            "%s: has data of several labels, %s, so %s= before the path is ambiguous;"
                + " rename them with --labels",
            opened.path(), Printable.of(String.join(", ", there)), label);
      }
    }

    private static void checkTimes(BlockSource opened, DistillationHeader header) {
      int used = opened.blocks().timesUsed();
      if (used > header.temporalExtent()) {
        throw DistillationException.of(
            "%s: has a block at time %s, but temporal_extent is %s",
            opened.path(), used - 1, header.temporalExtent());
      }
    }
  }

  private DistillationFiles() {}

  /**
   * Configurations in ascending order of their numbers.
   *
   * @param paths files, directories (their distillation data, not other files) and globs
   * @throws DistillationException when nothing is found, a file cannot be used, or two files are of
   *     different ensembles or shapes
   */
  public static List<Configuration> discover(List<String> paths) {
    return discover(DataRequest.of(paths));
  }

  /** As {@link #discover(List)}, with labels and a mapping file. */
  public static List<Configuration> discover(DataRequest request) {
    return discover(
        request,
        fault -> {
          throw fault;
        });
  }

  /**
   * As {@link #discover(DataRequest)}, but hands files that cannot be used to {@code onFault} and
   * goes on without them when it returns.
   */
  public static List<Configuration> discover(
      DataRequest request, Consumer<DistillationException> onFault) {
    List<Found> found = sources(request, onFault);
    if (found.isEmpty()) {
      onFault.accept(
          new DistillationException(
              "no distillation data in " + String.join(", ", request.paths())));
      return List.of();
    }
    return group(found);
  }

  /**
   * Finds sources without asking whether they belong together.
   *
   * @param onFault told of files that cannot be used
   */
  public static List<Found> sources(DataRequest request, Consumer<DistillationException> onFault) {
    return new SourceFinder(request, onFault).find();
  }

  /**
   * Puts sources together by configuration, in ascending order of their numbers.
   *
   * @throws DistillationException when two are of different ensembles or shapes, or an extent is
   *     unknown
   */
  public static List<Configuration> group(List<Found> found) {
    Map<PartialHeader, Path> seen = new LinkedHashMap<>();
    TreeSet<Long> numbers = new TreeSet<>();
    PartialHeader all = PartialHeader.UNKNOWN;
    for (Found one : found) {
      PartialHeader header = one.header();
      if (seen.putIfAbsent(header.withConfiguration(null), one.path()) == null) {
        seen.forEach((other, path) -> other.checkSameEnsemble(path, header, one.path()));
      }
      if (header.configuration() != null) {
        numbers.add(header.configuration());
      }
      all = all.or(header);
    }
    Map<Long, List<Found>> groups = new TreeMap<>();
    for (Found one : found) {
      groups.computeIfAbsent(number(one, numbers), n -> new ArrayList<>()).add(one);
    }
    List<Configuration> configurations = new ArrayList<>();
    for (Map.Entry<Long, List<Found>> group : groups.entrySet()) {
      PartialHeader header = PartialHeader.UNKNOWN;
      for (Found one : group.getValue()) {
        header = header.or(one.header());
      }
      configurations.add(
          new Configuration(
              header
                  .or(all)
                  .withConfiguration(group.getKey())
                  .complete(group.getValue().get(0).path()),
              group.getValue()));
    }
    return configurations;
  }

  private static long number(Found found, SortedSet<Long> numbers) {
    Long number = found.header().configuration();
    if (number != null) {
      return number;
    }
    if (numbers.size() > 1) {
      throw new DistillationException(
          found.path()
              + ": does not say of which configuration it is, and the other files are of several;"
              + " write `configuration: NUMBER` into a mapping file, or run each configuration"
              + " separately");
    }
    return numbers.isEmpty() ? PartialHeader.UNNUMBERED : numbers.first();
  }

  /**
   * A file that a path stands for.
   *
   * @param named whether the user named it, by its name or a glob, rather than its directory
   * @param version what it was when it was found; null unless it is a plain file
   */
  public record Candidate(boolean named, @Nullable FileVersion version) {}

  /**
   * The files that paths stand for, whatever their format: files, directories (their {@code *.h5}
   * and {@code *.hdf5} files, and files that a format of distillation data recognizes) and globs.
   *
   * @return each file once, in the order found
   * @throws DistillationException when a directory or a glob yields no file
   */
  public static Map<Path, Candidate> find(List<String> paths) {
    Map<Path, Candidate> candidates = new LinkedHashMap<>();
    Map<Path, Path> folders = new HashMap<>();
    for (String path : paths) {
      collect(path, candidates, folders);
    }
    return candidates;
  }

  private static void collect(
      String path, Map<Path, Candidate> candidates, Map<Path, Path> folders) {
    Path plain = asPath(path);
    if (plain != null && Files.isDirectory(plain)) {
      List<Path> files = list(plain);
      boolean found = false;
      for (Path file : files) {
        if (hasHdf5Name(file) || (Files.isRegularFile(file) && DataFormat.of(file) != null)) {
          found |= add(file, false, candidates, folders);
        }
      }
      if (!found) {
        // What the first of the files needs of which some format knows it.
        String advice =
            files.stream()
                .filter(Files::isRegularFile)
                .map(DataFormat::adviceOn)
                .filter(one -> !one.isEmpty())
                .findFirst()
                .orElse("");
        throw new DistillationException(
            plain + ": the directory holds no distillation data" + advice);
      }
    } else if (plain != null && (Files.exists(plain) || !GLOB.matcher(path).find())) {
      add(plain, true, candidates, folders);
    } else {
      Set<Path> matches = expand(path);
      if (matches.isEmpty()) {
        throw new DistillationException("no file matches '" + path + "'");
      }
      matches.forEach(match -> add(match, true, candidates, folders));
    }
  }

  private static @Nullable Path asPath(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /**
   * Adds a file under one name, so that it is not read twice; the first path that leads to it
   * stays. A file that the user has not named is a regular one, or a link to one.
   *
   * @param folders the real folders of those seen before: asking for each file takes much longer
   * @return whether it is one that counts
   */
  private static boolean add(
      Path path, boolean named, Map<Path, Candidate> candidates, Map<Path, Path> folders) {
    Path known = path;
    @Nullable FileVersion version = null;
    try {
      Path whole = path.toAbsolutePath();
      Path folder = whole.getParent();
      Path name = whole.getFileName();
      BasicFileAttributes found =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!named && !found.isRegularFile() && !Files.isRegularFile(path)) {
        return false;
      }
      Path real;
      if (folder == null || name == null || !found.isRegularFile()) {
        real = path.toRealPath();
      } else {
        version = FileVersion.of(found);
        Path realFolder = folders.get(folder);
        if (realFolder == null) {
          realFolder = folder.toRealPath();
          folders.put(folder, realFolder);
        }
        real = realFolder.resolve(name);
      }
      known = real.equals(whole.normalize()) ? path.normalize() : real;
    } catch (IOException e) {
      // The attempt to open it reports what is wrong.
    }
    Candidate candidate = new Candidate(named, version);
    candidates.merge(known, candidate, (first, next) -> named ? next : first);
    return true;
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      throw new DistillationException(directory + ": cannot be listed: " + PlainFile.reason(e), e);
    }
  }

  /** Whether a file is called as HDF5 files are. */
  static boolean hasHdf5Name(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".h5") || name.endsWith(".hdf5");
  }

  /** Java's own matcher tries all lengths of all stars, and ours those of double stars. */
  private static Predicate<Path> fitting(String glob, String pattern) {
    boolean plain = !pattern.matches("(?s).*[\\[{\\\\].*");
    String tried = plain ? "[*]{2,}" : "[*]+";
    if (Pattern.compile(tried).matcher(pattern).results().count() > MOST_STARS) {
      throw DistillationException.of(
          "'%s' has more than %d %s, which takes too long",
          glob,
          MOST_STARS,
          plain ? "double stars" : "stars beside brackets, braces or backslashes");
    }
    if (plain) {
      Predicate<String> fits = Wildcards.pattern(pattern, "[^/]").asMatchPredicate();
      return path -> fits.test(path.toString());
    }
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + pattern)::matches;
    } catch (IllegalArgumentException e) {
      throw new DistillationException("'" + glob + "' is not a glob: " + e.getMessage(), e);
    }
  }

  private static Set<Path> expand(String glob) {
    // The walk begins at the last folder before the first special character.
    int special = glob.length();
    var matcher = GLOB.matcher(glob);
    if (matcher.find()) {
      special = matcher.start();
    }
    int slash = glob.lastIndexOf('/', special);
    Path base = Path.of(slash < 0 ? "." : slash == 0 ? "/" : glob.substring(0, slash));
    String pattern = glob.substring(slash + 1);
    int depth =
        pattern.contains("**")
            ? Integer.MAX_VALUE
            : 1 + (int) pattern.chars().filter(c -> c == '/').count();
    Set<Path> matches = new LinkedHashSet<>();
    if (!Files.isDirectory(base)) {
      return matches;
    }
    Predicate<Path> fits = fitting(glob, pattern);
    try (Stream<Path> walk = Files.walk(base, depth)) {
      walk.filter(Files::isRegularFile)
          .filter(file -> fits.test(base.relativize(file)))
          .sorted()
          .forEach(matches::add);
    } catch (IOException | UncheckedIOException e) {
      throw new DistillationException(base + ": cannot be searched: " + PlainFile.reason(e), e);
    }
    return matches;
  }
}
