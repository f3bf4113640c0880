package org.starlingqcd.backend.natives;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that only this user can read and write, for code that the program unpacks and loads. It
 * lies in the user's cache folder. Where that is not possible, the process creates a temporary
 * folder and removes it when it ends.
 */
final class PrivateFolder {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateFolder.class);
  private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";
  private static final String MODE = "mode";
  private static final String OWNER = "uid";
  private static final int ROOT = 0;
  private static final int OTHERS_WRITE = 0002;
  private static final int GROUP_OR_OTHERS_WRITE = 0022;
  private static final int GROUP_OR_OTHERS = 0077;
  private static final int STICKY = 01000;

  private static @Nullable Path libraries;

  private PrivateFolder() {}

  /**
   * The folder for the native libraries of this process.
   *
   * @throws UncheckedIOException when no folder can be created
   */
  static synchronized Path libraries() {
    Path known = libraries;
    if (known == null) {
      known = first(candidates(System::getProperty, System::getenv));
      libraries = known;
    }
    return known;
  }

  /** Where the folder may lie, in order of preference. */
  static List<Path> candidates(
      Function<String, @Nullable String> property, Function<String, @Nullable String> environment) {
    List<Path> places = new ArrayList<>();
    add(places, property.apply(JAVACPP_CACHE), "starling");
    add(places, environment.apply("XDG_CACHE_HOME"), "starling/libraries");
    add(places, property.apply("user.home"), ".cache/starling/libraries");
    return places;
  }

  /**
   * Adds a place unless it is relative, since it would then depend on the working directory; Java
   * gives {@code ?} for a missing home folder.
   */
  private static void add(List<Path> places, @Nullable String base, String within) {
    if (base != null && !base.isBlank() && Path.of(base).isAbsolute()) {
      places.add(Path.of(base).resolve(within));
    }
  }

  /** The first of the places that is or becomes private, or a new folder for this process. */
  static Path first(List<Path> places) {
    for (Path place : places) {
      try {
        return make(place);
      } catch (IOException e) {
        LOG.info("native libraries cannot be kept in {}: {}", place, e.getMessage());
      }
    }
    try {
      Path own = Files.createTempDirectory("starling-libraries-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(own), "remove-libraries"));
      return own;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no folder for native libraries can be made, neither in %s nor in %s"
                  .formatted(places, System.getProperty("java.io.tmpdir"))
              + "; set XDG_CACHE_HOME to a folder of your own",
          e);
    }
  }

  /** Creates the folder, or checks an existing one. */
  static Path make(Path place) throws IOException {
    Path parent = Files.createDirectories(place.toAbsolutePath().getParent());
    Path folder = parent.toRealPath().resolve(place.getFileName());
    boolean posix = Files.getFileStore(parent).supportsFileAttributeView("posix");
    try {
      if (posix) {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectory(folder);
      }
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("it is a file or a link, expected a folder", e);
      }
    }
    if (posix) {
      check(folder);
    }
    if (!Files.isWritable(folder)) {
      throw new IOException("no permission to write there");
    }
    return folder;
  }

  private static int number(Map<String, Object> attributes, String name) {
    return (Integer) Objects.requireNonNull(attributes.get(name), name);
  }

  private static void check(Path folder) throws IOException {
    int me = user(folder);
    Map<String, Object> attributes = attributes(folder);
    int mode = number(attributes, MODE);
    if (number(attributes, OWNER) != me) {
      throw new IOException("it belongs to another user");
    }
    if ((mode & GROUP_OR_OTHERS_WRITE) != 0) {
      throw new IOException("other users may write to it; remove it, and it will be created again");
    }
    if ((mode & GROUP_OR_OTHERS) != 0) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      Map<String, Object> found = attributes(above);
      int owner = number(found, OWNER);
      int modeAbove = number(found, MODE);
      if (owner != me && owner != ROOT) {
        throw new IOException("the folder " + above + " belongs to another user");
      }
      if ((modeAbove & OTHERS_WRITE) != 0 && (modeAbove & STICKY) == 0) {
        throw new IOException("everybody may write to the folder " + above);
      }
    }
  }

  private static Map<String, Object> attributes(Path path) throws IOException {
    return Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
  }

  /** Number of the user that this process runs as. */
  private static int user(Path folder) throws IOException {
    Path self = Path.of("/proc/self");
    if (Files.exists(self)) {
      return (int) Files.getAttribute(self, "unix:uid");
    }
    Path probe = Files.createTempFile(folder, "owner", ".tmp");
    try {
      return (int) Files.getAttribute(probe, "unix:uid");
    } finally {
      Files.delete(probe);
    }
  }

  private static void remove(Path folder) {
    try {
      MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    } catch (IOException e) {
      LOG.debug("cannot remove {}", folder, e);
    }
  }
}
