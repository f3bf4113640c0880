package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.PartialHeader;

/** A format of which every file is a source of its own. */
public abstract class FileFormat implements DataFormat {
  /**
   * Opens a file.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException when it is damaged, or of a kind that
   *     cannot be used
   */
  protected abstract BlockSource open(Path file);

  /** What a file says about its data; a format may know it without opening the whole file. */
  protected PartialHeader header(Path file) {
    try (BlockSource source = open(file)) {
      return source.header();
    }
  }

  @Override
  public final List<DataSource> sources(List<Path> files, Context context) {
    List<DataSource> sources = new ArrayList<>();
    context.forEach(
        files,
        file ->
            sources.add(DataSource.of(List.of(file), name(), header(file), caches -> open(file))));
    return sources;
  }
}
