package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jcuda.JCudaVersion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceUnderTest;
import org.starlingqcd.backend.hip.GlibcVersions;

/**
 * JCublas on the program's libcublas.so.12 that forwards all calls to a libcublas.so.13, which is
 * the fake one. Each test runs a process of its own, since a process loads one cuBLAS.
 */
class ForwardedCublasTest {
  private static final String FORWARD = "linux-x86_64/libcublas.so.12";

  /** These checks call every function of cuBLAS. */
  @Test
  @Tag("slow")
  void cublas13_passesTheContract() throws Exception {
    assertEquals(
        "of CUDA 13\n",
        probe(
            ".* matrices: .*|meson nodes.*, N (1|33)|traces of many blocks.*",
            "-Dstarling.fake.cublas=13"));
  }

  @Test
  @Tag("slow")
  void functionThatCublas13Lacks_isAnError() throws Exception {
    assertEquals(
        """
        of CUDA 13
        real matrices: sums, multiples, copies: cublasDcopy: 15 CUBLAS_STATUS_NOT_SUPPORTED
        real matrices: transposes and adjoints: cublasDcopy: 15 CUBLAS_STATUS_NOT_SUPPORTED
        """,
        probe(
            "real matrices: (sums|transposes|scaled).*",
            "-Dstarling.fake.cublas=13",
            "-Dstarling.fake.cublas.without=cublasDcopy_v2"));
  }

  @Test
  @Tag("slow")
  void cublasThatIsNotThere_isNamedInBothVersions() throws Exception {
    String words = probe("none", "-Dstarling.fake.cublas=14");
    String absent = "%s: cannot open shared object file: No such file or directory";
    for (String version : List.of("12", "13")) {
      String name = "libcublas.so." + version;
      assertEquals(true, words.contains(absent.formatted(name)), words);
    }
  }

  /** The library forwards every function that JCublas imports. */
  @Test
  void everyFunctionOfJCublas_isForwarded() throws IOException {
    FakeCuda.use(1, 1);
    FakeCuda.leave();
    Set<String> imported = names("/lib/libJCublas2-" + JCudaVersion.get() + "-linux-x86_64.so");
    assertEquals(494, imported.size());
    Set<String> forwarded = names(FORWARD);
    forwarded.retainAll(imported);
    assertEquals(imported, forwarded);
  }

  /** The library loads on systems with an old C library, as RHEL 7. */
  @Test
  void forwardingLibrary_needsAnOldCLibraryAtMost() throws IOException {
    FakeCuda.use(1, 1);
    FakeCuda.leave();
    assertEquals(List.of(), GlibcVersions.above(17, bytes(FORWARD)));
  }

  private static byte[] bytes(String resource) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ForwardedCublasTest.class.getResourceAsStream(resource), resource)) {
      return in.readAllBytes();
    }
  }

  /** Names of functions of cuBLAS in the table of a library's symbols. */
  private static Set<String> names(String resource) throws IOException {
    Matcher name =
        Pattern.compile("(?<=\0)cublas[A-Z]\\w+(?=\0)")
            .matcher(new String(bytes(resource), StandardCharsets.ISO_8859_1));
    return name.results()
        .map(found -> found.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What a process prints that runs the checks whose names match a pattern. */
  private static String probe(String checks, String... properties)
      throws IOException, InterruptedException {
    FakeCuda.use(1, 1); // skips the test where the fake cannot be built
    FakeCuda.leave();
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(properties));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xmx1g", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"));
    command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(Probe.class.getName(), checks));
    Path words = Files.createTempFile("probe", ".txt");
    try {
      Process process = new ProcessBuilder(command).redirectOutput(words.toFile()).start();
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), errors);
      return Files.readString(words);
    } finally {
      Files.delete(words);
    }
  }

  /** Checks of the contract. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      FakeCuda.use(1, 7);
      Availability availability = FakeCuda.provider().probe();
      if (!availability.isPresent()) {
        System.out.println(availability.reason());
        return;
      }
      System.out.println(availability.devices().get(0).details().get("cuBLAS"));
      for (ContractCheck check : DeviceContract.checks()) {
        if (check.name().matches(arguments[0])) {
          try {
            check.run(
                FakeCuda.provider(), new DeviceOptions(0, 0, DeviceUnderTest.CAPACITY, false));
          } catch (BackendException e) {
            String message = String.valueOf(e.getMessage()).replaceAll("\\(.*\\)", "");
            System.out.println(check.name() + ": " + message);
          }
        }
      }
      System.out.print(FakeCuda.report());
    }
  }
}
