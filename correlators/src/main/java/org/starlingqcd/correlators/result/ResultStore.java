package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * One result file while it is being computed, perhaps by several processes at once.
 *
 * <p>A finished unit is appended to a journal of this process and is durable from then on. From
 * time to time, and at the end, the journals are merged: a new file with all units is written
 * beside the result, flushed, and renamed over it, so that there is a whole result file at every
 * moment. A merge costs time in proportion to the result; the pause between merges is a multiple of
 * what the last one took, so the time for one configuration does not grow with the number of
 * configurations. Journals of processes that died are merged by whoever comes next.
 *
 * <p>A result begins with its first unit: until then a new one, or one that is to replace another,
 * lies among the journals, where other processes join it, and nothing of it is left when it is
 * closed. So what was there before is not touched by a run that computes nothing.
 *
 * <p>In memory are the numbers of the finished units and their places in the journals, not their
 * values. The journals lie in {@code NAME.journal/} beside {@code NAME.h5} and go when the last
 * process has merged them. Safe for use by several threads.
 */
public final class ResultStore implements AutoCloseable {
  /** Merging may take this part of the time, 1 / MERGE_SHARE. */
  private static final int MERGE_SHARE = 50;

  private static final Logger LOG = LoggerFactory.getLogger(ResultStore.class);

  private final Path file;
  private final ResultPlace place;
  private final OutputFolder folder;
  private final ResultHeader header;
  private final Claims claims;
  private final long leastPauseNanos;
  private String id = "";
  private @Nullable Journal journal;
  private final TreeMap<Integer, SortedSet<Integer>> finished = new TreeMap<>();
  private final List<Journal.Frame> unmerged = new ArrayList<>();
  private final Map<Path, Long> scanned = new HashMap<>();
  private ResultFile.Requested requested;
  private @Nullable Object seenFile;
  private @Nullable String run;
  private final String runId = UUID.randomUUID().toString();
  private long nextMergeNanos;
  private boolean begun;
  private boolean closed;

  private ResultStore(
      ResultPlace place,
      OutputFolder folder,
      ResultHeader header,
      Claims claims,
      ResultRequest request) {
    this.place = place;
    this.folder = folder;
    this.file = place.file();
    this.header = header;
    this.claims = claims;
    this.requested = ResultFile.Requested.of(request.configurations(), request.sources());
    this.leastPauseNanos = request.leastPause().toNanos();
  }

  /**
   * Opens a result for computing. One that is not there, or is to be overwritten, comes to be with
   * its first unit.
   *
   * @param file the result file, {@code OUT/NAME.h5}
   * @param sameDefinition whether the text of a definition, found in an existing result, means the
   *     present one
   * @throws InputException when the result cannot be written there, is of another definition,
   *     ensemble or other separations, or is not a result
   */
  public static ResultStore open(
      Path file, ResultHeader header, Predicate<String> sameDefinition, ResultRequest request) {
    ResultPlace place = ResultPlace.at(file);
    OutputFolder folder = OutputFolder.before(place);
    place.prepareFolder();
    try {
      List<ResultStore> opened = new ArrayList<>(1);
      Gate.pass(
          place.gate(),
          gate -> {
            place.makeJournals();
            Claims claims = Claims.open(place.claims());
            ResultStore store = new ResultStore(place, folder, header, claims, request);
            try (MergeLock lock = claims.merging()) {
              store.join(sameDefinition, request.overwrite());
              if (lock.isValid()) {
                opened.add(store);
              }
            } finally {
              if (opened.isEmpty()) {
                store.withdraw();
                place.removeJournalsIfEmpty();
                folder.remove(gate);
              }
            }
          });
      return opened.get(0);
    } catch (IOException e) {
      if (ResultPlace.isFull(e)) {
        throw place.cannotWrite(e);
      }
      throw new InputException(
          "results cannot be written to " + place.folder() + ": " + ResultPlace.reason(e), e);
    }
  }

