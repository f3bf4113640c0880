package org.starlingqcd.backend;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bytedeco.javacpp.Loader;

/**
 * A JNI library of our own that JavaCPP's builder put beside the class that declares its functions.
 *
 * <p>JavaCPP's own loader keeps what it unpacked under the name of the jar and takes it again when
 * size and date agree. Reproducible builds have one date for all files, and the size of a library
 * is a multiple of a page, so the library of another build of the same version could be taken. Here
 * the folder in JavaCPP's cache is named after the contents.
 */
public final class NativeLibrary {
  private static final String FOLDER = "starling-";
  private static final int DIGITS = 16;

  private NativeLibrary() {}

  /**
   * Loads the library.
   *
   * @param owner the class that declares its functions
   * @throws UnsatisfiedLinkError when it was not built or cannot be unpacked or loaded
   */
  public static void load(Class<?> owner) {
    String name = System.mapLibraryName("jni" + owner.getSimpleName());
    String resource = Loader.getPlatform() + "/" + name;
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new UnsatisfiedLinkError(
            "the program was built without " + resource + ": no C++ compiler was found then");
      }
      byte[] library = in.readAllBytes();
      Path cache = Loader.getCacheDir().toPath();
      System.load(unpacked(library, cache, name).toAbsolutePath().toString());
    } catch (IOException e) {
      throw unsatisfied(resource + " cannot be unpacked: " + e, e);
    }
  }

  /** The library as a file; several processes may unpack it at once. */
  static Path unpacked(byte[] library, Path cache, String name) throws IOException {
    Path folder = Files.createDirectories(cache.resolve(FOLDER + hash(library)));
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      Path part = Files.createTempFile(folder, name, ".part");
      try {
        Files.write(part, library);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException e) {
        // Another process was faster with the same contents.
      } finally {
        Files.deleteIfExists(part);
      }
    }
    return file;
  }

  private static String hash(byte[] library) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(library);
      return String.format("%064x", new BigInteger(1, digest)).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static UnsatisfiedLinkError unsatisfied(String message, Exception cause) {
    UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
    error.initCause(cause);
    return error;
  }
}
