package org.starlingqcd.backend.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import org.starlingqcd.backend.unpack.NativeLibrary;

/**
 * Loads the native libraries of JCuda, JCublas and JCurand from a folder that only this user can
 * write.
 *
 * <p>JCuda looks for a library in the folder {@code java.io.tmpdir}, loads any file of its name
 * there, and unpacks the library there if there is none. All users of a machine can write to that
 * folder. While a library is loaded, the property therefore names a folder that contains only the
 * verified library.
 */
final class JCudaLibraries {
  private static final String TEMPORARY = "java.io.tmpdir";

  private JCudaLibraries() {}

  /**
   * Loads a library.
   *
   * @param base JCuda's name of the library, such as {@code JCudaRuntime}
   * @param firstUse a call that makes JCuda load the library; later calls load nothing
   * @throws UnsatisfiedLinkError when there is no library for this platform or it cannot be
   *     unpacked
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
