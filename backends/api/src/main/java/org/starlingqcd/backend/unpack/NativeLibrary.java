package org.starlingqcd.backend.unpack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.bytedeco.javacpp.Loader;

/**
 * Unpacks a native library from a jar into a file that can be loaded.
 *
 * <p>The file lies in a private folder of the user's, in a subfolder named after the checksums of
 * the library. Its bytes are compared with those in the jar before every use, so a library of
 * another build, a damaged file or another user's file is never loaded.
 */
public final class NativeLibrary {
  private NativeLibrary() {}

  /**
   * Loads a JNI library of this program, which JavaCPP's builder puts beside the class that
   * declares its functions.
   *
   * @param owner the class that declares its functions
   * @throws UnsatisfiedLinkError when it was not built or cannot be unpacked or loaded
   */
  public static void load(Class<?> owner) {
    JavaCppLibraries.prepare();
    String name = System.mapLibraryName("jni" + owner.getSimpleName());
    String resource = Loader.getPlatform() + "/" + name;
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new UnsatisfiedLinkError(
            "the program was built without " + resource + ": no C++ compiler was found then");
      }
      System.load(unpacked(in, name).toString());
    } catch (IOException | UncheckedIOException e) {
      throw unsatisfied(resource + " cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /**
   * Unpacks a library.
   *
   * @param library its bytes
   * @param name name of the file
   * @return a file with these bytes, alone in a folder that only this user can write to
   * @throws IOException when it cannot be read or written
   */
  public static Path unpacked(InputStream library, String name) throws IOException {
    return unpacked(library.readAllBytes(), PrivateFolder.libraries(), name);
  }

  /** The library as a file; several processes may unpack it at once. */
  static Path unpacked(byte[] library, Path cache, String name) throws IOException {
    Path folder = Files.createDirectories(cache.resolve(name(library)));
    Path file = folder.resolve(name);
    if (!isIntact(file, library)) {
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

  private static boolean isIntact(Path file, byte[] library) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) != library.length) {
      return false;
    }
    ByteBuffer found = ByteBuffer.allocate(library.length);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      while (found.hasRemaining() && channel.read(found) >= 0) {}
    }
    return !found.hasRemaining() && Arrays.equals(found.array(), library);
  }

  /**
   * A name for contents: their size and two checksums, in 32 hexadecimal digits. It keeps the
   * libraries of several versions of the program apart. Whether a file is the library is found by
   * comparing all bytes, so that nobody gains from another library of the same name, and a
   * cryptographic hash, which takes twenty milliseconds at every start, is not needed.
   */
  static String name(byte[] contents) {
    return HexFormat.of().toHexDigits((long) contents.length)
        + checksum(new CRC32(), contents)
        + checksum(new Adler32(), contents);
  }

  private static String checksum(Checksum checksum, byte[] contents) {
    checksum.update(contents);
    return HexFormat.of().toHexDigits(checksum.getValue(), 8);
  }

  private static UnsatisfiedLinkError unsatisfied(String message, Exception cause) {
    UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
    error.initCause(cause);
    return error;
  }
}
