package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options that nobody can mean, and things in the place of files: one message, at once. */
final class AbsurdOptionsTest {
  private static final String DATA = "../examples/data";

  @TempDir Path folder;

  private Cli run(String... args) {
    return assertTimeoutPreemptively(Duration.ofMinutes(1), () -> Cli.run(args));
  }

  private void assertRefused(String message, String... args) {
    Cli result = run(args);
    assertEquals(2, result.status(), result.err());
    List<String> said =
        result.err().lines().filter(line -> !line.endsWith("looking for data")).toList();
    assertEquals(List.of("starling: " + message), said);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void hugeNumbers_areOneMessage() {
    String out = folder.resolve("out").toString();
    assertRefused(
        "--threads must be between 1 and 4096, not 100000",
        Cli.words("run pion --data %s --threads 100000 --out %s", DATA, out));
    assertRefused(
        "--shards must be between 1 and 999999, not 100000000",
        Cli.words("submit pion --data %s --scheduler slurm --shards 100000000", DATA));
    assertRefused(
        "--tensor-size must be between 1 and 16384, not 2147483647",
        Cli.words("plan pion --tensor-size 2147483647"));
    assertRefused(
        "synth: L and T must be <= 65536, N <= 16384: spatialExtent=16 temporalExtent=4"
            + " eigenvectors=2147483647",
        Cli.words("synth -N 2147483647 -T 4 --out %s", out));
    assertRefused(
        "--configurations 2147483647: there are no data of configuration 2147483647; the data have"
            + " 1, 2",
        Cli.words("run pion --data %s --out %s --configurations 2147483647", DATA, out));
    assertTrue(Files.notExists(folder.resolve("out")));
  }

  @Test
  void moreHadronsThanCanBeContracted_areOneMessage() throws IOException {
    String meson = "{bar: d, gamma: g5, quark: u, momentum: [0, 0, 0]}";
    Path many =
        file(
            "many.yaml",
            "name: many\noperators:\n  - name: o\n    terms:\n      - mesons: ["
                + String.join(", ", Collections.nCopies(40, meson))
                + "]\n");
    assertRefused(
        many + ", line 5, operator 'o': a product of 40 hadrons: at most 15 can be contracted",
        "plan",
        "" + many);
  }

  @Test
  void settings_withAKeyTwiceOrTheNullCharacter_areOneMessage() throws IOException {
    Path twice = file("twice.yaml", "definitions: [pion]\ndata: [x]\ndata: [y]\n");
    assertRefused(
        twice + ":3: duplicate key 'data' in the settings, first given in line 2",
        "run",
        "--settings",
        "" + twice);
    Path site = file("site.yaml", "time: 1:00\ntime: 2:00\n");
    assertRefused(
        site + ":2: duplicate key 'time' in a site file, first given in line 1",
        Cli.words("submit pion --data %s --scheduler slurm --site %s", DATA, "" + site));
    Path nul = file("nul.yaml", "definitions: [pion]\ndata: [\"a\\0b\"]\n");
    assertRefused(
        nul + ":2: data: the character U+0000 cannot stand in a value",
        "run",
        "--settings",
        "" + nul);
  }

  /** Each way in which a file is given. */
  private static List<String[]> uses(String file) {
    List<String[]> uses = new ArrayList<>();
    uses.add(new String[] {"run", "pion", "--data", file});
    uses.add(new String[] {"run", file, "--data", DATA});
    uses.add(new String[] {"run", "--settings", file});
    uses.add(new String[] {"plan", "pion", "--plan", file});
    uses.add(new String[] {"inspect", file});
    uses.add(new String[] {"merge", file, "--out", file + ".out"});
    uses.add(new String[] {"submit", "pion", "--data", DATA, "--scheduler=slurm", "--site", file});
    return uses;
  }

  private void assertAllRefused(Path file, String kind) {
    for (String[] use : uses(file.toString())) {
      Cli result = run(use).refused(file + ": is " + kind + ", expected a");
      assertEquals(
          1, result.err().lines().filter(line -> !line.endsWith("looking for data")).count());
    }
  }

  @Test
  void pipesSocketsAndDevices_areRefusedAtOnce() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/zero")), "no Unix");
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertAllRefused(pipe, "a named pipe");
    String[] run = {"run", "pion", "--data", DATA, "--backend", "cpu", "--out", folder + "/out"};
    Cli.run(run, "--trace", pipe.toString())
        .refused("--trace " + pipe + ": is a named pipe, expected a file");
    Cli.run(run, "--trace", folder + "/none/t").refused("nothing can be written in " + folder);
    assertAllRefused(Path.of("/dev/zero"), "a device");
    Path socket = folder.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertAllRefused(socket, "a socket");
    }
  }

  @Test
  void pipesAmongTheFilesOfAResult_areRefusedAtOnce() throws Exception {
    Path out = Files.createDirectories(folder.resolve("out/pion.journal")).getParent();
    String[] run = {"run", "pion", "--data", DATA, "--backend", "cpu", "--out", out.toString()};
    for (String name :
        List.of("pion.h5", ".starling.lock", "pion.journal/claims", "pion.journal/a.units")) {
      Path pipe = out.resolve(name);
      assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no Unix");
      Cli result = run(run).refused(pipe.toString());
      assertEquals(1, result.err().lines().filter(line -> line.contains("expected")).count());
      Files.delete(pipe);
    }
    // Something else may stand in the place of the new file, which is written anew.
    assertEquals(
        0, new ProcessBuilder("mkfifo", out.resolve(".pion.h5.tmp").toString()).start().waitFor());
    run(run).ok();
  }

  @Test
  void tooFewThreads_areOneMessage() {
    StringWriter err = new StringWriter();
    OutOfMemoryError jvms = new OutOfMemoryError("unable to create native thread: possibly ...");
    assertEquals(1, ErrorReport.print(jvms, false, new PrintWriter(err)));
    assertEquals(
        "starling: the system allows no more threads; --threads N takes fewer, and `ulimit -u`"
            + " shows the bound\n",
        err.toString());
  }
}
