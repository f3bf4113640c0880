package org.starlingqcd.backend.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import org.starlingqcd.backend.NativeLibrary;

/**
 * The native libraries of JCuda, JCublas and JCurand, unpacked where only this user can write.
 *
 * <p>JCuda looks for a library in the folder that {@code java.io.tmpdir} names, loads whatever lies
 * there under its name, and unpacks it there otherwise. That folder belongs to all users of a
 * machine. So for the moment of loading the property names the folder that the verified library is
 * alone in.
 */
final class JCudaLibraries {
  private static final String TEMPORARY = "java.io.tmpdir";

  private JCudaLibraries() {}

  /**
   * Loads a library.
   *
   * @param base the name that JCuda gives it, as {@code JCudaRuntime}
   * @param firstUse what makes JCuda load it; the second use of a library loads nothing
   * @throws UnsatisfiedLinkError when there is none for this platform, or it cannot be unpacked
   */
  static synchronized void load(String base, Runnable firstUse) {
    String file =
        System.mapLibraryName(LibUtils.createPlatformLibraryName(base + "-" + JCudaVersion.get()));
    try (InputStream library = JCudaLibraries.class.getResourceAsStream("/lib/" + file)) {
      if (library == null) {
        throw new UnsatisfiedLinkError("the program was built without lib/" + file);
      }
      Path folder = NativeLibrary.unpacked(library, file).toAbsolutePath().getParent();
      String before = System.getProperty(TEMPORARY);
      System.setProperty(TEMPORARY, String.valueOf(folder));
      try {
        firstUse.run();
      } finally {
        System.setProperty(TEMPORARY, before);
      }
    } catch (IOException | UncheckedIOException e) {
      UnsatisfiedLinkError error =
          new UnsatisfiedLinkError(file + " cannot be unpacked: " + e.getMessage());
      error.initCause(e);
      throw error;
    }
  }
}
