package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

/** Lists in results that are longer than the 64 KiB of an attribute. */
final class LongListsTest {
  @TempDir Path folder;

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static ResultHeader header(int operators, int separations) {
    return ResultFixture.header(
        "x",
        "ensemble",
        "text",
        IntStream.range(0, operators).mapToObj(k -> "operator_" + k).toList(),
        Collections.nCopies(operators, 1),
        numbers(separations),
        false,
        OptionalInt.of(1 << 16));
  }

  @Test
  void root_hasListsOfAnyLength() {
    ResultHeader header = header(5_000, 10_000);
    ResultFile.Requested requested = ResultFile.Requested.of(numbers(20_000), numbers(9_000));
    List<String> runs = IntStream.range(0, 5_000).mapToObj(k -> "{\"run\": " + k + "}").toList();
    Path path = folder.resolve("x.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      ResultFile.writeRoot(file, "id", header, runs, List.of(), requested);
      assertEquals(ObjectKind.DATASET, file.kind("operators"));
    }
    ResultFile.Contents read = ResultFile.contents(path);
    assertEquals(header, read.header());
    assertEquals(runs, read.runs());
    assertEquals(requested, read.requested());
  }

  @Test
  void configuration_hasAnyNumberOfSources() {
    ResultHeader header = header(1, 1);
    ResultFile.Configuration units = new ResultFile.Configuration();
    for (int source = 0; source < 9_000; source++) {
      units.add(new ResultUnit(7, source, new double[] {source, 1}, new int[0], new double[0]));
    }
    Path path = folder.resolve("y.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      ResultFile.writeRoot(
          file, "id", header, List.of(), List.of(), ResultFile.Requested.of(List.of(7), List.of()));
      ResultFile.write(file, 7, units, header);
      assertEquals(1, ResultFile.checkedContents(file, Map.of()).finished().size());
    }
    try (ResultReader reader = ResultReader.open(path)) {
      assertEquals(
          numbers(9_000).stream().collect(Collectors.toCollection(TreeSet::new)),
          reader.finished().get(7));
      assertEquals(8_999, reader.read(7).correlators().get(8_999)[0]);
    }
  }

  @Test
  void list_isAnAttributeOrADataset_whateverWasThereBefore() {
    try (Hdf5File file = Hdf5File.create(folder.resolve("z.h5"))) {
      for (int count : new int[] {3, 10_000, 20_000, 3, 0}) {
        long[] values = IntStream.range(0, count).asLongStream().toArray();
        file.attributes("/").put("list", values);
        assertEquals(count, file.attributes("/").integers("list").length);
        assertEquals(count > 8_000 ? ObjectKind.DATASET : ObjectKind.NONE, file.kind("list"));
      }
    }
  }
}
