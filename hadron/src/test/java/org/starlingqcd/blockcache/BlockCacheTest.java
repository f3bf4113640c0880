package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

final class BlockCacheTest {
  private static final long MIB = 1 << 20;
  private static final int DOUBLES = 8192;

  @TempDir Path temporary;

  private Path directory() {
    return temporary.resolve("cache");
  }

  private BlockCache open(long capacity) {
    return BlockCache.open(BlockCacheOptions.of(directory(), capacity));
  }

  private static int loadAll(BlockCache cache, int from, int to) {
    int cached = 0;
    for (int k = from; k < to; k++) {
      cached += TestBlocks.load(cache, k, DOUBLES) ? 1 : 0;
    }
    return cached;
  }

  private static void assertClean(BlockCache cache) {
    assertEquals(List.of(), cache.audit().faults());
  }

  private long bytesOnDisk() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      long bytes = 0;
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }

  private void assertRefused(String why) {
    for (Executable use :
        List.<Executable>of(
            () -> open(MIB),
            () -> BlockCache.openExisting(directory()),
            () -> BlockCache.clear(directory()))) {
      UnusableCacheException refused = assertThrows(UnusableCacheException.class, use);
      assertEquals(
          directory()
              + " "
              + why
              + ", so that its blocks cannot be trusted; name a folder of your own"
              + " (--block-cache-directory)",
          refused.getMessage());
    }
  }

  /** What lies there could give wrong numbers. */
  @Test
  void folderThatAnotherUserMayHaveFilled_isRefused() throws IOException {
    open(MIB).close();
    Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused("is a folder to which everybody may write");
    Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwxrwx---"));
    assertRefused("is a folder to which a group may write");
    Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwx------"));
    open(MIB).close();
    try {
      Files.setAttribute(directory(), "unix:uid", 12345);
    } catch (IOException e) {
      Assumptions.abort("only root gives folders away");
    }
    assertRefused("belongs to another user");
  }

  @Test
  void load_twice_readsOnce_alsoInAnotherOpening() {
    try (BlockCache cache = open(32 * MIB)) {
      assertEquals(0, loadAll(cache, 0, 50));
      assertEquals(50, loadAll(cache, 0, 50));
      assertClean(cache);
    }
    try (BlockCache again = open(32 * MIB)) {
      assertEquals(50, loadAll(again, 0, 50));
      assertEquals(50, again.status().blocks());
      assertEquals(List.of(ProcessHandle.current().pid()), again.status().processes());
    }
  }

  @Test
  void load_failedRead_isPassedOn_andTheNextReads() {
    try (BlockCache cache = open(MIB)) {
      Runnable failing =
          () -> {
            throw new IllegalStateException("damaged file");
          };
      assertThrows(IllegalStateException.class, () -> TestBlocks.load(cache, 0, 8, failing));
      assertFalse(TestBlocks.load(cache, 0, 8));
      assertTrue(TestBlocks.load(cache, 0, 8));
    }
  }

  @Test
  void load_beyondTheCapacity_dropsWhatWasUsedLongestAgo() {
    try (BlockCache cache = open(8 * MIB)) {
      // 64 KiB each: 125 of them fit.
      loadAll(cache, 0, 60);
      for (int k = 60; k < 300; k++) {
        TestBlocks.load(cache, k, DOUBLES);
        // Used again and again.
        TestBlocks.load(cache, 0, DOUBLES);
      }
      // While a thread makes room, blocks are not kept.
      cache.compact();
      assertTrue(TestBlocks.load(cache, 0, DOUBLES));
      TestBlocks.load(cache, 299, DOUBLES);
      assertTrue(TestBlocks.load(cache, 299, DOUBLES));
      assertFalse(TestBlocks.load(cache, 1, DOUBLES));
      CacheStatus status = cache.status();
      assertTrue(status.segmentBytes() <= 8 * MIB, status.toString());
      assertTrue(status.dropped() > 10 && status.compactions() > 0, status.toString());
      assertClean(cache);
    }
  }

  @Test
  void load_droppedBlockThatComesBack_isPassedOverOnce() {
    try (BlockCache cache = open(8 * MIB)) {
      loadAll(cache, 0, 300);
      assertEquals(0, cache.status().returned());
      // A block for which there is no room at the moment would not be kept.
      cache.compact();
      assertFalse(TestBlocks.load(cache, 5, DOUBLES));
      assertEquals(1, cache.status().returned());
      // A tenth of the blocks leaves at a time; among the oldest, this one stays once.
      loadAll(cache, 300, 400);
      assertTrue(TestBlocks.load(cache, 5, DOUBLES));
      assertClean(cache);
    }
  }

  @Test
  void evacuate_givesBackDiskBlocks_andNothingElseIsLost() throws IOException {
    try (BlockCache cache = open(64 * MIB);
        BlockCache other = open(64 * MIB)) {
      loadAll(cache, 0, 400);
      loadAll(other, 400, 500);
      cache.flush();
      other.flush();
      long before = bytesOnDisk();
      long freed = cache.evacuate(10 * MIB);
      assertTrue(freed >= 10 * MIB, Long.toString(freed));
      assertEquals(before - freed, bytesOnDisk());
      assertClean(other);
      assertTrue(loadAll(other, 0, 500) > 250);
      assertClean(cache);
    }
  }

  /** A segment may be given back between its place in the table and its file. */
  @Test
  void evacuate_whileSegmentsBegin_leavesNoFileBehind() throws Exception {
    try (BlockCache cache = open(64 * MIB);
        BlockCache other = open(64 * MIB)) {
      CompletableFuture<Void> loading =
          CompletableFuture.runAsync(
              () -> {
                for (int k = 0; k < 2000; k++) {
                  TestBlocks.load(cache, k, DOUBLES);
                  cache.flush();
                }
              });
      while (!loading.isDone()) {
        other.evacuate(64 * MIB);
      }
      loading.get();
      assertClean(cache);
    }
  }

  @Test
  void clear_leavesLess_andProcessesReadFromTheFiles() throws IOException {
    try (BlockCache cache = open(64 * MIB)) {
      loadAll(cache, 0, 100);
      cache.flush();
      assertTrue(BlockCache.clear(directory()) > 6 * MIB);
      assertTrue(bytesOnDisk() < MIB);
      assertEquals(0, loadAll(cache, 0, 100));
      assertFalse(cache.isUsable());
    }
    try (BlockCache again = open(64 * MIB)) {
      assertEquals(0, loadAll(again, 0, 10));
      assertEquals(10, loadAll(again, 0, 10));
    }
  }

  @Test
  void load_directoryIsRemoved_readsFromTheFiles() throws IOException {
    try (BlockCache cache = open(8 * MIB)) {
      loadAll(cache, 0, 20);
      cache.flush();
      try (Stream<Path> files = Files.list(directory())) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory());
      // 16 MiB: new segments are needed.
      loadAll(cache, 0, 250);
      assertFalse(cache.isUsable());
    }
    assertFalse(Files.exists(directory()));
  }

  /** Some segment, to be damaged. */
  private FileChannel segment() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return FileChannel.open(
          files
              .filter(file -> file.getFileName().toString().startsWith("segment-"))
              .findFirst()
              .orElseThrow(),
          StandardOpenOption.WRITE);
    }
  }

  @Test
  void load_corruptedSegment_isReadFromTheFiles_andTheAuditSaysSo() throws IOException {
    try (BlockCache cache = open(32 * MIB)) {
      loadAll(cache, 0, 20);
      cache.flush();
      try (FileChannel segment = segment()) {
        // In the payload of one record, and the head of another.
        segment.write(ByteBuffer.wrap(new byte[] {42}), 5000);
        segment.write(ByteBuffer.wrap(new byte[64]), 64 + TestBlocks.bytes(0, DOUBLES));
      }
      AuditReport report = cache.audit();
      assertEquals(2, report.faults().size(), report.toString());
      assertTrue(report.faults().get(0).contains("segment-"), report.toString());
      assertEquals(18, loadAll(cache, 0, 20));
      assertEquals(20, loadAll(cache, 0, 20));
      assertClean(cache);
    }
  }

  @Test
  void load_segmentIsCut_isReadFromTheFiles() throws IOException {
    try (BlockCache cache = open(32 * MIB)) {
      loadAll(cache, 0, 20);
      cache.flush();
      assertEquals(20, loadAll(cache, 0, 20));
      try (FileChannel segment = segment()) {
        segment.truncate(segment.size() / 2);
      }
      assertEquals(10, loadAll(cache, 0, 20));
      // New blocks lie behind the gap, which is none to them.
      assertEquals(20, loadAll(cache, 0, 20));
      assertClean(cache);
    }
  }

  @Test
  void load_corruptedIndex_neverHandsOverAnotherBlock() throws IOException {
    try (BlockCache cache = open(8 * MIB)) {
      loadAll(cache, 0, 60);
      cache.flush();
      try (FileChannel index =
          FileChannel.open(directory().resolve("index"), StandardOpenOption.WRITE)) {
        Random random = new Random(1);
        for (long at = index.size() - 4096 * 32; at < index.size(); at += 96) {
          byte[] noise = new byte[24];
          random.nextBytes(noise);
          index.write(ByteBuffer.wrap(noise), at);
        }
      }
      assertFalse(cache.audit().isClean());
      loadAll(cache, 0, 60);
      loadAll(cache, 0, 60);
    }
  }

  @Test
  void open_headOfTheIndexIsDamagedOrOfAnotherVersion_says() throws IOException {
    open(MIB).close();
    try (FileChannel index =
        FileChannel.open(directory().resolve("index"), StandardOpenOption.WRITE)) {
      index.write(ByteBuffer.wrap(new byte[] {9}), 16);
    }
    UnusableCacheException damaged = assertThrows(UnusableCacheException.class, () -> open(MIB));
    assertTrue(damaged.getMessage().contains("index is damaged"), damaged.getMessage());
    try (FileChannel index =
        FileChannel.open(directory().resolve("index"), StandardOpenOption.WRITE)) {
      index.write(ByteBuffer.wrap(new byte[] {9}), 8);
    }
    UnusableCacheException version = assertThrows(UnusableCacheException.class, () -> open(MIB));
    assertTrue(version.getMessage().contains("of version 9"), version.getMessage());
    BlockCache.clear(directory());
    try (BlockCache cache = open(MIB)) {
      assertClean(cache);
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void open_encrypted_noBlockIsReadable_andTheKeyIsNeeded() throws IOException {
    Path key = temporary.resolve("key");
    Files.write(key, new byte[32]);
    BlockCacheOptions options = new BlockCacheOptions(directory(), 32 * MIB, true, key);
    try (BlockCache cache = BlockCache.open(options)) {
      loadAll(cache, 0, 10);
      // More than one part.
      assertFalse(TestBlocks.load(cache, 77, 200_000));
      assertTrue(TestBlocks.load(cache, 77, 200_000));
      assertEquals(10, loadAll(cache, 0, 10));
      assertClean(cache);
      assertTrue(cache.status().encrypted());
    }
    ByteBuffer numbers = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    String plain = text(numbers.putDouble(3).putDouble(3 + 1 / 1024.0).array());
    try (Stream<Path> files = Files.list(directory())) {
      for (Path file : files.filter(name -> name.toString().contains("segment-")).toList()) {
        assertFalse(text(Files.readAllBytes(file)).contains(plain), file.toString());
        assertEquals(
            "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
    Files.write(key, new byte[] {1, 2, 3});
    assertThrows(UnusableCacheException.class, () -> BlockCache.open(options));
    byte[] other = new byte[32];
    other[0] = 1;
    Files.write(key, other);
    try (BlockCache cache = BlockCache.open(options)) {
      assertEquals(0, loadAll(cache, 0, 10));
    }
    try {
      Files.setAttribute(key, "unix:uid", 12345);
    } catch (IOException e) {
      Assumptions.abort("only root gives files away");
    }
    UnusableCacheException known =
        assertThrows(UnusableCacheException.class, () -> BlockCache.open(options));
    assertTrue(known.getMessage().contains("belongs to another user"), known.getMessage());
  }

  @Test
  void open_keyThatIsNoKey_isRefusedAtOnce() throws Exception {
    Path pipe = temporary.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path large = temporary.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    for (Path key : List.of(pipe, Path.of("/dev/zero"), large)) {
      UnusableCacheException e =
          assertTimeoutPreemptively(
              Duration.ofMinutes(1),
              () -> assertThrows(UnusableCacheException.class, () -> BlockCipher.open(key, true)));
      assertTrue(
          String.valueOf(e.getMessage())
              .matches(
                  "the key in " + key + " (cannot be used: it is no file.*|must have 32 bytes.*)"),
          e.getMessage());
    }
  }
}
