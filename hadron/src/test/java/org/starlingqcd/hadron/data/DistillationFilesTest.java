package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.TestData;

class DistillationFilesTest {
  @TempDir Path folder;

  private Path header(String name, String ensemble, long configuration) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    TestData.writeHeader(path, ensemble, configuration, 4, 2);
    return path;
  }

  private static String fails(String... paths) {
    return TestData.refusal(() -> DistillationFiles.discover(List.of(paths)));
  }

  @Test
  void discover_groupsByConfiguration() throws IOException {
    Path a10 = header("a/x10.h5", "e", 10);
    Path a2 = header("a/x2.h5", "e", 2);
    Path b10 = header("b/y10.hdf5", "e", 10);
    Files.writeString(folder.resolve("a/notes.txt"), "not data");
    List<DistillationFiles.Configuration> found =
        DistillationFiles.discover(
            List.of(folder + "/a", folder + "/b/*.hdf5", a2.toString(), folder + "/a/../a/x10.h5"));
    assertEquals(2, found.size());
    assertEquals(2, found.get(0).number());
    assertEquals(List.of(a2), found.get(0).files());
    assertEquals(10, found.get(1).number());
    assertEquals(List.of(a10, b10), found.get(1).files());
    try (DistillationData data = found.get(1).open()) {
      assertEquals("e", data.header().ensemble());
    }
  }

  @Test
  void discover_globs() throws IOException {
    Path deep = header("a/b/c/x1.h5", "e", 1);
    Path braces = header("a/b/{odd}.h5", "e", 2);
    assertEquals(
        List.of(deep), DistillationFiles.discover(List.of(folder + "/a/**/x?.h5")).get(0).files());
    assertEquals(
        List.of(deep),
        DistillationFiles.discover(List.of(folder + "/*/b/c/x[0-9].h5")).get(0).files());
    // A file that is there is meant as it is written.
    assertEquals(
        List.of(braces), DistillationFiles.discover(List.of(braces.toString())).get(0).files());
    assertEquals("no file matches '" + folder + "/a/*.nc'", fails(folder + "/a/*.nc"));
    assertEquals("no file matches '" + folder + "/z/*.h5'", fails(folder + "/z/*.h5"));
    assertTrue(fails(folder + "/a/[.h5").startsWith("'" + folder + "/a/[.h5' is not a glob: "));
  }

  @Test
  void discover_manyStars_takeNoTime() throws IOException {
    String name = "a".repeat(200);
    Path found = header("deep/" + name + "_b.h5", "e", 1);
    String stars = "*a".repeat(20);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          assertEquals(
              "no file matches '%s'".formatted(folder + "/deep/" + stars + "*c"),
              fails(folder + "/deep/" + stars + "*c"));
          assertEquals(
              List.of(found),
              DistillationFiles.discover(List.of(folder + "/d*/" + stars + "*_?.h5"))
                  .get(0)
                  .files());
        });
    assertEquals(
        "'%s/x[y]%s' has more than 4 stars beside brackets, braces or backslashes, which takes too long"
            .formatted(folder, stars),
        fails(folder + "/x[y]" + stars));
    assertEquals(
        "'%s/**a**a**a**a**' has more than 4 double stars, which takes too long".formatted(folder),
        fails(folder + "/**a**a**a**a**"));
  }

  @Test
  void discover_directoriesMayHoldOtherFiles() throws IOException {
    Path one = header("a/x1.h5", "e", 1);
    Path result = header("a/result.h5", "e", 2);
    TestData.change(result, file -> file.attributes("/").put("format", "correlator"));
    assertEquals(List.of(one), DistillationFiles.discover(List.of(folder + "/a")).get(0).files());
    assertTrue(fails(result.toString()).startsWith(result + ": is not a distillation file"));
    Files.createDirectories(folder.resolve("empty"));
    assertEquals(
        folder + "/empty: the directory holds no distillation data", fails(folder + "/empty"));
  }

  @Test
  void discover_faultsAreReportedAndMayBeLeftOut() throws IOException {
    Path one = header("a/x1.h5", "e", 1);
    Path text = Files.writeString(folder.resolve("a/x2.h5"), "text");
    assertEquals(text + ": is not an HDF5 file", fails(folder + "/a"));
    List<String> faults = new ArrayList<>();
    List<DistillationFiles.Configuration> found =
        DistillationFiles.discover(
            DataRequest.of(List.of(folder + "/a")),
            fault -> faults.add(String.valueOf(fault.getMessage())));
    assertEquals(List.of(text + ": is not an HDF5 file"), faults);
    assertEquals(List.of(one), found.get(0).files());
    assertEquals(folder + "/none.h5: no such file", fails(folder + "/none.h5"));
  }

  @Test
  void discover_oneEnsembleOnly() throws IOException {
    Path one = header("a/x1.h5", "e", 1);
    Path other = header("a/x2.h5", "f", 2);
    assertEquals(
        one + " and " + other + " are of two ensembles, 'e' and 'f'; run them separately",
        fails(folder + "/a"));
    TestData.writeHeader(other, "e", 2, 8, 2);
    assertEquals(
        one
            + " and "
            + other
            + " do not belong together: temporal_extent is 4 in one and 8 in the other",
        fails(folder + "/a"));
  }
}
