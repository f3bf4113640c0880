package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * A result that operators, separations or insertions are added to. The result as it was lies beside
 * the file until each of its units is complete; the file itself begins anew, without units.
 */
final class GrowingResult {
  private final ResultLocation location;
  private final ResultHeader header;
  private @Nullable EarlierResult earlier;

  /** A result that may grow. */
  GrowingResult(ResultLocation location, ResultHeader header) {
    this.location = location;
    this.header = header;
  }

  /**
   * Brings back the result as it was if a process was killed before it completed a unit. Only a
   * process that is alone may call this.
   */
  void restore() throws IOException {
    if (Files.exists(location.earlier()) && !hasBegun()) {
      location.rename(location.earlier(), location.file());
    }
  }

  /** Whether a process that added operators or separations completed a unit before it died. */
  private boolean hasBegun() throws IOException {
    for (Path journal : location.otherJournals(null)) {
      try (FileChannel channel =
          FileChannel.open(journal, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        if (Journal.mayHaveUnits(channel)) {
          return true;
        }
      }
    }
    return Files.exists(location.file())
        && !ReadResults.unchecked(location.file()).finished().isEmpty();
  }

  /** What the present result has if operators or separations are to be added to it; null if not. */
  ResultFile.@Nullable Contents smaller(boolean alone) {
    Path current = location.current();
    if (!Files.exists(current)) {
      return null;
    }
    ResultFile.Contents contents = ReadResults.checked(current);
    if (!contents.header().canGrowInto(header)) {
      return null;
    }
    if (!alone) {
      throw new InputException(
          location.file()
              + ": another process is computing less of this result; wait"
              + " until it has ended");
    }
    if (Files.exists(location.earlier())) {
      throw new InputException(
          location.file()
              + ": operators, separations or insertions were added before, and some units lack them"
              + " still; finish these with the definition that the file holds, then add more");
    }
    return contents;
  }

  /**
   * Puts the present result aside and begins one without units in its place.
   *
   * @return the identifier of the new result
   */
  String begin(ResultFile.Contents smaller, List<String> plannedWith) throws IOException {
    String id = ResultLocation.newId();
    location.rename(location.file(), location.earlier());
    location.replace(
        location.file(),
        file ->
            ResultFile.writeRoot(
                file, id, header, smaller.runs(), plannedWith, smaller.requested()));
    return id;
  }

  /** Opens the result as it was, if units of it are not complete yet. */
  void open() {
    if (Files.exists(location.earlier())) {
      earlier = new EarlierResult(location.earlier(), header);
    }
  }

  /** The elements of a unit that need not be computed; empty when all of them do. */
  Optional<KnownElements> known(int configuration, int source) {
    return earlier != null && earlier.has(configuration, source)
        ? Optional.of(earlier.known())
        : Optional.empty();
  }

  /** A unit with the elements that were there before in their places, bit for bit. */
  ResultUnit completed(ResultUnit unit) {
    return earlier == null ? unit : earlier.completed(unit);
  }

  /**
   * Removes the result as it was when all of its units are complete, and brings it back when the
   * last process ends without a unit.
   */
  void settle(FinishedUnits finished, boolean last) throws IOException {
    if (earlier == null || !Files.exists(location.earlier())) {
      return;
    }
    if (finished.containsAll(earlier.finished)) {
      discard();
    } else if (last && finished.isEmpty()) {
      location.rename(location.earlier(), location.file());
    }
  }

  /** Removes the result as it was. */
  void discard() throws IOException {
    Files.deleteIfExists(location.earlier());
  }

  /**
   * The units that a result had before operators or separations were added to its definition. They
   * lie beside the result until each of them has been computed to the end.
   */
  static final class EarlierResult {
    private final Path file;
    private final ResultHeader old;
    private final ResultHeader header;
    private final SortedMap<Integer, SortedSet<Integer>> finished;
    private final KnownElements known;
    private int configuration = -1;
    private ResultFile.@Nullable Configuration last;

    /** Opens what is left of an earlier result. */
    EarlierResult(Path file, ResultHeader header) {
      ResultFile.Contents contents = ResultFile.contents(file);
      this.file = file;
      this.old = contents.header();
      this.header = header;
      this.finished = contents.finished();
      this.known = elements();
    }

    /** Whether a unit was finished. */
    boolean has(int number, int source) {
      SortedSet<Integer> sources = finished.get(number);
      return sources != null && sources.contains(source);
    }

    /** The elements that it has of each of its units. */
    KnownElements known() {
      return known;
    }

    private KnownElements elements() {
      Set<Integer> rows = Set.copyOf(places(old.operators(), header.operators()));
      Set<Integer> separations = Set.copyOf(old.separations());
      CurrentAxes before = old.currents();
      CurrentAxes axes = header.currents();
      if (before == null
          || axes == null
          || !(DefinitionLoader.parseAny(header.name(), header.definition())
              instanceof CurrentDefinition definition)) {
        return new KnownElements(rows, separations);
      }
      Set<CurrentVertex> vertices = new HashSet<>();
      Set<CurrentVertex> needed = new HashSet<>();
      for (Insertion insertion : definition.insertions()) {
        boolean isKnown = before.insertions().contains(insertion.name());
        insertion.terms().forEach(term -> (isKnown ? vertices : needed).add(term.vertex()));
      }
      vertices.removeAll(needed);
      return new KnownElements(
          rows,
          Set.copyOf(places(before.sources(), axes.sources())),
          separations,
          vertices,
          Set.copyOf(before.separations()));
    }

    /** A unit with the numbers that this result has of it in their places, bit for bit. */
    ResultUnit completed(ResultUnit unit) {
      if (!has(unit.configuration(), unit.source())) {
        return unit;
      }
      ResultFile.Configuration numbers = read(unit.configuration());
      double[] from = Objects.requireNonNull(numbers.correlators.get(unit.source()));
      int at = 0;
      for (ResultHeader.Part part : old.parts()) {
        int target = 0;
        for (ResultHeader.Part other : header.parts()) {
          if (other.name().equals(part.name())) {
            copy(from, at, part.extents(), unit.correlator(), target, other.extents());
          }
          target += (int) other.doubles();
        }
        at += (int) part.doubles();
      }
      List<Integer> places = places(old.row(), header.row());
      int n = header.row().size();
      for (int k = 0; k < unit.times().length; k++) {
        ResultFile.Configuration.Row row = numbers.onePoint.get(unit.times()[k]);
        for (int i = 0; row != null && i < places.size(); i++) {
          System.arraycopy(row.values(), 2 * i, unit.onePoint(), 2 * (k * n + places.get(i)), 2);
        }
      }
      SortedSet<String> data = new TreeSet<>(numbers.data);
      data.addAll(unit.data());
      return unit.from(List.copyOf(data));
    }

    /** Copies a part, element by element: the place of each on each axis has a place on another. */
    private void copy(
        double[] from, int first, long[] extents, double[] to, int target, long[] others) {
      CurrentAxes before = old.currents();
      CurrentAxes axes = header.currents();
      List<List<Integer>> places = new ArrayList<>();
      places.add(places(old.separations(), header.separations()));
      if (before != null && axes != null && extents.length == 4) {
        places.add(places(before.separations(), axes.separations()));
      }
      places.add(places(old.operators(), header.operators()));
      places.add(
          before == null || axes == null
              ? places(old.operators(), header.operators())
              : places(before.sources(), axes.sources()));
      int count = (int) Arrays.stream(extents).reduce(1, Math::multiplyExact);
      for (int k = 0; k < count; k++) {
        int left = k;
        int place = 0;
        int stride = 1;
        for (int axis = extents.length - 1; axis >= 0; axis--) {
          place += stride * places.get(axis).get((int) (left % extents[axis]));
          left /= (int) extents[axis];
          stride *= (int) others[axis];
        }
        System.arraycopy(from, first + 2 * k, to, target + 2 * place, 2);
      }
    }

    private static <T> List<Integer> places(List<T> some, List<T> all) {
      return some.stream().map(all::indexOf).toList();
    }

    private ResultFile.Configuration read(int number) {
      ResultFile.Configuration found = last;
      if (found == null || number != configuration) {
        try (Hdf5File open = Hdf5File.open(file)) {
          found = ResultFile.read(open, number, old);
        }
        last = found;
        configuration = number;
      }
      return found;
    }
  }
}
