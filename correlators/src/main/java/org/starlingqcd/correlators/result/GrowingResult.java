package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * A result that operators or separations are added to. The result as it was lies beside the file
 * until each of its units is complete; the file itself begins anew, without units.
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
              + ": another process is computing fewer operators or separations of this result; wait"
              + " until it has ended");
    }
    if (Files.exists(location.earlier())) {
      throw new InputException(
          location.file()
              + ": operators or separations were added before, and some units lack them still;"
              + " finish these with the definition that the file holds, then add more");
    }
    return contents;
  }

  /**
   * Puts the present result aside and begins one without units in its place.
   *
   * @return the identifier of the new result
   */
  String begin(ResultFile.Contents smaller, List<String> plannedWith) throws IOException {
    String id = UUID.randomUUID().toString();
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
    private int configuration = -1;
    private ResultFile.@Nullable Configuration numbers;

    /** Opens what is left of an earlier result. */
    EarlierResult(Path file, ResultHeader header) {
      ResultFile.Contents contents = ResultFile.contents(file);
      this.file = file;
      this.old = contents.header();
      this.header = header;
      this.finished = contents.finished();
    }

    /** Whether a unit was finished. */
    boolean has(int number, int source) {
      SortedSet<Integer> sources = finished.get(number);
      return sources != null && sources.contains(source);
    }

    /** The elements that it has of each of its units. */
    KnownElements known() {
      Set<Integer> operators = new HashSet<>();
      old.operators().forEach(name -> operators.add(header.operators().indexOf(name)));
      return new KnownElements(operators, Set.copyOf(old.separations()));
    }

    /** A unit with the numbers that this result has of it in their places, bit for bit. */
    ResultUnit completed(ResultUnit unit) {
      if (!has(unit.configuration(), unit.source())) {
        return unit;
      }
      ResultFile.Configuration known = read(unit.configuration());
      double[] from = known.correlators.get(unit.source());
      double[] to = unit.correlator();
      int m = old.operators().size();
      int n = header.operators().size();
      for (int d = 0; from != null && d < old.separations().size(); d++) {
        int separation = header.separations().indexOf(old.separations().get(d));
        for (int i = 0; i < m; i++) {
          for (int j = 0; j < m; j++) {
            System.arraycopy(
                from,
                2 * ((d * m + i) * m + j),
                to,
                2 * ((separation * n + place(i)) * n + place(j)),
                2);
          }
        }
      }
      for (int k = 0; k < unit.times().length; k++) {
        ResultFile.Configuration.Row row = known.onePoint.get(unit.times()[k]);
        for (int i = 0; row != null && i < m; i++) {
          System.arraycopy(row.values(), 2 * i, unit.onePoint(), 2 * (k * n + place(i)), 2);
        }
      }
      return unit;
    }

    private int place(int operator) {
      return header.operators().indexOf(old.operators().get(operator));
    }

    private ResultFile.Configuration read(int number) {
      ResultFile.Configuration known = numbers;
      if (known == null || number != configuration) {
        try (Hdf5File open = Hdf5File.open(file)) {
          known = ResultFile.read(open, number, old);
        }
        numbers = known;
        configuration = number;
      }
      return known;
    }
  }
}
