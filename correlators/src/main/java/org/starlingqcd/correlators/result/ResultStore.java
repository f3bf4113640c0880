package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;

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

  private final Path file;
  private final ResultLocation location;
  private final OutputFolder folder;
  private final ResultHeader header;
  private final Claims claims;
  private final long leastPauseNanos;
  private String id = "";
  private @Nullable Journal journal;
  private final FinishedUnits finished;
  private final List<Journal.Frame> unmerged = new ArrayList<>();
  private ResultFile.Requested requested;
  private @Nullable String run;
  private final String runId = UUID.randomUUID().toString();
  private long nextMergeNanos;
  private boolean begun;
  private boolean closed;

  private ResultStore(
      ResultLocation location,
      OutputFolder folder,
      ResultHeader header,
      Claims claims,
      ResultRequest request) {
    this.location = location;
    this.folder = folder;
    this.file = location.file();
    this.finished = new FinishedUnits(location);
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
   * @throws InputException when the result cannot be written there, is of another definition,
   *     ensemble or other separations, or is not a result
   */
  public static ResultStore open(Path file, ResultHeader header, ResultRequest request) {
    ResultLocation location = ResultLocation.at(file);
    OutputFolder folder = OutputFolder.before(location);
    location.prepareFolder();
    try {
      List<ResultStore> opened = new ArrayList<>(1);
      Gate.pass(
          location.gate(),
          gate -> {
            location.makeJournals();
            Claims claims = Claims.open(location.claims());
            ResultStore store = new ResultStore(location, folder, header, claims, request);
            try (MergeLock lock = claims.merging()) {
              store.join(request.overwrite());
              if (lock.isValid()) {
                opened.add(store);
              }
            } finally {
              if (opened.isEmpty()) {
                store.withdraw();
                location.removeJournalsIfEmpty();
                folder.remove(gate);
              }
            }
          });
      return opened.get(0);
    } catch (IOException e) {
      throw new InputException(
          "results cannot be written to " + location.folder() + ": " + ResultLocation.reason(e), e);
    }
  }

  /**
   * Throws what {@link #open} would throw because of what is there, and writes nothing.
   *
   * @throws InputException as {@link #open}
   */
  public static void check(Path file, ResultHeader header, ResultRequest request) {
    ResultLocation location = ResultLocation.at(file);
    // Beside a result without a unit, which only its locks tell from what a killed process left,
    // opening says it.
    if (!request.overwrite()
        && Files.exists(location.file())
        && location.current().equals(location.file())) {
      location.checkSame(ResultLocation.checkedContents(location.file()).header(), header);
    }
  }

  /** Leaves a result that could not be opened. */
  private void withdraw() throws IOException {
    if (journal != null) {
      journal.delete();
    }
    claims.close();
  }

  private void join(boolean overwrite) throws IOException {
    boolean alone = claims.isAlone();
    if (overwrite && !alone) {
      throw new InputException(
          file + ": another process is writing to this result; it cannot be overwritten now");
    }
    if (alone) {
      // Left by processes that were killed before their first unit.
      Files.deleteIfExists(location.unbegun());
    }
    Path current = location.current();
    if (overwrite || !Files.exists(current)) {
      id = UUID.randomUUID().toString();
      rewrite(new TreeMap<>(), null, requested, location.unbegun());
    } else {
      ResultFile.Contents contents = ResultLocation.checkedContents(current);
      location.checkSame(contents.header(), header);
      id = contents.id();
      if (id.length() != Journal.ID_LENGTH) {
        // The result of another program, or of the required layout only.
        id = UUID.randomUUID().toString();
        MergeSources readers = new MergeSources(current, contents, Map.of(), null);
        rewrite(new TreeMap<>(), readers, contents.requested(), location.unbegun());
      }
    }
    journal = newJournal();
    merge();
  }

  /**
   * Makes this result what lies at its location, instead of what was there before. The first {@link
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
      if (lock.isValid() && Files.exists(location.unbegun())) {
        location.rename(location.unbegun(), file);
      }
      begun = true;
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
  }

  /**
   * Whether a unit is finished, as far as is known without looking at what others did meanwhile.
   */
  public synchronized boolean isFinished(int configuration, int source) {
    return finished.contains(configuration, source);
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
          finished.look(id, journal);
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
    unit.checkNumbers(header);
    begin();
    try {
      unmerged.add(journal.append(unit));
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
    finished.add(unit.configuration(), unit.source());
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
        throw location.cannotWrite(e);
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
          location.gate(),
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
                Files.deleteIfExists(location.unbegun());
                location.removeJournalsIfEmpty();
                if (!begun) {
                  folder.remove(gate);
                }
              }
            }
          });
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
  }

  /*
   * Merging, under the merge lock. Journals are read before the result file: a unit that another process merges
   * meanwhile is then seen in one place or the other.
   */

  private void merge() throws IOException {
    long start = System.nanoTime();
    Path current = location.current();
    try (OtherJournals others = new OtherJournals(location)) {
      List<Journal.Frame> frames = new ArrayList<>(unmerged);
      frames.addAll(others.read(journal, id));
      ResultFile.Contents contents = ResultLocation.contents(current);
      finished.addAll(contents);
      requested = requested.union(contents.requested());
      Map<Integer, List<Journal.Frame>> fresh = new HashMap<>();
      for (Journal.Frame frame : frames) {
        finished.add(frame);
        if (!has(contents, frame)) {
          fresh.computeIfAbsent(frame.configuration(), key -> new ArrayList<>()).add(frame);
        }
      }
      ResultFile.Requested written = begun ? requested : contents.requested();
      boolean news =
          !fresh.isEmpty() || !contents.requested().equals(written) || !contents.id().equals(id);
      if (news || (run != null && closed)) {
        rewrite(fresh, new MergeSources(current, contents, others.channels(), journal), written, current);
      }
      if (!unmerged.isEmpty() && journal != null) {
        Journal merged = journal;
        journal = newJournal();
        merged.delete();
        unmerged.clear();
      }
      others.deleteAbandoned();
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
    location.replace(
        target,
        file -> {
          ResultFile.writeRoot(file, id, header, runs(readers), written);
          if (readers != null) {
            readers.copy(fresh, header, file);
          }
        });
    finished.fileReplaced();
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
    return Journal.create(location.journals().resolve(UUID.randomUUID() + ".units"), id);
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
      throw location.cannotWrite(e);
    }
  }
}
