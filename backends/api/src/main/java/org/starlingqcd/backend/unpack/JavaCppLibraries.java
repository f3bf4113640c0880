package org.starlingqcd.backend.unpack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unpacks the native libraries of JavaCPP, OpenBLAS and HDF5 into a private folder of the user's.
 *
 * <p>By default JavaCPP unpacks into the home folder or, when it cannot write there, into a folder
 * of a well-known name among the temporary files. It uses a file that is already there when its
 * size and date agree. This class uses {@link PrivateFolder} instead, with a subfolder named after
 * the contents of the jars. It compares the size and the CRC-32 of every unpacked file with those
 * in its jar before JavaCPP sees it, because loading a truncated library kills the process. It
 * removes a file that differs, and JavaCPP unpacks it again.
 *
 * <p>The 50 MB of a jar take a twentieth of a second to compare. {@link VerifiedFiles} remembers
 * which files were compared, so that a start reads only those that have changed since.
 */
public final class JavaCppLibraries {
  private static final Logger LOG = LoggerFactory.getLogger(JavaCppLibraries.class);
  private static final String CACHE = "org.bytedeco.javacpp.cachedir";
  private static final String JAVACPP_LOGGER = "org.bytedeco.javacpp.logger";
  private static final int BUFFER = 1 << 20;

  /** Parts of the names of the libraries, in the folders of their jars. */
  private static final List<String> LIBRARIES =
      List.of(
          "javacpp/PLATFORM/libjnijavacpp.so",
          "openblas/PLATFORM/libopenblas.so.0",
          "hdf5/PLATFORM/libjnihdf5.so");

  private static boolean prepared;

  private JavaCppLibraries() {}

  /** Size and checksum of a library. */
  private record Contents(long bytes, long crc) {}

  /**
   * Prepares the folder. Must be called before the first use of JavaCPP; later calls do nothing.
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
      List<JarFile> jars = jars();
      Path folder = PrivateFolder.libraries().resolve("javacpp-" + name(jars));
      Files.createDirectories(folder);
      for (JarFile jar : jars) {
        verify(jar, folder);
      }
      System.setProperty(CACHE, folder.toString());
      prepared = true;
    } catch (IOException e) {
      throw new UncheckedIOException("native libraries cannot be prepared: " + e.getMessage(), e);
    }
  }

  /** The jars on the class path with libraries for this platform. */
  private static List<JarFile> jars() throws IOException {
    List<JarFile> jars = new ArrayList<>();
    for (String library : LIBRARIES) {
      String resource = "org/bytedeco/" + library.replace("PLATFORM", Loader.getPlatform());
      @Nullable URL url = JavaCppLibraries.class.getClassLoader().getResource(resource);
      // JavaCPP uses the connection's jar too, so it stays open.
      if (url != null && url.openConnection() instanceof JarURLConnection connection) {
        jars.add(connection.getJarFile());
      }
    }
    return jars;
  }

  /** A name for the contents of jars. */
  private static String name(List<JarFile> jars) {
    StringBuilder text = new StringBuilder();
    for (JarFile jar : jars) {
      jar.stream()
          .filter(entry -> entry.getName().contains(".so"))
          .forEach(
              entry ->
                  text.append(entry.getName())
                      .append(' ')
                      .append(entry.getSize())
                      .append(' ')
                      .append(entry.getCrc())
                      .append('\n'));
    }
    return NativeLibrary.name(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Removes unpacked files that differ from those in their jar. */
  static void verify(JarFile jar, Path cache) throws IOException {
    Path unpacked = cache.resolve(String.valueOf(Path.of(jar.getName()).getFileName()));
    if (!Files.isDirectory(unpacked, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(unpacked);
      return;
    }
    VerifiedFiles verified = new VerifiedFiles(unpacked);
    if (verified.areUnchanged()) {
      return;
    }
    // JavaCPP gives some libraries a name that differs from the one in the jar.
    Set<Contents> known = new HashSet<>();
    for (JarEntry entry : jar.stream().toList()) {
      known.add(new Contents(entry.getSize(), entry.getCrc()));
    }
    boolean intact = true;
    for (Path file : VerifiedFiles.files(unpacked)) {
      if (!isIntact(file, known)) {
        intact = false;
        remove(file, cache, known);
      }
    }
    if (intact) {
      verified.remember();
    }
  }

  /**
   * Whether a file is as in the jar. JavaCPP also creates links from one name of a library to
   * another in the same folder.
   */
  private static boolean isIntact(Path file, Set<Contents> known) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return Files.readSymbolicLink(file).getParent() == null;
    }
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && known.contains(contents(file));
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

  private static Contents contents(Path file) throws IOException {
    CRC32 crc = new CRC32();
    long bytes = 0;
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      while (channel.read(buffer.clear()) >= 0) {
        bytes += buffer.flip().remaining();
        crc.update(buffer);
      }
    }
    return new Contents(bytes, crc.getValue());
  }
}
