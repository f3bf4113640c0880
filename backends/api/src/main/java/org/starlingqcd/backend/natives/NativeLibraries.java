package org.starlingqcd.backend.natives;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Checksum;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native libraries of the program's jars, unpacked into a {@link PrivateFolder}.
 *
 * <p>JavaCPP unpacks those of JavaCPP, OpenBLAS and HDF5, and loads them then. By default it would
 * take the home folder or, when it cannot write there, a folder of a well-known name among the
 * temporary files, and it uses a file that is already there when its size and date agree. Here it
 * gets a folder named after the contents of the jars. Files that have changed since they were last
 * compared with their jar are compared again before JavaCPP sees them, because loading a damaged
 * library kills the process. Other libraries lie in folders named after their checksums, which are
 * compared before every use.
 */
public final class NativeLibraries {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
  private static final String CACHE = "org.bytedeco.javacpp.cachedir";
  private static final String JAVACPP_LOGGER = "org.bytedeco.javacpp.logger";
  private static final String JAVACPP_LOADS = "org.bytedeco.javacpp.loadLibraries";

  /** The libraries with JavaCPP's functions, of each jar the last one that JavaCPP unpacks. */
  private static final List<String> JAVACPP_LIBRARIES =
      List.of(
          "javacpp/PLATFORM/libjnijavacpp.so",
          "openblas/PLATFORM/libjniopenblas_nolapack.so",
          "hdf5/PLATFORM/libjnihdf5.so");

  /** What these need of their jars; found by the linker, they could be those of other programs. */
  private static final List<List<String>> NEEDED =
      List.of(
          List.of(),
          List.of("libquadmath.so.0", "libgfortran.so.5", "libopenblas_nolapack.so.0"),
          List.of(
              "libhdf5.so.310",
              "libhdf5_hl.so.310",
              "libhdf5_cpp.so.310",
              "libhdf5_hl_cpp.so.310"));

  /** Those of {@link #JAVACPP_LIBRARIES} that were unpacked and compared. */
  private static final List<Path> UNPACKED = new ArrayList<>();

  private static boolean prepared;

  private NativeLibraries() {}

  /** Size and checksum of a file. */
  private record Contents(long bytes, long crc) {}

