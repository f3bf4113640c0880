package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class ShardTest {
  @Property
  void shards_areThePartsOfTheWholeInOrderAndOfEqualSize(
      @ForAll @IntRange(max = 200) int size, @ForAll @IntRange(min = 1, max = 50) int count) {
    List<Integer> all = IntStream.range(0, size).boxed().toList();
    List<Integer> joined = new ArrayList<>();
    for (int k = 1; k <= count; k++) {
      List<Integer> part = Shard.parse(k + "/" + count).of(all);
      assertTrue(part.size() == size / count || part.size() == size / count + 1);
      joined.addAll(part);
    }
    assertEquals(all, joined);
  }

  @Property
  void fileNames_sortByNumber(@ForAll @IntRange(min = 2, max = 2000) int count) {
    String last = new Shard(count, count).fileName("x");
    String first = new Shard(1, count).fileName("x");
    assertTrue(first.compareTo(last) < 0, first + " " + last);
    assertEquals(first.length(), last.length());
  }
}
