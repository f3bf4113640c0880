package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The files that a merge reads.
 *
 * @param file the result so far
 * @param contents its attributes and finished units
 * @param journals those of other processes, open
 * @param own the journal of this process
 */
record MergeSources(
    Path file,
    ResultFile.Contents contents,
    Map<Path, FileChannel> journals,
    @Nullable Journal own) {

  /**
   * Writes all units to a file that has none, one configuration after the other.
   *
   * @param fresh units in journals by their configuration
   */
  void copy(Map<Integer, List<Journal.Frame>> fresh, ResultHeader header, Hdf5File target)
      throws IOException {
    try (Hdf5File old = Hdf5File.open(file)) {
      TreeSet<Integer> all = new TreeSet<>(contents.finished().keySet());
      all.addAll(fresh.keySet());
      for (int number : all) {
        ResultFile.Configuration configuration =
            contents.finished().containsKey(number)
                ? ResultFile.read(old, number, header)
                : new ResultFile.Configuration();
        for (Journal.Frame frame : fresh.getOrDefault(number, List.of())) {
          configuration.add(read(frame));
        }
        ResultFile.write(target, number, configuration, header);
      }
    }
  }

  private ResultUnit read(Journal.Frame frame) throws IOException {
    FileChannel channel = journals.get(frame.file());
    if (channel != null) {
      return Journal.read(channel, frame);
    }
    if (own == null) {
      throw new IllegalStateException("a unit of a journal that is not open: " + frame);
    }
    return own.read(frame);
  }
}
