package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.data.UserCache;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * The fixture prop.sdb was written by the reference library: 512-byte pages, buckets that were
 * split, overflow pages. Its record (t, t0, s, k) holds at position m = 2 outer + inner the number
 * (t + 100 t0 + 0.01 s + 0.0001 k) + i (1000 outer + inner).
 */
class SdbFormatTest {
  @TempDir Path folder;
  private Path fixture;
  private byte[] bytes;

  @BeforeEach
  void copyFixture() throws IOException {
    try (InputStream in = SdbFormatTest.class.getResourceAsStream("/chroma/prop.sdb")) {
      bytes = assertNotNull(in).readAllBytes();
    }
    fixture = Files.write(folder.resolve("prop.sdb"), bytes);
  }

  private static <T> T assertNotNull(T value) {
    org.junit.jupiter.api.Assertions.assertNotNull(value);
    return value;
  }

  private static DistillationData open(Path... files) {
    return DistillationFiles.discover(List.of(files).stream().map(Path::toString).toList())
        .get(0)
        .open();
  }

  @Test
  void fixture_everyNumber() {
    try (DistillationData data = open(fixture)) {
      assertEquals(List.of("U-0.2416"), List.copyOf(data.labels()));
      assertEquals(4, data.header().spatialExtent());
      assertEquals(8, data.header().temporalExtent());
      assertEquals(2, data.header().eigenvectors());
      assertEquals(PartialHeader.UNNAMED, data.header().ensemble());
      assertEquals(List.of(0, 1), List.copyOf(data.sourceTimes("U-0.2416")));
      assertFalse(data.stores(new DataBlock.Perambulator("U-0.2416", 2, 0)));
      for (int t = 0; t < 2; t++) {
        for (int t0 = 0; t0 < 2; t0++) {
          double[] tau = TestData.load(data, new Input.Perambulator("U-0.2416", t, t0));
          for (int alpha = 0; alpha < 4; alpha++) {
            for (int beta = 0; beta < 4; beta++) {
              for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 2; j++) {
                  int at = 2 * (((4 * alpha + beta) * 2 + i) * 2 + j);
                  // The third integer of a key is the source spin, the outer index the source
                  // vector.
                  assertEquals(t + 100 * t0 + 0.01 * beta + 0.0001 * alpha, tau[at], 1e-12);
                  assertEquals(1000 * j + i, tau[at + 1], 0);
                }
              }
            }
          }
        }
      }
      assertTrue(
          TestData.refusal(() -> TestData.load(data, new Input.Perambulator("U-0.2416", 2, 2)))
              .contains("'U-0.2416' at (sink, source) = (2, 2) is missing"));
    }
  }

  @Test
  void labels_areRenamed() {
    DataRequest renamed =
        new DataRequest(List.of(fixture.toString()), Map.of("U-0.2416", "light"), null);
    try (DistillationData data = DistillationFiles.discover(renamed).get(0).open()) {
      assertEquals(List.of("light"), List.copyOf(data.labels()));
      assertEquals(101, TestData.load(data, new Input.Perambulator("light", 1, 1))[0], 1e-12);
    }
    DataRequest labelled = DataRequest.of(List.of("strange=" + folder));
    try (DistillationData data = DistillationFiles.discover(labelled).get(0).open()) {
      assertEquals(List.of("strange"), List.copyOf(data.labels()));
    }
  }

  @Test
  void cutAnywhere_isOneMessage() throws IOException {
    for (int length = 0; length < bytes.length; length += 241) {
      Path cut = Files.write(folder.resolve("cut.sdb"), Arrays.copyOf(bytes, length));
      assertRefused(cut);
    }
  }

  @Test
  void flippedAnywhere_isOneMessageOrHarmless() throws IOException {
    Random random = new Random(5);
    for (int trial = 0; trial < 300; trial++) {
      byte[] changed = bytes.clone();
      int at = random.nextInt(changed.length);
      changed[at] ^= (byte) (1 << random.nextInt(8));
      Path file = Files.write(folder.resolve("changed.sdb"), changed);
      try {
        readAll(file);
      } catch (DistillationException e) {
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
      }
    }
  }

  /** Changes integers in the header or on a page, with checksums that match. */
  private Path forged(int page, int at, int value) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(bytes.clone());
    CRC32 crc = new CRC32();
    if (page == 0) {
      all.putInt(at, value);
      crc.update(all.array(), 0, 328);
      all.putInt(328, (int) crc.getValue());
    } else {
      all.order(ByteOrder.LITTLE_ENDIAN).putInt(512 * page + at, value);
      crc.update(all.array(), 512 * page, 20);
      crc.update(all.array(), 512 * page + 24, 488);
      all.putInt(512 * page + 20, (int) crc.getValue());
    }
    return Files.write(folder.resolve("forged.sdb"), all.array());
  }

  @Test
  void forgedCounts_areRefused() throws IOException {
    assertRefused(forged(0, 4, 7)); // version
    assertRefused(forged(0, 8, 4321)); // byte order
    assertRefused(forged(0, 12, 1 << 30)); // size of a page
    assertRefused(forged(0, 24, -1)); // number of buckets
    assertRefused(forged(0, 40, 65)); // number of keys
    assertRefused(forged(0, 48, -1)); // length of the metadata
    assertRefused(forged(0, 72, 15)); // two buckets on one page
    assertRefused(forged(15, 8, 15)); // a bucket that goes on at itself
    assertRefused(forged(20, 8, 15)); // a cycle of two
    assertRefused(forged(20, 8, 1 << 30)); // beyond the end
    assertRefused(forged(20, 16, 0x1001ffff)); // keys on a page
    assertRefused(forged(20, 28, 511)); // a key that lies half outside
    assertRefused(forged(20, 0x1d4, 1 << 30)); // a value beyond the end
    assertRefused(forged(20, 0x1d4 + 4, -1)); // length with 2^40
    assertRefused(forged(20, 0x1d4 + 8, -1)); // length of 2^32
    assertRefused(forged(7, 36, 0)); // status of a value
  }

  private static void assertRefused(Path file) {
    String message = TestData.refusal(() -> readAll(file));
    assertFalse(message.contains("\n"), message);
    assertTrue(message.contains(".sdb"), message);
  }

  private static void readAll(Path file) {
    try (DistillationData data = open(file)) {
      int blocks = 0;
      for (String label : data.labels()) {
        for (int source : data.sourceTimes(label)) {
          for (int sink :
              data.times(new DataBlock.Perambulator(label, 0, source)).stream().toArray()) {
            TestData.load(data, new Input.Perambulator(label, sink, source));
            blocks++;
          }
        }
      }
      if (blocks < 4) {
        throw new DistillationException(file + ": only " + blocks + " blocks");
      }
    }
  }

  private static final List<SdbWriter.Layout> LAYOUTS =
      List.of(
          new SdbWriter.Layout(5, ByteOrder.LITTLE_ENDIAN, 512),
          new SdbWriter.Layout(6, ByteOrder.BIG_ENDIAN, 512),
          new SdbWriter.Layout(6, ByteOrder.LITTLE_ENDIAN, 2048),
          SdbWriter.Layout.CHROMA,
          new SdbWriter.Layout(5, ByteOrder.BIG_ENDIAN, 1 << 16),
          new SdbWriter.Layout(6, ByteOrder.BIG_ENDIAN, 1 << 20));

  private static SyntheticEnsemble ensemble() {
    return new SyntheticEnsemble(
        "e", 4, 4, 5, List.of("light"), List.of(0, 2), TestData.MOMENTA, List.of(), true, 0, 3);
  }

  @Test
  void written_inEveryLayout_isReadBack() throws IOException {
    Path own = SyntheticData.write(ensemble(), 7, folder.resolve("own"), progress -> {});
    for (int k = 0; k < LAYOUTS.size(); k++) {
      Path sdb = Files.createDirectories(folder.resolve("sdb" + k));
      try (DistillationData data = open(own)) {
        assertEquals(
            List.of(),
            SdbExport.write(
                data, sdb.resolve("x_cfg_7"), name -> true, LAYOUTS.get(k), progress -> {}));
        try (DistillationData read = open(sdb)) {
          assertEquals(7, read.header().configuration());
          assertEquals(data.header().temporalExtent(), read.header().temporalExtent());
          assertEquals(data.header().eigenvectors(), read.header().eigenvectors());
          assertEquals(data.sourceTimes("light"), read.sourceTimes("light"));
          assertEquals(data.mesonElementals(), read.mesonElementals());
          assertEquals(data.baryonElementals(), read.baryonElementals());
          assertEquals(
              2 * 4 + 4 * (data.mesonElementals().size() + data.baryonElementals().size()),
              SameBlocks.assertSame(data, read, 0));
        }
      }
    }
  }

  private static SdbWriter writer(Path file, SdbWriter.Layout layout, String id)
      throws IOException {
    String metadata = "<x><id>" + id + "</id><lattSize>4 4 4 8</lattSize></x>";
    return new SdbWriter(file, layout, 1, metadata);
  }

  private Path mesons(Map<byte[], byte[]> records) throws IOException {
    Path file = folder.resolve("m.sdb");
    try (SdbWriter writer = writer(file, SdbWriter.Layout.CHROMA, "mesonElemOp")) {
      for (Map.Entry<byte[], byte[]> record : records.entrySet()) {
        writer.put(record.getKey(), record.getValue());
      }
    }
    return file;
  }

  private static byte[] integers(int... values) {
    ByteBuffer out = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      out.putInt(value);
    }
    return out.array();
  }

  @Test
  @SuppressWarnings("ArrayAsKeyOfSetOrMap") // the records are only passed on in their order
  void mesons_displacementsAndSpecialTypes() throws IOException {
    ByteBuffer generic = ByteBuffer.allocate(8 + 64).putInt(11).putInt(2);
    for (int k = 0; k < 8; k++) {
      generic.putDouble(k);
    }
    Map<byte[], byte[]> records = new LinkedHashMap<>();
    records.put(integers(3, 2, 1, -2, 3, 0, 0, 1), generic.array());
    records.put(integers(3, 0, 3, 0, 0, 0), integers(1));
    records.put(integers(4, 0, 3, 0, 0, 0), integers(-1, 2));
    try (DistillationData data = open(mesons(records))) {
      // The type 11 says that these are derivatives; the phase of Chroma is the opposite one.
      ElementalName name = new ElementalName("deriv_1_-2", new Momentum(0, 0, -1));
      assertTrue(data.mesonElementals().contains(name), data.mesonElementals().toString());
      assertArrayEquals(
          new double[] {0, 1, 2, 3, 4, 5, 6, 7},
          TestData.load(
              data,
              new Input.Elemental(
                  ElementalRef.of(name.displacement(), name.momentum(), false), 3)));
      assertArrayEquals(
          new double[] {1, 0, 0, 0, 0, 0, 1, 0},
          TestData.load(
              data, new Input.Elemental(ElementalRef.of("none", Momentum.ZERO, false), 3)));
      assertArrayEquals(
          new double[] {-1, 0, 0, 0, 0, 0, -1, 0},
          TestData.load(
              data, new Input.Elemental(ElementalRef.of("none", Momentum.ZERO, false), 4)));
    }
  }

  @Test
  void perambulator_withNaNOrZeros_isRefused() throws IOException {
    for (double number : new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 0}) {
      Path file = folder.resolve("p.sdb");
      try (SdbWriter writer = writer(file, SdbWriter.Layout.CHROMA, "propElemOp")) {
        for (int spins = 0; spins < 16; spins++) {
          ByteBuffer value = ByteBuffer.allocate(8 + 64).putInt(2).putInt(2);
          for (int k = 0; k < 8; k++) {
            value.putDouble(number == 0 ? 0 : spins == 9 && k == 5 ? number : 1);
          }
          writer.put(
              Objects.requireNonNull(
                  new SdbKey(new DataBlock.Perambulator("u", 3, 2), spins).bytes()),
              value.array());
        }
      }
      String message;
      try (DistillationData data = open(file)) {
        message = TestData.refusal(() -> TestData.load(data, new Input.Perambulator("u", 3, 2)));
      }
      // Position 5 of a value with 2 x 2 numbers is [source 1][sink 0], or [sink 0][source 1].
      String expected =
          number == 0
              ? "holds nothing but zeros"
              : "holds " + number + " at complex number " + (9 * 4 + 1) + " of 64";
      assertTrue(message.contains(expected), message);
    }
  }

  @Test
  void masses_areThoseOfTheMetadataOrTheLabels() throws IOException {
    Path file = folder.resolve("p.sdb");
    for (String labels : List.of("u", "U-0.0743 U-0.0840")) {
      String head = "<x><id>propElemOp</id><lattSize>4 4 4 8</lattSize><Mass>-0.0840</Mass></x>";
      try (SdbWriter writer = new SdbWriter(file, SdbWriter.Layout.CHROMA, 1, head)) {
        for (String label : labels.split(" ", -1)) {
          for (int spins = 0; spins < 16; spins++) {
            writer.put(
                Objects.requireNonNull(
                    new SdbKey(new DataBlock.Perambulator(label, 0, 0), spins).bytes()),
                ByteBuffer.allocate(8 + 16).putInt(1).putInt(1).putDouble(1).array());
          }
        }
      }
      try (DistillationData data = open(file)) {
        assertEquals(
            labels.equals("u") ? List.of("-0.084") : List.of("U-0.0743", "U-0.0840"),
            data.labels().stream().map(data.blocks()::mass).toList());
      }
    }
  }

  @Test
  void valueThatGoesOnAtItself_isRefused() throws IOException {
    Path file = folder.resolve("m.sdb");
    SdbWriter.Layout layout = new SdbWriter.Layout(6, ByteOrder.LITTLE_ENDIAN, 512);
    try (SdbWriter writer = writer(file, layout, "propElemOp")) {
      byte[] value = new byte[8 + 16 * 100];
      ByteBuffer.wrap(value).putInt(10).putInt(10).putDouble(1);
      for (int spin = 0; spin < 16; spin++) {
        writer.put(
            Objects.requireNonNull(
                new SdbKey(new DataBlock.Perambulator("light", 0, 0), spin).bytes()),
            value);
      }
    }
    try (DistillationData data = open(file)) {
      assertEquals(1, TestData.load(data, new Input.Perambulator("light", 0, 0))[0]);
    }
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int page = 4; // after header, metadata, configurations and one bucket
    assertEquals(page + 1, all.getInt(512 * page + 8));
    all.putInt(512 * page + 8, page);
    Files.write(file, all.array());
    try (DistillationData data = open(file)) {
      assertTrue(
          TestData.refusal(() -> TestData.load(data, new Input.Perambulator("light", 0, 0)))
              .contains("(sink, source) = (0, 0): the checksum of the value does not match"));
    }
  }

  @Test
  void metadata_externalEntitiesAreRefused() throws IOException {
    Path file = folder.resolve("evil.sdb");
    new SdbWriter(
            file,
            SdbWriter.Layout.CHROMA,
            1,
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a><id>&e;</id></a>")
        .close();
    assertRefused(file);
  }

  @Test
  void index_isKeptAndNoticesAChange() throws IOException {
    IndexCache cache = new IndexCache(new UserCache(folder.resolve("cache")), 0);
    for (int again = 0; again < 2; again++) {
      try (BlockSource source = SdbFormat.open(fixture, cache)) {
        assertEquals(2, source.blocks().sinkTimes("U-0.2416").size());
      }
    }
    Path kept;
    try (var files = Files.list(folder.resolve("cache"))) {
      kept = files.findFirst().orElseThrow();
    }
    // Keys come from the cache: with pages of keys destroyed and the same time they are still
    // there.
    var time = Files.getLastModifiedTime(fixture);
    byte[] destroyed = bytes.clone();
    Arrays.fill(destroyed, 512 * 15, 512 * 16, (byte) 1);
    Files.write(fixture, destroyed);
    Files.setLastModifiedTime(fixture, time);
    openWith(cache);
    // Another time, or an index that is damaged, and the pages are visited again.
    Files.setLastModifiedTime(fixture, FileTime.fromMillis(1));
    assertThrows(DistillationException.class, () -> openWith(cache));
    Files.write(fixture, bytes);
    Files.setLastModifiedTime(fixture, time);
    byte[] index = Files.readAllBytes(kept);
    index[index.length / 2] ^= 1;
    Files.write(kept, index);
    openWith(cache);
    assertFalse(Arrays.equals(index, Files.readAllBytes(kept)));
  }

  private void openWith(IndexCache cache) {
    SdbFormat.open(fixture, cache).close();
  }
}
