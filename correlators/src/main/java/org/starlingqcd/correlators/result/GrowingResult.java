package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.graph.schedule.KnownElements;

/**
 * A result that operators or separations are added to. The result as it was lies beside the file
 * until each of its units is complete; the file itself begins anew, without units.
 */
final class GrowingResult {
  private final ResultLocation location;
  private final ResultHeader header;
  private @Nullable EarlierResult earlier;

  /**
   * A result that may grow.
   *
   * @param header of the result with all its operators and separations
   */
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

  /**
   * What the present result has if operators or separations are to be added to it; null if not.
   *
   * @param alone whether no other process has the result open
   * @throws InputException when they cannot be added now
   */
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
   * @param smaller what {@link #smaller} gave
   * @param plannedWith texts of the definitions that are planned together from now on
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
      earlier = EarlierResult.open(location.earlier(), header);
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
   *
   * @param last whether no other process has the result open
   */
  void settle(FinishedUnits finished, boolean last) throws IOException {
    if (earlier == null || !Files.exists(location.earlier())) {
      return;
    }
    if (finished.containsAll(earlier.finished())) {
      discard();
    } else if (last && finished.isEmpty()) {
      location.rename(location.earlier(), location.file());
    }
  }

  /** Removes the result as it was. */
  void discard() throws IOException {
    Files.deleteIfExists(location.earlier());
  }
}
