package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * Distillation data of one configuration that were found and can be opened.
 *
 * @param files the files it is made of; the first one stands for it in messages
 * @param dependencies all files that blocks depend on, such as one that explains the others
 * @param format the name of its format, for people
 * @param header what is known before it is opened
 * @param opening opens it; the caches pay for memory that it keeps, and are closed after it
 */
public record DataSource(
    List<Path> files,
    List<Path> dependencies,
    String format,
    PartialHeader header,
    Function<ChunkCaches, BlockSource> opening) {
  /** The data of some files. */
  public static DataSource of(
      List<Path> files,
      String format,
      PartialHeader header,
      Function<ChunkCaches, BlockSource> opening) {
    return new DataSource(files, files, format, header, opening);
  }

  /**
   * Opens it.
   *
   * @throws DistillationException when it is damaged or contradicts itself
   */
  public BlockSource open(ChunkCaches caches) {
    return opening.apply(caches);
  }
}
