package org.starlingqcd.backend;

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
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native libraries that JavaCPP unpacks (its own, OpenBLAS and HDF5), in a folder of the user's
 * own.
 *
 * <p>JavaCPP unpacks into one folder, by default in the home folder or, when that cannot be
 * written, in one of a well-known name in the folder for temporary files, and takes what lies there
 * when size and date agree. Here the folder is {@link PrivateFolder}'s, within it one named after
 * the contents of the jars, and every unpacked file is compared with the size and the CRC-32 in its
 * jar before JavaCPP sees it: loading a library that is cut off kills the process. A file that does
 * not agree is removed, and JavaCPP unpacks it again.
 */
public final class JavaCppLibraries {
  private static final Logger LOG = LoggerFactory.getLogger(JavaCppLibraries.class);
  private static final String CACHE = "org.bytedeco.javacpp.cachedir";
  private static final int BUFFER = 1 << 20;

  /** Parts of the names of the libraries, in the folders of their jars. */
  private static final List<String> LIBRARIES =
      List.of(
          "javacpp/%s/libjnijavacpp.so", "openblas/%s/libopenblas.so.0", "hdf5/%s/libjnihdf5.so");

  private static boolean prepared;

  private JavaCppLibraries() {}

  /** Contents of a library. */
  private record Contents(long bytes, long crc) {}

  /**
   * Prepares the folder; called before the first use of anything of JavaCPP. Does nothing the
   * second time.
   *
   * @throws UncheckedIOException when the folder cannot be made or read
   */
  public static synchronized void prepare() {
    if (prepared) {
      return;
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

  /** The jars with libraries for this platform; those that are there. */
  private static List<JarFile> jars() throws IOException {
    List<JarFile> jars = new ArrayList<>();
    for (String library : LIBRARIES) {
      String resource = "org/bytedeco/" + String.format(library, Loader.getPlatform());
      @Nullable URL url = JavaCppLibraries.class.getClassLoader().getResource(resource);
      // The connection's jar is one that the process keeps open for JavaCPP too.
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
    return NativeLibrary.hash(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Removes what JavaCPP unpacked from a jar and is not as in the jar. */
  static void verify(JarFile jar, Path cache) throws IOException {
    Path unpacked = cache.resolve(String.valueOf(Path.of(jar.getName()).getFileName()));
    if (!Files.isDirectory(unpacked, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(unpacked);
      return;
    }
    // JavaCPP gives some libraries another name than they have in the jar.
    Set<Contents> known = new HashSet<>();
    for (JarEntry entry : jar.stream().toList()) {
      known.add(new Contents(entry.getSize(), entry.getCrc()));
    }
    try (Stream<Path> files = Files.walk(unpacked)) {
      for (Path file :
          files.filter(f -> !Files.isDirectory(f, LinkOption.NOFOLLOW_LINKS)).toList()) {
        if (!isIntact(file, known)) {
          remove(file, cache, known);
        }
      }
    }
  }

  /** JavaCPP makes links too, from one name of a library to another in the same folder. */
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
        LOG.warn("{}: is not as it was unpacked; it is unpacked again", file);
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
