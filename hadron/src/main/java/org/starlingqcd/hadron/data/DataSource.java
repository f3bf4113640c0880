package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Distillation data of one configuration that were found and can be opened. */
public interface DataSource {
  /** The files it is made of; the first one stands for it in messages. */
  List<Path> files();

  /** All files that blocks depend on, such as one that explains the others. */
  default List<Path> dependencies() {
    return files();
  }

  /** What is known before it is opened; cheap. */
  PartialHeader header();

  /** The name of its format, for people. */
  String format();

  /**
   * Opens it.
   *
   * @param caches pays for memory that the source keeps; closed after the source
   * @throws DistillationException when it is damaged or contradicts itself
   */
  BlockSource open(ChunkCaches caches);

  /** The data of one file. */
  static DataSource of(
      Path file, String format, PartialHeader header, Function<ChunkCaches, BlockSource> opening) {
    return of(List.of(file), format, header, opening);
  }

  /** The data of some files; the first one stands for them in messages. */
  static DataSource of(
      List<Path> files,
      String format,
      PartialHeader header,
      Function<ChunkCaches, BlockSource> opening) {
    return new DataFiles(files, format, header, opening);
  }

  /** The data of some files. */
  record DataFiles(
      List<Path> files,
      String format,
      PartialHeader header,
      Function<ChunkCaches, BlockSource> opening)
      implements DataSource {
    @Override
    public BlockSource open(ChunkCaches caches) {
      return opening.apply(caches);
    }
  }
}
