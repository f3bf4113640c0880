package org.starlingqcd.hadron.data;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * Keeps what commands would find out again, in {@code $XDG_CACHE_HOME/starling} ({@code ~/.cache}
 * where the variable is not set): one file for each file or folder that it is about. It begins with
 * a stamp, which is to differ once it is out of date, and ends with a CRC-32. Nothing depends on
 * it: what cannot be written is not kept, and what is damaged is not there.
 */
public final class UserCache {
  private final Path folder;

  /** Writes what is kept, after the stamp. */
  public interface Content<T> {
    /** Returns what {@link #write} returns. */
    T write(DataOutputStream out) throws IOException;
  }

  /** The cache of the user for one kind of things, the name of its folder. */
  public UserCache(String kind) {
    this(defaultFolder().resolve(kind));
  }

  /** A cache in a folder. */
  public UserCache(Path folder) {
    this.folder = folder;
  }

  private static Path defaultFolder() {
    String cache = Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"), "");
    Path base =
        cache.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".cache") : Path.of(cache);
    return base.resolve("starling");
  }

  private Path kept(Path about) throws IOException {
    byte[] name = about.toRealPath().toString().getBytes(StandardCharsets.UTF_8);
    return folder.resolve(UUID.nameUUIDFromBytes(name) + ".index");
  }

  /** What is kept about a file or folder with this stamp; null where nothing is. */
  public @Nullable ByteBuffer read(Path about, byte[] stamp) throws IOException {
    Path kept = kept(about);
    if (!Files.exists(kept) || Files.size(kept) > Integer.MAX_VALUE - 8) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(kept));
    int end = in.limit() - Integer.BYTES;
    if (end < stamp.length || !in.slice(0, stamp.length).equals(ByteBuffer.wrap(stamp))) {
      return null;
    }
    CRC32 crc = new CRC32();
    crc.update(in.slice(0, end));
    return (int) crc.getValue() == in.getInt(end) ? in.limit(end).position(stamp.length) : null;
  }

  /** Keeps something about a file or folder, in the place of what is kept. */
  public <T> T write(Path about, byte[] stamp, Content<T> content) throws IOException {
    Files.createDirectories(folder);
    Path partial = Files.createTempFile(folder, "new", ".part");
    try {
      T result;
      CRC32 crc = new CRC32();
      try (OutputStream plain = new BufferedOutputStream(Files.newOutputStream(partial))) {
        DataOutputStream out = new DataOutputStream(new CheckedOutputStream(plain, crc));
        out.write(stamp);
        result = content.write(out);
        out.flush();
        new DataOutputStream(plain).writeInt((int) crc.getValue());
      }
      PlainFile.replace(partial, kept(about));
      return result;
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
