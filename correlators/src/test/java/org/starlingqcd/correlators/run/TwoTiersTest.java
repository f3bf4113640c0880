package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.MemoryInfo;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.memhc.cache.Tiering;

final class TwoTiersTest {
  private static final long GIB = 1L << 30;
  private static final MemoryInfo DDR = new MemoryInfo(0, 64 * GIB, 60 * GIB, true, 80e9);
  private static final MemoryInfo HBM = new MemoryInfo(1, 16 * GIB, 10 * GIB, false, 400e9);

  private static List<MemoryInfo> machine(MemoryInfo... memories) {
    return List.of(memories);
  }

  private static TwoTiers of(
      @Nullable String fast,
      @Nullable String slow,
      @Nullable String tiering,
      List<MemoryInfo> memories) {
    return TwoTiers.of(TierSettings.of(fast, slow, tiering, 0), memories, 40 * GIB);
  }

  @Test
  void size_isPlacedOnTheFasterNodes() {
    TwoTiers tiers = of("4GiB", "node:0", null, machine(DDR, HBM));
    assertNull(tiers.warning());
    assertEquals(Tiering.GUIDED, tiers.tiering());
    assertEquals(4 * GIB, tiers.fastBytes());
    assertEquals(36 * GIB, tiers.slowBytes());
    assertEquals(List.of(1), tiers.placement().fastNodes());
    assertEquals(List.of(0), tiers.placement().slowNodes());
    assertEquals(List.of(), of("4GiB", null, null, machine()).placement().fastNodes());
  }

  @Test
  void nodes_giveMostOfWhatIsFreeThere() {
    TwoTiers tiers = of("node:1", null, "static", machine(DDR, HBM));
    assertEquals(Tiering.STATIC, tiers.tiering());
    assertEquals(9 * GIB, tiers.fastBytes());
    assertEquals(tiers, of(null, null, "static", machine(DDR, HBM)));
  }

  @Test
  void whatCannotBePlaced_isOneTierWithOneLine() {
    TwoTiers absent = of("node:7", null, null, machine(DDR, HBM));
    assertEquals(
        "there is no memory node 7 (there are: 0, 1), so there is one tier", absent.warning());
    assertEquals(Tiering.OFF, absent.tiering());
    assertEquals(40 * GIB, absent.fastBytes());
    assertEquals(
        "memory cannot be placed on nodes here, so there is one tier",
        of("4GiB", "node:0", null, machine()).warning());
    assertEquals(
        "no memory of this machine is faster than another, so there is one tier",
        of(null, null, "guided", machine(DDR)).warning());
  }

  @Test
  void gpu_usesPageLockedMemoryInPlaceOfThatForEvictedElements() {
    TwoTiers part = TwoTiers.onGpu(parse("4GiB", null), 40 * GIB, 6 * GIB);
    assertEquals(Tiering.GUIDED, part.tiering());
    assertEquals(4 * GIB, part.fastBytes());
    assertEquals(6 * GIB, part.slowBytes());
    assertEquals(10 * GIB, part.workingBytes());
    TwoTiers whole = TwoTiers.onGpu(parse(null, "static"), 40 * GIB, 6 * GIB);
    assertEquals(Tiering.STATIC, whole.tiering());
    assertEquals(40 * GIB, whole.fastBytes());
    assertEquals(40 * GIB, whole.workingBytes());
    TwoTiers off = TwoTiers.onGpu(parse("4GiB", "off"), 40 * GIB, 6 * GIB);
    assertEquals(0, off.slowBytes());
    assertEquals(4 * GIB, off.workingBytes());
    assertThrows(
        InputException.class, () -> TwoTiers.onGpu(parse("41GiB", null), 40 * GIB, 6 * GIB));
  }

  @Test
  void gpu_withoutWhatWasAskedFor_isOneTierWithOneLine() {
    TwoTiers nodes = TwoTiers.onGpu(TierSettings.of("4GiB", "node:0", null, 0), 40 * GIB, 6 * GIB);
    assertEquals(
        "the slow memory of a GPU is page-locked memory of the host, which takes no memory nodes,"
            + " so there is one tier",
        nodes.warning());
    assertEquals(TwoTiers.single(40 * GIB).fastBytes(), nodes.fastBytes());
    TwoTiers noHost = TwoTiers.onGpu(parse(null, "guided"), 40 * GIB, 0);
    assertEquals(
        "--host-memory leaves no slow memory to the GPU, so there is one tier", noHost.warning());
    assertEquals(Tiering.OFF, noHost.tiering());
  }

  private static TierSettings parse(@Nullable String fast, @Nullable String tiering) {
    return TierSettings.of(fast, null, tiering, 0);
  }

  @Test
  void off_boundsTheDevice_andNothingAskedChangesNothing() {
    TwoTiers off = of("25%", null, "off", machine(DDR));
    assertEquals(10 * GIB, off.fastBytes());
    assertEquals(0, off.slowBytes());
    assertEquals(TwoTiers.single(40 * GIB), of(null, null, null, machine(DDR, HBM)));
    assertThrows(InputException.class, () -> of("41GiB", null, null, machine(DDR)));
  }

  @Test
  void settings_describeWhatWasGiven() {
    TierSettings given = TierSettings.of("node:1,2", "node:0", null, 3);
    Map<String, Object> described = new LinkedHashMap<>();
    given.describe(described);
    assertEquals(
        Map.of(
            "fast_memory",
            "node:1,2",
            "slow_memory",
            "node:0",
            "tiering",
            "guided",
            "copy_threads",
            3,
            "copy_chunk",
            "1048576"),
        described);
    new TierSettings().describe(Map.of());
  }
}
