package org.starlingqcd.backend.cuda;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import org.starlingqcd.backend.natives.NativeLibraries;

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
  private static final Map<String, Path> LOADED = new HashMap<>();

  private JCudaLibraries() {}

  /**
   * Loads a library.
   *
   * @param base JCuda's name of the library, such as {@code JCudaRuntime}
   * @param firstUse a call that makes JCuda load the library; later calls load nothing
   * @throws UnsatisfiedLinkError with the loader's reason when there is no library for this
   *     platform, or it cannot be unpacked or loaded; it can be tried again
   */
  static synchronized void load(String base, Runnable firstUse) {
    String file =
        System.mapLibraryName(LibUtils.createPlatformLibraryName(base + "-" + JCudaVersion.get()));
    Path library = load("/lib/" + file);
    String before = System.getProperty(TEMPORARY);
    System.setProperty(TEMPORARY, String.valueOf(library.getParent()));
    try {
      firstUse.run();
    } finally {
      System.setProperty(TEMPORARY, before);
    }
  }

  /** Loads a library that is part of the program, once, and returns its file. */
  static synchronized Path load(String resource) {
    Path file = LOADED.get(resource);
    if (file == null) {
      file = NativeLibraries.unpacked(JCudaLibraries.class, resource).toAbsolutePath();
      System.load(file.toString());
      LOADED.put(resource, file);
    }
    return file;
  }
}
