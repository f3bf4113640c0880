package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.result.Journal.JournalScan;
import org.starlingqcd.hadron.hdf5.FileVersion;

/**
 * The finished units of a result, of this process and of all others as far as it has looked: in
 * their journals, and in the result file when it was replaced.
 */
final class FinishedUnits {
  private final ResultLocation location;
  private final TreeMap<Integer, SortedSet<Integer>> sources = new TreeMap<>();

  /** How far each journal of another process has been read. */
  private final Map<Path, Long> scanned = new HashMap<>();

  /** The result file that was read or written last. */
  private @Nullable FileVersion seenFile;

  FinishedUnits(ResultLocation location) {
    this.location = location;
  }

  boolean contains(int configuration, int source) {
    SortedSet<Integer> found = sources.get(configuration);
    return found != null && found.contains(source);
  }

  boolean isEmpty() {
    return sources.isEmpty();
  }

  /** Whether it has all of some units, given as configuration to sources. */
  boolean containsAll(Map<Integer, SortedSet<Integer>> units) {
    return units.entrySet().stream()
        .allMatch(
            entry ->
                entry.getValue().stream().allMatch(source -> contains(entry.getKey(), source)));
  }

  void add(int configuration, int source) {
    sources.computeIfAbsent(configuration, key -> new TreeSet<>()).add(source);
  }

  void add(Journal.Frame frame) {
    add(frame.configuration(), frame.source());
  }

  void addAll(ResultFile.Contents contents) {
    contents.finished().forEach((number, found) -> found.forEach(source -> add(number, source)));
  }

  /** Notes that this process has written the result file, whose units it knows. */
  void fileWritten() throws IOException {
    seenFile = Files.exists(location.unbegun()) ? null : FileVersion.of(location.file());
  }

  /**
   * Looks at what other processes have done since the last look: at new records in their journals
   * first, then at the result file, so that a unit that is merged meanwhile is seen in one of them.
   */
  void look(String id, @Nullable Journal own) throws IOException {
    for (Path other : location.otherJournals(own)) {
      try (FileChannel channel =
          FileChannel.open(other, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        JournalScan scan = JournalScan.of(other, channel, id, scanned.getOrDefault(other, 0L));
        if (scan != null) {
          scan.frames().forEach(this::add);
          scanned.put(other, scan.end());
        }
      } catch (NoSuchFileException e) {
        // Merged meanwhile: its units are in the result file.
        scanned.remove(other);
      }
    }
    if (Files.exists(location.unbegun())) {
      return;
    }
    FileVersion now = FileVersion.of(location.file());
    if (!now.equals(seenFile)) {
      addAll(ReadResults.unchecked(location.file()));
      seenFile = now;
    }
  }
}