  /**
   * Throws what {@link #open} would throw because of what is there, and writes nothing.
   *
   * @throws InputException as {@link #open}
   */
  public static void check(
      Path file, ResultHeader header, Predicate<String> sameDefinition, ResultRequest request) {
    ResultPlace place = ResultPlace.at(file);
    // Beside a result without a unit, which only its locks tell from what a killed process left,
    // opening says it.
    if (!request.overwrite()
        && Files.exists(place.file())
        && place.current().equals(place.file())) {
      place.checkSame(checkedContents(place.file()).header(), header, sameDefinition);
    }
  }

  /** Leaves a result that could not be opened. */
  private void withdraw() throws IOException {
    if (journal != null) {
      journal.delete();
    }
    claims.close();
  }

  private void join(Predicate<String> sameDefinition, boolean overwrite) throws IOException {
    boolean alone = claims.isAlone();
    if (overwrite && !alone) {
      throw new InputException(
          file + ": another process is writing to this result; it cannot be overwritten now");
    }
    if (alone) {
      // Left by processes that were killed before their first unit.
      Files.deleteIfExists(place.unbegun());
    }
    Path current = place.current();
    if (overwrite || !Files.exists(current)) {
      id = UUID.randomUUID().toString();
      rewrite(new TreeMap<>(), null, requested, place.unbegun());
    } else {
      ResultFile.Contents contents = checkedContents(current);
      place.checkSame(contents.header(), header, sameDefinition);
      id = contents.id();
      if (id.length() != Journal.ID_LENGTH) {
        // The result of another program, or of the required layout only.
        id = UUID.randomUUID().toString();
        MergeSources readers = new MergeSources(current, contents, Map.of(), null);
        rewrite(new TreeMap<>(), readers, contents.requested(), place.unbegun());
      }
    }
    journal = newJournal();
    merge();
  }

  /**
   * Makes this result what lies at its place, instead of what was there before. The first {@link
   * #append} does so by itself; where several results belong together, all of them are to begin
   * before the first unit of one.
   *
   * @throws ComputationException when the result file cannot be written
   */
  public synchronized void begin() {
    if (begun) {
      return;
    }
    try (MergeLock lock = claims.merging()) {
      if (lock.isValid() && Files.exists(place.unbegun())) {
        place.rename(place.unbegun(), file);
      }
      begun = true;
    } catch (IOException e) {
      throw place.cannotWrite(e);
    }
  }

  /**
   * Whether a unit is finished, as far as is known without looking at what others did meanwhile.
   */
  public synchronized boolean isFinished(int configuration, int source) {
    SortedSet<Integer> sources = finished.get(configuration);
    return sources != null && sources.contains(source);
  }

  /** Number of finished units among those asked for, of all processes as far as known. */
  public synchronized int finishedOfRequested() {
    int count = 0;
    for (int configuration : requested.configurations()) {
      for (int source : requested.sources()) {
        count += isFinished(configuration, source) ? 1 : 0;
      }
    }
    return count;
  }

  /** Announces work on a configuration; false when another process did first. */
  public synchronized boolean prefer(int configuration) {
    return io(() -> claims.prefer(configuration));
  }

  /** Takes {@link #prefer} back. */
  public synchronized void releasePreference(int configuration) {
    io(
        () -> {
          claims.releasePreference(configuration);
          return true;
        });
  }

  /** Takes a unit; false when it is finished or another process is computing it. */
  public synchronized boolean claim(int configuration, int source) {
    return io(
        () -> {
          if (isFinished(configuration, source) || !claims.claim(configuration, source)) {
            return false;
          }
          // Another process may have finished it after this one last looked.
          look();
          if (isFinished(configuration, source)) {
            claims.release(configuration, source);
            return false;
          }
          return true;
        });
  }

  /** Gives a unit back, finished or not. */
  public synchronized void release(int configuration, int source) {
    io(
        () -> {
          claims.release(configuration, source);
          return true;
        });
  }

