package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.correlators.result.Journal.JournalScan;

/**
 * The journals of other processes during one merge: open, and locked where their process has died.
 */
final class OtherJournals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherJournals.class);

  private final ResultLocation location;
  private final Map<Path, FileChannel> channels = new HashMap<>();
  private final Set<Path> abandoned = new HashSet<>();

  OtherJournals(ResultLocation location) {
    this.location = location;
  }

  /** Opens the journals and reads where their units are. */
  List<Journal.Frame> read(@Nullable Journal own, String id) throws IOException {
    List<Journal.Frame> frames = new ArrayList<>();
    for (Path file : location.otherJournals(own)) {
      FileChannel channel = Journal.lockAbandoned(file);
      boolean isAbandoned = channel != null;
      if (channel == null) {
        channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      }
      channels.put(file, channel);
      JournalScan scan = JournalScan.of(file, channel, id, 0);
      if (scan != null) {
        frames.addAll(scan.frames());
      }
      if (isAbandoned && (scan != null || !isKept(file, channel))) {
        abandoned.add(file);
        reportLoss(file, scan);
      }
    }
    return frames;
  }

  private static void reportLoss(Path file, @Nullable JournalScan scan) {
    if (scan != null && !scan.lost().isEmpty()) {
      LOG.warn(
          "{}: is damaged: {} lost and computed again, {} units kept",
          file,
          String.join("; ", scan.lost()),
          scan.frames().size());
    }
  }

  /** Whether an abandoned journal of another result has to stay. */
  private boolean isKept(Path file, FileChannel channel) throws IOException {
    if (!Journal.mayHaveUnits(channel)) {
      if (channel.size() < Journal.HEADER) {
        LOG.warn(
            "{}: was cut to {} bytes: the units that it held are lost and computed again",
            file,
            channel.size());
      }
      return false;
    }
    if (!location.current().equals(location.file())) {
      // It belongs to the result that this one has not replaced yet.
      return true;
    }
    LOG.warn("{}: belongs to a result that was replaced; the journal is removed", file);
    return false;
  }

  /** Reads a unit of one of these journals, or else of the journal of this process. */
  ResultUnit unit(Journal.Frame frame, @Nullable Journal own) throws IOException {
    FileChannel channel = channels.get(frame.file());
    return channel != null
        ? Journal.read(channel, frame)
        : Objects.requireNonNull(own, "a journal of this process").read(frame);
  }

  /** Deletes the journals of processes that have died; their units are in the result. */
  void deleteAbandoned() throws IOException {
    for (Path file : abandoned) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() throws IOException {
    for (FileChannel channel : channels.values()) {
      channel.close();
    }
  }
}
