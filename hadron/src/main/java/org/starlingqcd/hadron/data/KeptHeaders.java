package org.starlingqcd.hadron.data;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.hdf5.FileVersion;

/**
 * The headers of Starling's own files in folders of many, kept in the {@link UserCache}: a run with
 * nothing to do opens none of them. A header counts as long as the file has the inode, size and
 * time of change of when it was read. It is not kept if the file had changed shortly before, since
 * another change could have the same time. Files whose numbers are used are opened in any case.
 */
final class KeptHeaders {
  private static final Logger LOG = LoggerFactory.getLogger(KeptHeaders.class);
  private static final byte[] MAGIC = "starling-headers 1\n".getBytes(StandardCharsets.US_ASCII);

  /** Files of a folder that are worth it. */
  static final int LEAST_FILES = 500;

  /** A header and the version of its file before it was read. */
  record Kept(FileVersion version, DistillationHeader header) {}

  private final UserCache cache;

  /** By folder, the headers by the name of the file. */
  private final Map<Path, Map<String, Kept>> folders = new HashMap<>();

  private final Set<Path> changed = new HashSet<>();

  /** Those of the folders that have many of some files. */
  KeptHeaders(Collection<Path> files, UserCache cache) {
    this.cache = cache;
    if (files.size() >= LEAST_FILES) {
      files.stream()
          .collect(Collectors.groupingBy(KeptHeaders::folder, Collectors.counting()))
          .forEach(
              (folder, count) -> {
                if (count >= LEAST_FILES) {
                  folders.put(folder, read(folder));
                }
              });
    }
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().resolveSibling("");
  }

  @SuppressWarnings("ByteBufferBackingArray") // the cache reads into one
  private Map<String, Kept> read(Path folder) {
    Map<String, Kept> headers = new HashMap<>();
    try {
      ByteBuffer kept = cache.read(folder, MAGIC);
      if (kept != null) {
        DataInputStream in =
            new DataInputStream(
                new ByteArrayInputStream(kept.array(), kept.position(), kept.remaining()));
        while (in.available() > 0) {
          String name = in.readUTF();
          FileVersion version =
              new FileVersion(
                  in.readUTF(), FileTime.from(in.readLong(), TimeUnit.NANOSECONDS), in.readLong());
          headers.put(
              name,
              new Kept(
                  version,
                  new DistillationHeader(
                      in.readUTF(),
                      in.readLong(),
                      in.readInt(),
                      in.readInt(),
                      in.readInt(),
                      in.readUTF(),
                      in.readUTF())));
        }
      }
    } catch (IOException e) {
      LOG.info("headers of {} were not kept: {}", folder, e.toString());
    }
    return headers;
  }

  /** The header of a file as it was found; null where it is not kept. */
  @Nullable Kept find(Path file, @Nullable FileVersion version) {
    Kept kept = folders.getOrDefault(folder(file), Map.of()).get(file.toFile().getName());
    return kept != null && kept.version().equals(version) ? kept : null;
  }

  /** Keeps the header of a file of these folders if it could be read. */
  void note(Path file, @Nullable Kept header) {
    Map<String, Kept> headers = folders.get(folder(file));
    if (headers != null && header != null && header.version().isSettled()) {
      headers.put(file.toFile().getName(), header);
      changed.add(folder(file));
    }
  }

  /** Keeps what was read. */
  void write() {
    for (Path folder : changed) {
      try {
        cache.write(
            folder,
            MAGIC,
            out -> {
              for (Map.Entry<String, Kept> one :
                  folders.getOrDefault(folder, Map.of()).entrySet()) {
                FileVersion version = one.getValue().version();
                DistillationHeader header = one.getValue().header();
                out.writeUTF(one.getKey());
                out.writeUTF(version.key());
                out.writeLong(version.modified().to(TimeUnit.NANOSECONDS));
                out.writeLong(version.size());
                out.writeUTF(header.ensemble());
                out.writeLong(header.configuration());
                out.writeInt(header.spatialExtent());
                out.writeInt(header.temporalExtent());
                out.writeInt(header.eigenvectors());
                out.writeUTF(header.gammaBasis());
                out.writeUTF(header.temporalBoundary());
              }
              return folder;
            });
      } catch (IOException e) {
        LOG.info("headers of {} are not kept: {}", folder, e.toString());
      }
    }
  }
}