  /**
   * Adds a finished unit; it is durable when the call returns.
   *
   * @throws ComputationException when a number is not finite, or the unit cannot be written
   */
  public synchronized void append(ResultUnit unit) {
    if (closed || journal == null) {
      throw new IllegalStateException(file + ": the result is closed");
    }
    place.checkNumbers(unit, header);
    begin();
    try {
      unmerged.add(journal.append(unit));
    } catch (IOException e) {
      throw place.cannotWrite(e);
    }
    finish(unit.configuration(), unit.source());
  }

  /** Describes the present run, a JSON object; stored in the result at the next merge. */
  public synchronized void describeRun(String json) {
    run = json;
  }

  /** Merges the journals into the result file if the pause since the last merge is over. */
  public synchronized void mergeIfDue() {
    if (!closed && System.nanoTime() - nextMergeNanos >= 0) {
      try (MergeLock lock = claims.merging()) {
        if (lock.isValid()) {
          merge();
        }
      } catch (IOException e) {
        throw place.cannotWrite(e);
      }
    }
  }

  /**
   * Merges what is left and closes. The journals stay when that fails: the next run merges them.
   * The last one to close a result without a unit removes it.
   *
   * @throws ComputationException when the result file cannot be written
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      Gate.pass(
          place.gate(),
          gate -> {
            try (MergeLock lock = claims.merging()) {
              if (lock.isValid()) {
                merge();
              }
              if (journal != null && journal.isEmpty()) {
                journal.delete();
              }
            } finally {
              boolean last = claims.isAlone();
              if (journal != null) {
                journal.close();
              }
              claims.close();
              if (last) {
                Files.deleteIfExists(place.unbegun());
                place.removeJournalsIfEmpty();
                if (!begun) {
                  folder.remove(gate);
                }
              }
            }
          });
    } catch (IOException e) {
      throw place.cannotWrite(e);
    }
  }

  /*
   * Merging, under the merge lock. Journals are read before the result file: a unit that another process merges
   * meanwhile is then seen in one place or the other.
   */

