package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.FolderLock.OutputFolder;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.hdf5.Hdf5File;

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
 */
public final class ResultStore implements AutoCloseable {
  /** The pause between merges is at least this multiple of the time for the last merge. */
  private static final int MERGE_SHARE = 50;

  private final ResultLocation location;
  private final OutputFolder folder;
  private final ResultHeader header;
  private final UnitLocks claims;
  private final long leastPauseNanos;
  private String id = "";
  private @Nullable Journal journal;
  private final FinishedUnits finished;
  private final GrowingResult growing;
  private final List<Journal.Frame> unmerged = new ArrayList<>();

  /** The data of the units of both files that there may be, read once. */
  private final List<Map<Integer, List<String>>> recorded = new ArrayList<>(2);

  /** The masses of quarks of all configurations. */
  private final Set<String> masses = new TreeSet<>();

  private ResultFile.Requested requested;
  private List<String> plannedWith;

  /** Identifies this run; its text contains it. */
  private final String runId = ResultLocation.newId();

  /** The JSON text that describes this run among those of all runs that contributed. */
  private @Nullable String runText;

  private long nextMergeNanos;
  private boolean begun;
  private boolean closed;

  private ResultStore(
      ResultLocation location,
      OutputFolder folder,
      ResultHeader header,
      UnitLocks claims,
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
   * unit. A result with fewer operators, separations or insertions grows ({@link #known}).
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
      FolderLock.pass(
          location.gate(),
          gate -> {
            location.makeJournals();
            UnitLocks claims = UnitLocks.open(location.claims());
            ResultStore store = new ResultStore(location, folder, header, claims, request);
            try {
              claims.merging(() -> store.join(request));
              opened.add(store);
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

  /** Throws what {@link #open} would throw because of an existing file, and writes nothing. */
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
      id = ResultLocation.newId();
      rewrite(null, Map.of(), new OtherJournals(location), requested, location.unbegun());
    } else {
      ResultFile.Contents contents = ReadResults.checked(current);
      location.checkSame(contents.header(), header);
      plannedWith = contents.plannedWith();
      id = contents.id();
      if (id.length() != Journal.ID_LENGTH) {
        // The result of another program, or of the required layout only.
        id = ResultLocation.newId();
        OtherJournals none = new OtherJournals(location);
        rewrite(contents, Map.of(), none, contents.requested(), location.unbegun());
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
   * The elements of a unit that an earlier, smaller result has; empty when there is none. They need
   * not be computed: {@link #append} puts them in their places.
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
    io(
        () ->
            claims.merging(
                () -> {
                  if (Files.exists(location.unbegun())) {
                    location.rename(location.unbegun(), location.file());
                    growing.discard();
                    finished.fileWritten();
                  }
                  begun = true;
                }));
  }

  /** Whether a unit is finished, as far as this process knows without looking again. */
  public synchronized boolean isFinished(int configuration, int source) {
    return finished.contains(configuration, source);
  }

  /** Announces work on a configuration; false when another process has announced it. */
  public synchronized boolean prefer(int configuration) {
    try {
      return claims.prefer(configuration);
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
  }

  /** Claims a unit; false when it is finished or another process is computing it. */
  public synchronized boolean claim(int configuration, int source) {
    try {
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
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
  }

  /** Releases a unit, finished or not. */
  public synchronized void release(int configuration, int source) {
    io(() -> claims.release(configuration, source));
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
    Journal target = journal;
    io(() -> unmerged.add(target.append(unit)));
    finished.add(unit.configuration(), unit.source());
    masses.addAll(ResultFile.masses(unit.data()));
  }

  /**
   * How the data of a configuration differ from those that its units were computed from.
   *
   * @param data as {@link ResultUnit#data}
   * @return the file, a block and both of its checksums; null when no difference is known
   */
  public synchronized @Nullable String changed(int configuration, List<String> data) {
    if (recorded.isEmpty()) {
      for (Path file : List.of(location.current(), location.earlier())) {
        recorded.add(Files.exists(file) ? ResultFile.data(file) : Map.of());
      }
      recorded.forEach(file -> file.values().forEach(one -> masses.addAll(ResultFile.masses(one))));
    }
    for (Map<Integer, List<String>> file : recorded) {
      String changed = ResultFile.changed(file.getOrDefault(configuration, List.of()), data);
      if (changed != null) {
        return "%s: units of configuration %d were computed from other data: now %s"
            .formatted(location.file(), configuration, changed);
      }
    }
    String changed = ResultFile.changed(masses, data);
    return changed == null
        ? null
        : "%s: other configurations were computed from other data: configuration %d has %s"
            .formatted(location.file(), configuration, changed);
  }

  /** Sets the JSON object that describes this run; the next merge stores it in the result. */
  public synchronized void describeRun(String json) {
    runText = json;
  }

  /** Merges the journals into the result file if the pause since the last merge is over. */
  public synchronized void mergeIfDue() {
    if (!closed && System.nanoTime() - nextMergeNanos >= 0) {
      io(() -> claims.merging(this::merge));
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
    io(() -> FolderLock.pass(location.gate(), this::close));
  }

  private void close(FolderLock gate) throws IOException {
    try {
      claims.merging(
          () -> {
            merge();
            growing.settle(finished, claims.isAlone());
          });
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
      for (Journal.Frame frame : frames) {
        finished.add(frame);
      }
      Map<Integer, List<Journal.Frame>> fresh = contents.lacking(frames);
      ResultFile.Requested written = begun ? requested : contents.requested();
      boolean news =
          !fresh.isEmpty() || !contents.requested().equals(written) || !contents.id().equals(id);
      if (news || (runText != null && closed)) {
        rewrite(contents, fresh, others, written, current);
      }
      if (!unmerged.isEmpty() && journal != null) {
        Journal merged = journal;
        journal = closed ? null : Journal.create(location.newJournal(), id);
        merged.delete();
        unmerged.clear();
      }
      others.deleteAbandoned();
    }
    long end = System.nanoTime();
    nextMergeNanos = end + Math.max(leastPauseNanos, MERGE_SHARE * (end - start));
  }

  /**
   * Writes a file with the units of the present one and of journals.
   *
   * @param old the present file; null to begin without units
   * @param fresh units of journals by their configuration
   */
  private void rewrite(
      ResultFile.@Nullable Contents old,
      Map<Integer, List<Journal.Frame>> fresh,
      OtherJournals others,
      ResultFile.Requested written,
      Path target)
      throws IOException {
    Path present = location.current();
    List<String> runs = new ArrayList<>(old == null ? List.of() : old.runs());
    runs.removeIf(text -> text.contains(runId));
    if (runText != null) {
      runs.add(runText);
    }
    SortedMap<Integer, SortedSet<Integer>> units = new TreeMap<>();
    location.replace(
        target,
        file -> {
          ResultFile.writeRoot(file, id, header, runs, plannedWith, written);
          if (old != null) {
            try (Hdf5File source = Hdf5File.open(present)) {
              copy(source, old, fresh, others, file, units);
            }
          }
        });
    finished.fileWritten();
    ReadResults.written(
        target, new ResultFile.Contents(id, header, runs, plannedWith, written, units), closed);
  }

  /**
   * Copies all units to a file that has none, one configuration after the other.
   *
   * @param units is told what was copied
   */
  private void copy(
      Hdf5File source,
      ResultFile.Contents old,
      Map<Integer, List<Journal.Frame>> fresh,
      OtherJournals others,
      Hdf5File target,
      Map<Integer, SortedSet<Integer>> units)
      throws IOException {
    SortedSet<Integer> all = new TreeSet<>(old.finished().keySet());
    all.addAll(fresh.keySet());
    for (int number : all) {
      ResultFile.Configuration configuration =
          old.finished().containsKey(number)
              ? ResultFile.read(source, number, header)
              : new ResultFile.Configuration();
      for (Journal.Frame frame : fresh.getOrDefault(number, List.of())) {
        configuration.add(others.unit(frame, journal));
      }
      ResultFile.write(target, number, configuration, header);
      units.put(number, new TreeSet<>(configuration.correlators.keySet()));
    }
  }

  /** Identifies this run; the text given to {@link #describeRun} must contain it. */
  public String runId() {
    return runId;
  }

  private void io(UnitLocks.Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
  }
}
