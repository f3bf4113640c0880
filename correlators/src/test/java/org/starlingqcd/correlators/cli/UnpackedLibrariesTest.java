package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which native libraries the program loads on a machine that it shares with others. */
@Tag("slow")
final class UnpackedLibrariesTest {
  @TempDir Path temporary;
  private Path launcher = Path.of("");
  private Path shared = Path.of("");
  private Path cache = Path.of("");

  @BeforeEach
  void install() throws IOException {
    launcher = TestInstallation.make(temporary.resolve("starling")).launcher();
    shared = Files.createDirectory(temporary.resolve("tmp"));
    cache = temporary.resolve("cache");
  }

  /** A process whose folders for temporary files and for caches are the test's. */
  private ProcessBuilder process(String name, String... args) throws IOException {
    Path working = Files.createDirectories(temporary.resolve(name));
    ProcessBuilder process = TestInstallation.process(working, launcher.toString(), args);
    process.environment().put("XDG_CACHE_HOME", cache.toString());
    process
        .environment()
        .put("STARLING_JAVA_OPTS", "-Djava.io.tmpdir=" + shared + " -Duser.home=" + cache);
    return process;
  }

  private Cli run(String name, String... args) throws Exception {
    return TestInstallation.finish(process(name, args).start(), temporary.resolve(name));
  }

  private Cli compute(String name) throws Exception {
    return run(name, computation());
  }

  private static String[] computation() {
    Path data = Path.of("../examples/data/quenched_4x8_cfg0001.h5").toAbsolutePath();
    return new String[] {
      "run", "pion", "--data", data.toString(), "--separations=0", "--backend=cpu"
    };
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  private List<Path> leftBehind() throws IOException {
    return files(shared).stream().filter(file -> !file.toString().contains("hsperfdata")).toList();
  }

  @Test
  void libraryInTheFolderForTemporaryFiles_isNeitherLoadedNorTouched() throws Exception {
    Assumptions.assumeTrue(
        System.getProperty("os.arch", "").equals("amd64"), "JCuda has a library for x86_64 alone");
    Path planted = shared.resolve("libJCudaRuntime-12.6.0-linux-x86_64.so");
    Files.writeString(planted, "planted");
    Cli backends = run("backends", "backends").ok();
    assertFalse(backends.out().contains("JCuda has no native library"), backends.out());
    assertEquals("planted", Files.readString(planted));
    assertEquals(List.of(planted), leftBehind());
  }

  @Test
  void damagedLibraries_areUnpackedAgain() throws Exception {
    compute("first").ok();
    List<Path> libraries =
        files(cache).stream().filter(file -> file.toString().contains(".so")).toList();
    assertTrue(libraries.size() >= 5, libraries.toString());
    // From now on the files are known to have been compared with their jars.
    compute("warm").ok();
    assertTrue(
        files(cache).stream().anyMatch(file -> file.toString().endsWith(".jar.verified")),
        files(cache).toString());
    List<byte[]> contents = new ArrayList<>();
    for (int k = 0; k < libraries.size(); k++) {
      Path library = libraries.get(k);
      contents.add(Files.readAllBytes(library));
      FileTime written = Files.getLastModifiedTime(library);
      try (RandomAccessFile file = new RandomAccessFile(library.toFile(), "rw")) {
        long size = file.length();
        file.setLength(size / 2);
        // A file that was not whole on the disk when the machine stopped has its size and its date.
        file.setLength(k % 2 == 0 ? size : size / 2);
      }
      Files.setLastModifiedTime(library, written);
    }
    compute("second").ok();
    for (int k = 0; k < libraries.size(); k++) {
      assertArrayEquals(contents.get(k), Files.readAllBytes(libraries.get(k)));
    }
    compute("third").ok();
    for (Path library : libraries) {
      if (library.toString().matches(".*lib(hdf5|openblas_nolapack)\\.so.*")) {
        Files.delete(library);
      }
    }
    compute("fourth").ok();
    assertTrue(libraries.stream().allMatch(Files::exists), libraries.toString());
    assertEquals(List.of(), leftBehind());
  }

  @Test
  void cacheThatOthersMayWriteTo_isNotUsed() throws Exception {
    Path open = Files.createDirectories(cache.resolve("starling/libraries"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path home = Files.createDirectories(cache.resolve(".cache/starling/libraries"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    compute("run").ok();
    assertEquals(List.of(), files(open));
    assertEquals(List.of(), files(home));
    assertEquals(List.of(), leftBehind());
  }

  @Test
  void firstStartsAtTheSameTime_allWork() throws Exception {
    List<Process> running = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      running.add(process("run" + k, computation()).start());
    }
    for (int k = 0; k < running.size(); k++) {
      TestInstallation.finish(running.get(k), temporary.resolve("run" + k)).ok();
    }
  }
}
