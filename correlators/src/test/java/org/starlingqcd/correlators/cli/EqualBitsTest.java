package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.result.ResultAssert;

/**
 * What the section "Equal bits" of {@code docs/running.md} promises of runs on the CPU. That runs
 * go on with the same bits after kills and with other definitions is tested by {@code
 * ResultKillTest} and {@code PlannedAsAtFirstTest}, what several units at once do by {@code
 * UnitsAtOnceTest}.
 */
@Tag("slow")
final class EqualBitsTest {
  private static final String DEFINITION = "npi_i12";
  private static final String FILE = DEFINITION + ".h5";

  @TempDir Path folder;

  private Path out(String name) {
    return folder.resolve(name);
  }

  private void run(String out, List<String> more) {
    List<String> args = new ArrayList<>(List.of("run", DEFINITION, "--backend=cpu"));
    args.addAll(List.of("--data=../examples/data", "--out=" + out(out)));
    args.addAll(List.of("--configurations=1", "--sources=0,3", "--separations=0,2"));
    args.addAll(more);
    Cli.run(args.toArray(String[]::new)).ok();
  }

  private void assertSame(String name) {
    ResultAssert.assertSame(out("plain").resolve(FILE), out(name).resolve(FILE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "--exact"})
  void everyPromisedOption_keepsTheBits(String kernel) {
    List<String> plain = kernel.equals("--exact") ? List.of(kernel) : List.of();
    run("plain", plain);
    List<List<String>> others =
        List.of(
            List.of("--device-memory=128KiB", "--eviction=lru", "--threads=1"),
            List.of("--device-memory=300KiB", "--organization=direct", "--write=through"),
            List.of("--device-memory=200KiB", "--host-memory=2MiB", "--recompute=1000"),
            List.of("--read-ahead=64KiB", "--sources-at-once=2", "--threads=2"));
    for (int k = 0; k < others.size(); k++) {
      List<String> args = new ArrayList<>(plain);
      args.addAll(others.get(k));
      run("other" + k, args);
      assertSame("other" + k);
    }
    for (String shard : List.of("1/2", "2/2")) {
      List<String> args = new ArrayList<>(plain);
      args.add("--shard=" + shard);
      run("shards", args);
    }
    Cli.run("merge", out("shards").toString(), "--out", out("merged").toString()).ok();
    assertSame("merged");
  }

  /** The test above could not fail if nothing changed bits. */
  @Test
  void theOtherKernel_hasOtherBits() {
    run("plain", List.of());
    run("exact", List.of("--exact"));
    assertThrows(AssertionError.class, () -> assertSame("exact"));
  }
}
