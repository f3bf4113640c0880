package org.starlingqcd.hadron.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * Finds the files of an ensemble from the files, directories and globs that a user names, and
 * groups them by configuration. It reads headers only.
 */
public final class DistillationFiles {
  private static final Logger LOG = LoggerFactory.getLogger(DistillationFiles.class);
  private static final Pattern GLOB = Pattern.compile("[*?\\[{]");
  private static final String SUFFIXES = "*.h5 or *.hdf5";

  /**
   * The files of one configuration.
   *
   * @param header root attributes, the same in all files
   * @param files the files, in the order found
   */
  public record Configuration(DistillationHeader header, List<Path> files) {
    /** Copies the list. */
    public Configuration {
      files = List.copyOf(files);
    }

    /** Number of the configuration. */
    public long number() {
      return header.configuration();
    }

    /** Opens the data. */
    public DistillationData open() {
      return DistillationData.open(files);
    }

    /** Opens the data within a budget of host memory. */
    public DistillationData open(HostMemoryBudget budget) {
      return DistillationData.open(files, budget);
    }
  }

  private DistillationFiles() {}

  /**
   * Configurations in ascending order of their numbers.
   *
   * @param paths files, directories (their {@code *.h5} and {@code *.hdf5} files, not those of
   *     other formats) and globs
   * @throws DistillationException when nothing is found, a file cannot be used, or two files are of
   *     different ensembles or shapes
   */
  public static List<Configuration> discover(List<String> paths) {
    return discover(
        paths,
        fault -> {
          throw fault;
        });
  }

  /**
   * As {@link #discover(List)}, but hands files that cannot be used to {@code onFault} and goes on
   * without them when it returns.
   */
  public static List<Configuration> discover(
      List<String> paths, Consumer<DistillationException> onFault) {
    Map<Path, Boolean> candidates = find(paths);
    Map<Path, DistillationHeader> headers = new LinkedHashMap<>();
    candidates.forEach(
        (path, named) -> {
          try {
            headers.put(path, DistillationFile.readHeader(path));
          } catch (DistillationException e) {
            if (named || !String.valueOf(e.getMessage()).contains("is not a distillation file")) {
              onFault.accept(e);
            } else {
              LOG.info("left out: {}", e.getMessage());
            }
          }
        });
    if (headers.isEmpty()) {
      onFault.accept(
          new DistillationException("no distillation data in " + String.join(", ", paths)));
      return List.of();
    }
    return group(headers);
  }

  /**
   * The files that paths stand for, whatever their format: files, directories (their {@code *.h5}
   * and {@code *.hdf5} files) and globs.
   *
   * @return each file once, in the order found; the value tells whether the user named it, by its
   *     name or a glob, rather than its directory
   * @throws DistillationException when a directory or a glob yields no file
   */
  public static Map<Path, Boolean> find(List<String> paths) {
    Map<Path, Boolean> candidates = new LinkedHashMap<>();
    for (String path : paths) {
      collect(path, candidates);
    }
    return candidates;
  }

  private static List<Configuration> group(Map<Path, DistillationHeader> headers) {
    Map.Entry<Path, DistillationHeader> first = headers.entrySet().iterator().next();
    Map<Long, List<Path>> groups = new TreeMap<>();
    headers.forEach(
        (path, header) -> {
          first.getValue().checkSameEnsemble(first.getKey(), header, path);
          groups.computeIfAbsent(header.configuration(), number -> new ArrayList<>()).add(path);
        });
    List<Configuration> configurations = new ArrayList<>();
    groups.forEach(
        (number, files) -> {
          DistillationHeader header = headers.get(files.get(0));
          if (header != null) {
            configurations.add(new Configuration(header, files));
          }
        });
    return configurations;
  }

  /** Adds the files that a path stands for; the value tells whether the user named them. */
  private static void collect(String path, Map<Path, Boolean> candidates) {
    Path plain = asPath(path);
    if (plain != null && Files.isDirectory(plain)) {
      List<Path> files = list(plain);
      if (files.isEmpty()) {
        throw new DistillationException(plain + ": the directory holds no files " + SUFFIXES);
      }
      files.forEach(file -> candidates.putIfAbsent(canonical(file), false));
    } else if (plain != null && (Files.exists(plain) || !GLOB.matcher(path).find())) {
      candidates.put(canonical(plain), true);
    } else {
      Set<Path> matches = expand(path);
      if (matches.isEmpty()) {
        throw new DistillationException("no file matches '" + path + "'");
      }
      matches.forEach(match -> candidates.put(canonical(match), true));
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
   * Gives each file one name so that it is not read twice; the first path that leads to it stays.
   */
  private static Path canonical(Path path) {
    try {
      Path real = path.toRealPath();
      return real.equals(path.toAbsolutePath().normalize()) ? path.normalize() : real;
    } catch (IOException e) {
      // The attempt to open it reports what is wrong.
      return path;
    }
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(Files::isRegularFile)
          .filter(
              file -> {
                String name = file.getFileName().toString();
                return name.endsWith(".h5") || name.endsWith(".hdf5");
              })
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new DistillationException(directory + ": cannot be listed: " + e.getMessage(), e);
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
    PathMatcher pathMatcher;
    try {
      pathMatcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (IllegalArgumentException e) {
      throw new DistillationException("'" + glob + "' is not a glob: " + e.getMessage(), e);
    }
    try (Stream<Path> walk = Files.walk(base, depth)) {
      walk.filter(Files::isRegularFile)
          .filter(file -> pathMatcher.matches(base.relativize(file)))
          .sorted()
          .forEach(matches::add);
    } catch (IOException | UncheckedIOException e) {
      throw new DistillationException(base + ": cannot be searched: " + e.getMessage(), e);
    }
    return matches;
  }
}
