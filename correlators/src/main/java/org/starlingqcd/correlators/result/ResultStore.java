package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.graph.schedule.KnownElements;

/**
 * One result file while it is being computed, perhaps by several processes at once.
 *
 * <p>A finished unit is appended to a journal of this process and is durable from then on. From
 * time to time, and at the end, the journals are merged: a new file with all units is written
 * beside the result, flushed, and renamed over it, so the result file is complete at every moment.
 * The pause between merges is a multiple of the time for the last one, so the time per
 * configuration does not grow with the number of configurations. The next process merges the
 * journals of processes that died.
 *
 * <p>A result begins with its first unit. Until then it lies among the journals, where other
 * processes join it; it disappears if it is closed without a unit. A run that computes nothing
 * therefore leaves existing files as they are.
 *
 * <p>The journals lie in {@code NAME.journal/} beside {@code NAME.h5}; the last process removes
 * them. The values of finished units are not kept in memory. Safe for use by several threads.
 *
 * <p>This class has more than 400 lines because the steps that make a unit durable share one lock
 * and one state.
 */
public final class ResultStore implements AutoCloseable {
  /** The pause between merges is at least this multiple of the time for the last merge. */
  private static final int MERGE_SHARE = 50;

  private final ResultLocation location;
  private final OutputFolder folder;
  private final ResultHeader header;
  private final Claims claims;
  private final long leastPauseNanos;
  private String id = "";
  private @Nullable Journal journal;
  private final FinishedUnits finished;
  private final GrowingResult growing;
  private final List<Journal.Frame> unmerged = new ArrayList<>();
  private ResultFile.Requested requested;
  private List<String> plannedWith;
  private final ContributingRun run = new ContributingRun();
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
    this.finished = new FinishedUnits(location);
    this.header = header;
    this.growing = new GrowingResult(location, header);
    this.claims = claims;
    this.requested = ResultFile.Requested.of(request.configurations(), request.sources());
    this.plannedWith = request.plannedWith();
    this.leastPauseNanos = request.leastPause().toNanos();
  }

  /**
   * Opens a result for computing. A result that is new or overwrites another begins with its first
   * unit. A result with fewer operators or separations grows ({@link #known}).
   *
   * @param file the result file, {@code OUT/NAME.h5}
   * @throws InputException when the file cannot be written, is not a result, or holds results that
   *     differ in definition, ensemble or separations
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
              store.join(request);
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
      throw location.cannotOpen(e);
    }
  }

  /**
   * Throws what {@link #open} would throw because of an existing file, and writes nothing.
   *
   * @throws InputException as {@link #open}
   */
  public static void check(Path file, ResultHeader header, ResultRequest request) {
    ResultLocation location = ResultLocation.at(file);
    // Refuses a unit that no array holds.
    header.correlatorDoubles();
    if (!request.overwrite()) {
      location.checkContinuable(header);
    }
  }

  /**
   * Reads what a file says of itself, if there is one, so that {@link #check} and {@link #open}
   * know it already. Throws nothing; they do.
   */
  public static void look(Path file) {
    try {
      Path current = ResultLocation.at(file).current();
      if (Files.exists(current)) {
        ReadResults.checked(current);
      }
    } catch (RuntimeException e) {
      // It is found once more, in its turn among the user's mistakes.
    }
  }

  /**
   * The definitions that were planned together in the first run of a result, which {@link #open}
   * would continue.
   *
   * @return their texts; empty when there is no such result, or it does not say
   */
  public static List<String> plannedWith(Path file, ResultHeader header, ResultRequest request) {
    Path current = ResultLocation.at(file).current();
    if (request.overwrite() || !Files.exists(current)) {
      return List.of();
    }
    ResultFile.Contents contents = ReadResults.unchecked(current);
    return contents.header().difference(header) == null ? contents.plannedWith() : List.of();
  }

  /**
   * The definitions that are planned together for this result, so that its units have the same last
   * bits whenever they are computed.
   *
   * @return their texts; empty when the result does not say
   */
  public synchronized List<String> plannedWith() {
    return plannedWith;
  }

  /** Undoes the beginning of an {@link #open} that failed. */
  private void withdraw() throws IOException {
    if (journal != null) {
      journal.delete();
    }
    claims.close();
  }

  private void join(ResultRequest request) throws IOException {
    boolean overwrite = request.overwrite();
    boolean alone = claims.isAlone();
    if (overwrite && !alone) {
      throw new InputException(
          location.file()
              + ": another process is writing to this result; it cannot be overwritten now");
    }
    if (alone) {
      // Left by processes that were killed before their first unit.
      Files.deleteIfExists(location.unbegun());
      growing.restore();
    }
    if (!overwrite) {
      grow(request, alone);
    }
    Path current = location.current();
    if (overwrite || !Files.exists(current)) {
      id = UUID.randomUUID().toString();
      rewrite(new TreeMap<>(), null, requested, location.unbegun());
    } else {
      ResultFile.Contents contents = ReadResults.checked(current);
      location.checkSame(contents.header(), header);
      plannedWith = contents.plannedWith();
      id = contents.id();
      if (id.length() != Journal.ID_LENGTH) {
        // The result of another program, or of the required layout only.
        id = UUID.randomUUID().toString();
        MergeSources readers = new MergeSources(current, contents, Map.of(), null);
        rewrite(new TreeMap<>(), readers, contents.requested(), location.unbegun());
      }
    }
    if (!overwrite) {
      growing.open();
    }
    journal = Journal.create(location.newJournal(), id);
    merge();
  }

  /** Begins anew, with the result beside it, where operators or separations are added to it. */
  private void grow(ResultRequest request, boolean alone) throws IOException {
    ResultFile.Contents smaller = growing.smaller(alone);
    if (smaller == null) {
      return;
    }
    if (smaller.id().length() == Journal.ID_LENGTH) {
      // Units of processes that died belong to the result as it was.
      ResultStore old = new ResultStore(location, folder, smaller.header(), claims, request);
      old.id = smaller.id();
      old.plannedWith = smaller.plannedWith();
      old.merge();
    }
    id = growing.begin(smaller, plannedWith);
    begun = true;
  }

  /**
   * The elements of a unit that an earlier result with fewer operators or separations has; empty
   * when there is none. They need not be computed: {@link #append} puts them in their places.
   */
  public synchronized Optional<KnownElements> known(int configuration, int source) {
    return growing.known(configuration, source);
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
        location.rename(location.unbegun(), location.file());
        growing.discard();
      }
      begun = true;
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
  }

  /** Whether a unit is finished, as far as this process knows without looking again. */
  public synchronized boolean isFinished(int configuration, int source) {
    return finished.contains(configuration, source);
  }

  /** Announces work on a configuration; false when another process has announced it. */
  public synchronized boolean prefer(int configuration) {
    return io(() -> claims.prefer(configuration));
  }

  /** Claims a unit; false when it is finished or another process is computing it. */
  public synchronized boolean claim(int configuration, int source) {
    return io(
        () -> {
          if (isFinished(configuration, source) || !claims.claim(configuration, source)) {
            return false;
          }
          // Another process may have finished it since this one last looked.
          finished.look(id, journal);
          if (isFinished(configuration, source)) {
            claims.release(configuration, source);
            return false;
          }
          return true;
        });
  }

  /** Releases a unit, finished or not. */
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
  public synchronized void append(ResultUnit computed) {
    if (closed || journal == null) {
      throw new IllegalStateException(location.file() + ": the result is closed");
    }
    ResultUnit unit = growing.completed(computed);
    unit.checkNumbers(header);
    begin();
    try {
      unmerged.add(journal.append(unit));
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
    finished.add(unit.configuration(), unit.source());
  }

  /** Sets the JSON object that describes this run; the next merge stores it in the result. */
  public synchronized void describeRun(String json) {
    run.describe(json);
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
   * Merges the journals and closes. If merging fails, the journals stay and the next run merges
   * them. The last process that closes a result without units removes it.
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
                growing.settle(finished, claims.isAlone());
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

  /** Merges under the merge lock; journals first, so that no unit is missed in both. */
  private void merge() throws IOException {
    long start = System.nanoTime();
    Path current = location.current();
    try (OtherJournals others = new OtherJournals(location)) {
      List<Journal.Frame> frames = new ArrayList<>(unmerged);
      frames.addAll(others.read(journal, id));
      ResultFile.Contents contents = ReadResults.unchecked(current);
      finished.addAll(contents);
      requested = requested.union(contents.requested());
      frames.forEach(finished::add);
      Map<Integer, List<Journal.Frame>> fresh = contents.lacking(frames);
      ResultFile.Requested written = begun ? requested : contents.requested();
      boolean news =
          !fresh.isEmpty() || !contents.requested().equals(written) || !contents.id().equals(id);
      if (news || (run.isDescribed() && closed)) {
        rewrite(
            fresh,
            new MergeSources(current, contents, others.channels(), journal),
            written,
            current);
      }
      if (!unmerged.isEmpty() && journal != null) {
        Journal merged = journal;
        journal = Journal.create(location.newJournal(), id);
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
          List<String> runs = readers == null ? List.of() : readers.contents().runs();
          ResultFile.writeRoot(file, id, header, run.among(runs), plannedWith, written);
          if (readers != null) {
            readers.copy(fresh, header, file);
          }
        });
    finished.fileReplaced();
  }

  /** Identifies this run; the text given to {@link #describeRun} must contain it. */
  public String runId() {
    return run.id();
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
