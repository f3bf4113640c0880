package org.starlingqcd.backend.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders that may contain the libraries of CUDA 12 or 13, beyond the system's search path. A
 * library found there is loaded from its file; JCublas and JCurand, which load it by name, then get
 * the same library.
 *
 * @param folders folders in the order in which they are searched
 */
record CudaInstallation(List<Path> folders) {
  private static final Logger LOG = LoggerFactory.getLogger(CudaInstallation.class);
  private static final String CUBLAS = "libcublas.so.12";
  private static final String FORWARD =
      "/org/starlingqcd/backend/cuda/linux-x86_64/libcublas.so.12";
  private static final String CURAND = "libcurand.so.10";
  private static final List<String> SYSTEM =
      List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib");

  /** Copies the list. */
  CudaInstallation {
    folders = List.copyOf(folders);
  }

  /**
   * The folders of this machine: those of {@code starling.cuda.libraries}, {@code LD_LIBRARY_PATH},
   * {@code CUDA_PATH}, {@code CUDA_HOME}, and CUDA's own.
   *
   * @param property looks up a system property
   * @param environment looks up an environment variable
   * @param local the folder in which CUDA installs itself, {@code /usr/local}
   */
  static CudaInstallation of(
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> environment,
      Path local) {
    List<Path> folders = new ArrayList<>();
    addAll(folders, property.apply("starling.cuda.libraries"), "");
    addAll(folders, environment.apply("LD_LIBRARY_PATH"), "");
    for (String variable : new String[] {"CUDA_PATH", "CUDA_HOME"}) {
      addAll(folders, environment.apply(variable), "lib64");
      addAll(folders, environment.apply(variable), "lib");
    }
    folders.add(local.resolve("cuda").resolve("lib64"));
    if (Files.isDirectory(local)) {
      try (DirectoryStream<Path> versions = Files.newDirectoryStream(local, "cuda-1[23]*")) {
        TreeSet<Path> newestFirst = new TreeSet<>(java.util.Comparator.reverseOrder());
        versions.forEach(newestFirst::add);
        newestFirst.forEach(version -> folders.add(version.resolve("lib64")));
      } catch (IOException e) {
        LOG.debug("cannot list {}", local, e);
      }
    }
    return new CudaInstallation(folders);
  }

  private static void addAll(List<Path> folders, @Nullable String path, String within) {
    if (path != null) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        if (!folder.isEmpty()) {
          folders.add(Path.of(folder, within));
        }
      }
    }
  }

  /** Loads the libraries that are found and leaves the others to the system's search path. */
  void preload() {
    cublas("12").forEach(CudaInstallation::load);
    folders.stream()
        .map(folder -> folder.resolve(CURAND))
        .filter(Files::exists)
        .findFirst()
        .ifPresent(CudaInstallation::load);
  }

  /**
   * Lets cuBLAS of CUDA 13 answer to the names of CUDA 12.
   *
   * @throws UnsatisfiedLinkError when there is none
   */
  void forward() {
    cublas("13").forEach(CudaInstallation::load);
    JCudaLibraries.load(FORWARD);
  }

  /** The files of cuBLAS of a version, all in the first folder that has it; empty if none has. */
  List<Path> cublas(String version) {
    for (Path folder : folders) {
      List<Path> files =
          Stream.of("libcublasLt.so.", "libcublas.so.")
              .map(name -> folder.resolve(name + version))
              .filter(Files::exists)
              .toList();
      if (files.contains(folder.resolve("libcublas.so." + version))) {
        return files;
      }
    }
    return List.of();
  }

  private static void load(Path file) {
    try {
      System.load(file.toAbsolutePath().toString());
    } catch (UnsatisfiedLinkError e) {
      LOG.info("{} cannot be loaded: {}", file, e.getMessage());
    }
  }

  /** Message that says why cuBLAS cannot be used and lists other versions that were found. */
  String missing(String reason) {
    TreeSet<Path> others = new TreeSet<>();
    List<Path> everywhere = new ArrayList<>(folders);
    SYSTEM.forEach(folder -> everywhere.add(Path.of(folder)));
    for (Path folder : everywhere) {
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "libcublas.so.*")) {
          files.forEach(others::add);
        } catch (IOException e) {
          LOG.debug("cannot list {}", folder, e);
        }
      }
    }
    return CUBLAS
        + " of CUDA 12 cannot be loaded: "
        + reason
        + (others.isEmpty() ? "" : "; found instead: " + others)
        + "; install cuBLAS of CUDA 12 or 13, or set CUDA_HOME; see docs/gpu.md";
  }
}