  /**
   * Prepares JavaCPP's folder. Must be called before the first use of JavaCPP; later calls do
   * nothing.
   *
   * @throws UncheckedIOException when the folder cannot be made or read
   */
  public static synchronized void prepare() {
    if (prepared) {
      return;
    }
    // The presets of HDF5 are older than JavaCPP, work with it, and warn of that whenever they are
    // loaded. Through SLF4J the program can leave that out.
    if (System.getProperty(JAVACPP_LOGGER) == null) {
      System.setProperty(JAVACPP_LOGGER, "slf4j");
    }
    try {
      List<JarFile> jars = javaCppJars();
      StringBuilder names = new StringBuilder();
      for (JarFile jar : jars) {
        jar.stream()
            .filter(entry -> entry.getName().contains(".so"))
            .forEach(e -> names.append(e.getName() + " " + e.getSize() + " " + e.getCrc() + "\n"));
      }
      String name = name(names.toString().getBytes(StandardCharsets.UTF_8));
      Path folder = Files.createDirectories(PrivateFolder.libraries().resolve("javacpp-" + name));
      for (int k = 0; k < jars.size(); k++) {
        Path library = unpacked(jars.get(k), folder).resolve(resource(JAVACPP_LIBRARIES.get(k)));
        if (verify(jars.get(k), folder) && Files.exists(library)) {
          UNPACKED.add(library);
        }
      }
      System.setProperty(CACHE, folder.toString());
      prepared = true;
      if (UNPACKED.size() == JAVACPP_LIBRARIES.size()) {
        System.setProperty(JAVACPP_LOADS, "false");
        load("javacpp");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("native libraries cannot be prepared: " + e.getMessage(), e);
    }
  }

  /** The jars on the class path with JavaCPP's libraries for this platform. */
  private static List<JarFile> javaCppJars() throws IOException {
    List<JarFile> jars = new ArrayList<>();
    for (String library : JAVACPP_LIBRARIES) {
      @Nullable URL url = NativeLibraries.class.getClassLoader().getResource(resource(library));
      // JavaCPP uses the connection's jar too, so it stays open.
      if (url != null && url.openConnection() instanceof JarURLConnection connection) {
        jars.add(connection.getJarFile());
      }
    }
    return jars;
  }

  private static String resource(String library) {
    return "org/bytedeco/" + library.replace("PLATFORM", Loader.getPlatform());
  }

  private static Path unpacked(JarFile jar, Path cache) {
    return cache.resolve(String.valueOf(Path.of(jar.getName()).getFileName()));
  }

  /**
   * Loads a library of JavaCPP's before a class that declares its functions is used. Where nothing
   * has to be unpacked, JavaCPP is passed by, which would look for each library in every jar.
   *
   * @param name its name without {@code jni}, such as {@code hdf5}
   */
  public static synchronized void load(String name) {
    prepare();
    try {
      for (int k = 0; k < UNPACKED.size() && !Loader.isLoadLibraries(); k++) {
        Path library = UNPACKED.get(k);
        if (library.endsWith(System.mapLibraryName("jni" + name))) {
          NEEDED.get(k).forEach(needed -> System.load(library.resolveSibling(needed).toString()));
          System.load(library.toString());
        }
      }
    } catch (UnsatisfiedLinkError incomplete) {
      System.clearProperty(JAVACPP_LOADS);
    }
  }

  /**
   * Removes unpacked files that differ from those in their jar. A file that has not changed since
   * the date of the file {@code JAR.verified} was compared before: no program can set the time of
   * the last change of a file's attributes.
   *
   * @return whether there are some and none differs
   */
  static boolean verify(JarFile jar, Path cache) throws IOException {
    Path unpacked = unpacked(jar, cache);
    if (!Files.isDirectory(unpacked, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(unpacked);
      return false;
    }
    Path mark = cache.resolve(unpacked.getFileName() + ".verified");
    if (changedSince(mark, unpacked).isEmpty()) {
      return true;
    }
    // JavaCPP gives some libraries a name that differs from the one in the jar.
    Set<Contents> known = new HashSet<>();
    jar.stream().forEach(entry -> known.add(new Contents(entry.getSize(), entry.getCrc())));
    Path newMark = Files.createTempFile(cache, "verified", ".part");
    try {
      boolean intact = true;
      for (Path file : changedSince(mark, unpacked)) {
        if (!isIntact(file, known)) {
          intact = false;
          remove(file, cache, known);
        } else if (!Files.isSymbolicLink(file)) {
          // What a machine that stops loses must not count as compared.
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
          }
        }
      }
      if (intact) {
        Files.move(
            newMark, mark, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
      return intact;
    } finally {
      Files.deleteIfExists(newMark);
    }
  }

  /** All files that are not older than a file, which need not exist. */
  private static List<Path> changedSince(Path mark, Path folder) throws IOException {
    FileTime last =
        Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS)
            ? Files.getLastModifiedTime(mark)
            : FileTime.fromMillis(0);
    List<Path> changed = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
            && Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
                instanceof FileTime time
            && time.compareTo(last) >= 0) {
          changed.add(file);
        }
      }
    }
    return changed;
  }

  /**
   * Whether a file is as in the jar. JavaCPP also creates links from one name of a library to
   * another in the same folder.
   */
  private static boolean isIntact(Path file, Set<Contents> known) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return Files.readSymbolicLink(file).getParent() == null;
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    CRC32 crc = new CRC32();
    try (InputStream in =
        new CheckedInputStream(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), crc)) {
      byte[] buffer = new byte[1 << 20];
      long bytes = 0;
      for (int some = in.read(buffer); some >= 0; some = in.read(buffer)) {
        bytes += some;
      }
      return known.contains(new Contents(bytes, crc.getValue()));
    }
  }

  /** Removes a file, unless another process is unpacking it at this moment. */
  private static void remove(Path file, Path cache, Set<Contents> known) throws IOException {
    // The lock that JavaCPP holds while it unpacks.
    try (FileChannel channel =
            FileChannel.open(
                cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !isIntact(file, known)) {
        LOG.warn("{} differs from the file in its jar and is unpacked again", file);
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * Loads a JNI library of this program, which JavaCPP's builder puts beside the class that
   * declares its functions.
   *
   * @param owner the class that declares its functions
   * @throws UnsatisfiedLinkError when it was not built or cannot be unpacked or loaded
   */
  public static void load(Class<?> owner) {
    prepare();
    String library = "jni" + owner.getSimpleName();
    String resource = Loader.getPlatform() + "/" + System.mapLibraryName(library);
    if (owner.getResource(resource) == null) {
      throw new UnsatisfiedLinkError(
          "the program was built without " + resource + ": no C++ compiler was found then");
    }
    System.load(unpacked(owner, resource).toString());
  }

  /**
   * Unpacks a library.
   *
   * @param resource its name beside the owner, or absolute
   * @return a file with its bytes, alone in a folder that only this user can write to
   * @throws UnsatisfiedLinkError when there is none or it cannot be unpacked
   */
  public static Path unpacked(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new UnsatisfiedLinkError(
            "the program was built without " + resource.replaceFirst("^/", ""));
      }
      String name = resource.substring(resource.lastIndexOf('/') + 1);
      return unpacked(in.readAllBytes(), PrivateFolder.libraries(), name);
    } catch (IOException | UncheckedIOException e) {
      UnsatisfiedLinkError error =
          new UnsatisfiedLinkError(resource + " cannot be unpacked: " + e.getMessage());
      error.initCause(e);
      throw error;
    }
  }

  /** The library as a file; several processes may unpack it at once. */
  static Path unpacked(byte[] library, Path cache, String name) throws IOException {
    String contents = name(library);
    Path folder = Files.createDirectories(cache.resolve(contents));
    Path file = folder.resolve(name);
    // Checksums of all bytes, which Java code that is not compiled yet would compare ten times
    // slower.
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || !name(Files.readAllBytes(file)).equals(contents)) {
      Path part = Files.createTempFile(folder, name, ".part");
      try {
        Files.write(part, library);
        // A damaged file is replaced, not overwritten, since other processes may have it open.
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    }
    return file;
  }

  /**
   * A name for contents, which keeps the libraries of several versions apart: their size and two
   * checksums. A cryptographic hash would take twenty milliseconds at every start.
   */
  private static String name(byte[] contents) {
    StringBuilder name = new StringBuilder(HexFormat.of().toHexDigits((long) contents.length));
    for (Checksum checksum : List.of(new CRC32(), new Adler32())) {
      checksum.update(contents);
      name.append(HexFormat.of().toHexDigits(checksum.getValue(), 8));
    }
    return name.toString();
  }
}
