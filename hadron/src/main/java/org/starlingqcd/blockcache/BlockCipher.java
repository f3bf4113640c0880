package org.starlingqcd.blockcache;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.starlingqcd.backend.HostMemory;

/**
 * Encrypts payloads with AES-256-GCM in parts of 64 KiB, each followed by its tag. A nonce is the
 * number of the record, which no two records of a key share, and the number of the part. The key of
 * the block is authenticated with each part. Thread-safe.
 *
 * <p>Parts are small because the JVM replaces AES by instructions of the processor only in code of
 * its second compiler, which takes over between two parts.
 */
final class BlockCipher {
  private static final int KEY_BYTES = 32;

  /** More than a key, so that one that is too long is told. */
  private static final int MOST_OF_KEY = 1 << 10;

  private static final int TAG_BYTES = 16;
  private static final int PART_BYTES = 1 << 16;
  private static final int NONCE_BYTES = 12;

  private final SecretKey key;

  private BlockCipher(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /**
   * Reads the key of 32 bytes from a file that only its user can read.
   *
   * @param make whether a file that is not there is made with a random key
   */
  static BlockCipher open(Path file, boolean make) throws IOException {
    if (make && !Files.exists(file)) {
      byte[] random = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(random);
      Path parent = file.getParent();
      if (parent != null) {
        Restricted.createFolder(parent);
      }
      try (FileChannel channel =
          Restricted.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        Views.write(channel, 0, ByteBuffer.wrap(random));
      } catch (FileAlreadyExistsException madeMeanwhile) {
        // The key of the other process is the one to use.
      }
    }
    if (!Files.isReadable(file)) {
      throw new UnusableCacheException(
          "its key " + file + " is not there, so what is in it cannot be read");
    }
    if (Restricted.isOfAnotherUser(file)) {
      throw new UnusableCacheException(
          "the key in " + file + " belongs to another user, who knows it; make one of your own");
    }
    if (!Files.isRegularFile(file)) {
      throw new UnusableCacheException(
          "the key in "
              + file
              + " cannot be used: it is no file, but a pipe, a device or a folder");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_OF_KEY);
    }
    if (bytes.length != KEY_BYTES) {
      throw new UnusableCacheException(
          "the key in " + file + " must have " + KEY_BYTES + " bytes; it has " + Files.size(file));
    }
    return new BlockCipher(bytes);
  }

  /** Size of the encrypted form of a block. */
  static long encryptedBytes(long bytes) {
    return bytes + (bytes + PART_BYTES - 1) / PART_BYTES * TAG_BYTES;
  }

  /** What a thread works with; AES-GCM of Java is faster on arrays than on buffers. */
  private static final class Bench {
    final Cipher cipher;
    final byte[] plain = new byte[PART_BYTES];
    final byte[] secret = new byte[PART_BYTES + TAG_BYTES];

    Bench() {
      try {
        cipher = Cipher.getInstance("AES/GCM/NoPadding");
      } catch (GeneralSecurityException e) {
        throw impossible(e);
      }
    }
  }

  private static final ThreadLocal<Bench> BENCH = ThreadLocal.withInitial(Bench::new);

  private static IllegalStateException impossible(GeneralSecurityException e) {
    return new IllegalStateException("AES-GCM does not work in this Java: " + e, e);
  }

  private void prepare(Bench bench, int mode, BlockKey block, long nonce, int part)
      throws GeneralSecurityException {
    byte[] bytes = ByteBuffer.allocate(NONCE_BYTES).putLong(nonce).putInt(part).array();
    bench.cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, bytes));
    bench.cipher.updateAAD(
        ByteBuffer.allocate(2 * Long.BYTES).putLong(block.high()).putLong(block.low()).array());
  }

  /** Writes the encrypted form of {@code bytes} bytes of {@code source} to byte 0 of a target. */
  void encrypt(
      BlockKey block, long nonce, HostMemory source, long from, long bytes, HostMemory target) {
    Bench bench = BENCH.get();
    long at = 0;
    int part = 0;
    for (long done = 0; done < bytes; part++) {
      int size = (int) Math.min(PART_BYTES, bytes - done);
      source.bytes(from + done, size).get(bench.plain, 0, size);
      try {
        prepare(bench, Cipher.ENCRYPT_MODE, block, nonce, part);
        int all = bench.cipher.doFinal(bench.plain, 0, size, bench.secret);
        target.bytes(at, all).put(bench.secret, 0, all);
      } catch (GeneralSecurityException e) {
        throw impossible(e);
      }
      done += size;
      at += size + TAG_BYTES;
    }
  }

  /** Where the encrypted form of a block is read. */
  interface Source {
    /** Fills {@code part} from byte {@code at} of the encrypted form on. */
    void read(long at, ByteBuffer part) throws IOException;
  }

  /**
   * Writes {@code bytes} bytes to {@code target} from their encrypted form; false when it is not
   * what this key has encrypted.
   */
  boolean decrypt(BlockKey block, long nonce, Source source, HostMemory target, long to, long bytes)
      throws IOException {
    Bench bench = BENCH.get();
    long at = 0;
    int part = 0;
    for (long done = 0; done < bytes; part++) {
      int size = (int) Math.min(PART_BYTES, bytes - done);
      source.read(at, ByteBuffer.wrap(bench.secret, 0, size + TAG_BYTES));
      try {
        prepare(bench, Cipher.DECRYPT_MODE, block, nonce, part);
        bench.cipher.doFinal(bench.secret, 0, size + TAG_BYTES, bench.plain);
        target.bytes(to + done, size).put(bench.plain, 0, size);
      } catch (AEADBadTagException foreign) {
        return false;
      } catch (GeneralSecurityException e) {
        throw impossible(e);
      }
      done += size;
      at += size + TAG_BYTES;
    }
    return true;
  }
}
