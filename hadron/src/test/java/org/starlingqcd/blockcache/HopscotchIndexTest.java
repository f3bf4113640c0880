package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HopscotchIndexTest {
  @TempDir Path temporary;
  private FolderLock locks;
  private SharedFile shared;
  private ProcessSlots slots;
  private HopscotchIndex index;

  @BeforeEach
  void open() throws IOException {
    locks = FolderLock.open(temporary.resolve("lock"));
    SharedFile.create(
        temporary.resolve("index"), new SharedFile.Sizes(2, 16, 4, 8, 16), 1 << 20, false);
    shared = SharedFile.map(temporary.resolve("index"));
    slots = Objects.requireNonNull(ProcessSlots.take(shared, locks));
    index = new HopscotchIndex(shared, slots);
  }

  @AfterEach
  void close() throws IOException {
    slots.close();
    locks.close();
  }

  private boolean put(BlockKey key, long place) {
    HopscotchIndex.Claim claim = index.claim(key);
    return claim.isOurs() && index.replace(key, claim.address(), place, 0, () -> true);
  }

  private static long address(int number) {
    return LogAddress.stored(number % 1000 + 1, 64L * number, false);
  }

  @Test
  void claim_whereEntriesAreOverwritten_noticesAndDropsThem() {
    BlockKey key = TestBlocks.key(1);
    assertTrue(put(key, address(1)));
    int region = (int) Long.remainderUnsigned(key.low(), shared.sizes().regions());
    int bucket = (int) (key.high() & (SharedFile.REGION - 1));
    shared.set(shared.bucket(region, bucket), key.high() + 1);
    assertEquals(0, index.find(key));
    assertFalse(index.isDamaged());
    assertTrue(put(key, address(2)));
    assertTrue(index.isDamaged());
    assertEquals(address(2), index.find(key));
    assertEquals(List.of(), index.audit());
  }

  @Test
  void changes_asAMap_upToFourFifthsFull() {
    Random random = new Random(7);
    Map<BlockKey, Long> model = new HashMap<>();
    List<BlockKey> keys = new ArrayList<>();
    int number = 0;
    // 8,192 buckets; entries come and go at four fifths.
    while (number < 20_000) {
      if (model.size() < 6550 && random.nextInt(10) < 8) {
        BlockKey key = TestBlocks.key(number);
        assertTrue(put(key, address(number)), "entries=" + model.size());
        model.put(key, address(number));
        keys.add(key);
        number++;
      } else {
        BlockKey gone = keys.remove(random.nextInt(keys.size()));
        assertFalse(index.remove(gone, 1));
        assertTrue(index.remove(gone, model.remove(gone)));
        assertEquals(0, index.find(gone));
      }
    }
    model.forEach((key, place) -> assertEquals(place, index.find(key)));
    assertEquals(model.size(), index.entries().size());
    assertFalse(index.isDamaged());
    assertEquals(List.of(), index.audit());
  }

  @Test
  void lockOfAProcessThatDied_isTakenOver_andTheRegionRepaired() {
    for (int k = 0; k < 3000; k++) {
      put(TestBlocks.key(k), address(k));
    }
    for (int region = 0; region < 2; region++) {
      // A displacement that was cut off: an entry twice, a home without its bit.
      int home = shared.bucket(region, 100) + 24;
      shared.set(home, shared.get(home) & 0xffff_ffffL);
      shared.set(shared.lock(region), shared.get(shared.lock(region)) | (5L << 7 | 3));
    }
    for (int k = 0; k < 3000; k++) {
      assertEquals(address(k), index.find(TestBlocks.key(k)));
    }
    assertEquals(List.of(), index.audit());
  }

  @Test
  void claimOfAProcessThatDied_isTakenOver() {
    BlockKey key = TestBlocks.key(1);
    put(key, LogAddress.loading(5 << 7 | 3));
    HopscotchIndex.Claim claim = index.claim(key);
    assertTrue(claim.isOurs());
    assertEquals(LogAddress.loading(slots.token()), claim.address());
    assertFalse(index.claim(key).isOurs());
    put(TestBlocks.key(2), LogAddress.loading(5 << 7 | 3));
    assertEquals(1, index.removeAbandoned());
  }
}
