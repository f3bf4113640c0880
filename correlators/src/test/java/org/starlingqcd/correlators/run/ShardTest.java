package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 49, 50})
  void shards_areThePartsOfTheWholeInOrderAndOfEqualSize(int count) {
    for (int size = 0; size <= 200; size++) {
      List<Integer> all = IntStream.range(0, size).boxed().toList();
      List<Integer> joined = new ArrayList<>();
      for (int k = 1; k <= count; k++) {
        List<Integer> part = Shard.parse(k + "/" + count).of(all);
        assertTrue(part.size() == size / count || part.size() == size / count + 1);
        joined.addAll(part);
      }
      assertEquals(all, joined);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 9, 10, 11, 99, 100, 101, 999, 1000, 2000})
  void fileNames_sortByNumber(int count) {
    for (int k = 1; k < count; k++) {
      String first = new Shard(k, count).fileName("x");
      String next = new Shard(k + 1, count).fileName("x");
      assertTrue(first.compareTo(next) < 0, first + " " + next);
      assertEquals(first.length(), next.length());
    }
  }
}