  private void merge() throws IOException {
    long start = System.nanoTime();
    Map<Path, FileChannel> abandoned = new HashMap<>();
    Map<Path, FileChannel> readable = new HashMap<>();
    Path current = place.current();
    try {
      List<Journal.Frame> frames = new ArrayList<>(unmerged);
      for (Path other : otherJournals()) {
        FileChannel channel = Journal.lockAbandoned(other);
        if (channel != null) {
          abandoned.put(other, channel);
        } else {
          channel = FileChannel.open(other, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        }
        readable.put(other, channel);
        JournalScan scan = JournalScan.of(other, channel, id, 0);
        if (scan != null) {
          frames.addAll(scan.frames());
          if (abandoned.containsKey(other) && !scan.lost().isEmpty()) {
            LOG.warn(
                "{}: is damaged: lost are {}; what is missing is computed again, {} units are kept",
                other,
                String.join("; ", scan.lost()),
                scan.frames().size());
          }
        } else if (Journal.mayHaveUnits(channel) && abandoned.containsKey(other)) {
          if (current.equals(file)) {
            LOG.warn("{}: belongs to a result that was replaced; it is removed", other);
          } else {
            // Of the result that has not been replaced yet.
            abandoned.remove(other);
          }
        }
      }
      ResultFile.Contents contents = contents(current);
      see(contents);
      requested = requested.union(contents.requested());
      Map<Integer, List<Journal.Frame>> fresh = new HashMap<>();
      for (Journal.Frame frame : frames) {
        finish(frame.configuration(), frame.source());
        if (!has(contents, frame)) {
          fresh.computeIfAbsent(frame.configuration(), key -> new ArrayList<>()).add(frame);
        }
      }
      ResultFile.Requested written = begun ? requested : contents.requested();
      boolean news =
          !fresh.isEmpty() || !contents.requested().equals(written) || !contents.id().equals(id);
      if (news || (run != null && closed)) {
        rewrite(fresh, new MergeSources(current, contents, readable, journal), written, current);
      }
      if (!unmerged.isEmpty() && journal != null) {
        Journal merged = journal;
        journal = newJournal();
        merged.delete();
        unmerged.clear();
      }
      for (Path path : abandoned.keySet()) {
        Files.deleteIfExists(path);
      }
    } finally {
      for (FileChannel channel : readable.values()) {
        channel.close();
      }
    }
    long end = System.nanoTime();
    nextMergeNanos = end + Math.max(leastPauseNanos, MERGE_SHARE * (end - start));
  }

  private void rewrite(
      Map<Integer, List<Journal.Frame>> fresh,
      @Nullable MergeSources readers,
      ResultFile.Requested written,
      Path target)
      throws IOException {
    place.replace(
        target,
        file -> {
          ResultFile.writeRoot(file, id, header, runs(readers), written);
          if (readers != null) {
            readers.copy(fresh, header, file);
          }
        });
    seenFile = null;
  }

  private List<String> runs(@Nullable MergeSources readers) {
    List<String> runs = new ArrayList<>();
    if (readers != null) {
      for (String text : readers.contents().runs()) {
        if (!text.contains(runId)) {
          runs.add(text);
        }
      }
    }
    if (run != null) {
      runs.add(run);
    }
    return runs;
  }

  /**
   * Identifies the present run within {@link #describeRun}; the text given there must contain it.
   */
  public String runId() {
    return runId;
  }

  private Journal newJournal() throws IOException {
    return Journal.create(place.journals().resolve(UUID.randomUUID() + ".units"), id);
  }

  /*
   * Looking at what other processes did: new frames in their journals, then the result file if it was replaced.
   */

  private void look() throws IOException {
    for (Path other : otherJournals()) {
      try (FileChannel channel =
          FileChannel.open(other, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        JournalScan scan = JournalScan.of(other, channel, id, scanned.getOrDefault(other, 0L));
        if (scan != null) {
          scan.frames().forEach(frame -> finish(frame.configuration(), frame.source()));
          scanned.put(other, scan.end());
        }
      } catch (NoSuchFileException e) {
        // Merged meanwhile: its units are in the result file.
        scanned.remove(other);
      }
    }
    if (Files.exists(place.unbegun())) {
      return;
    }
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    Object now =
        List.of(
            String.valueOf(attributes.fileKey()), attributes.lastModifiedTime(), attributes.size());
    if (!now.equals(seenFile)) {
      see(contents(file));
      seenFile = now;
    }
  }

  private void see(ResultFile.Contents contents) {
    contents
        .finished()
        .forEach((configuration, sources) -> sources.forEach(s -> finish(configuration, s)));
  }

  private static ResultFile.Contents contents(Path file) {
    try {
      return ResultFile.contents(file);
    } catch (Hdf5Exception e) {
      throw new InputException(e.getMessage() + "; move the file away, or give another --out", e);
    }
  }

  /** The contents of a file whose configurations are whole. */
  private static ResultFile.Contents checkedContents(Path path) {
    try (Hdf5File file = Hdf5File.open(path)) {
      ResultFile.Contents contents = ResultFile.contents(file);
      ResultSoundness.check(file, contents);
      return contents;
    } catch (Hdf5Exception e) {
      throw new InputException(e.getMessage() + "; move the file away, or give another --out", e);
    }
  }

  private List<Path> otherJournals() throws IOException {
    List<Path> others = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(place.journals(), "*.units")) {
      for (Path path : files) {
        if (journal == null || !path.equals(journal.path())) {
          others.add(path);
        }
      }
    }
    others.sort(null);
    return others;
  }

  private void finish(int configuration, int source) {
    finished.computeIfAbsent(configuration, key -> new TreeSet<>()).add(source);
  }

  private static boolean has(ResultFile.Contents contents, Journal.Frame frame) {
    SortedSet<Integer> sources = contents.finished().get(frame.configuration());
    return sources != null && sources.contains(frame.source());
  }

  /** A call that may fail with an {@link IOException}. */
  private interface IoCall {
    boolean run() throws IOException;
  }

  private boolean io(IoCall call) {
    try {
      return call.run();
    } catch (IOException e) {
      throw place.cannotWrite(e);
    }
  }
}
