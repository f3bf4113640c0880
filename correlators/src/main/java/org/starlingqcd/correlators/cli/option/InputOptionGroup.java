package org.starlingqcd.correlators.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.InputSettings;
import picocli.CommandLine.Option;

/** The options for reading and keeping input data. */
final class InputOptionGroup {
  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--read-ahead",
      paramLabel = "SIZE",
      description =
          "RAM for data read ahead, a part of what --host-memory leaves for input data. Default:"
              + " half of that.")
  private @Nullable MemorySize readAhead;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--read-batch",
      paramLabel = "SIZE",
      description =
          "Read blocks that lie behind each other in a file at once, up to this size. Default: 4MiB.")
  private MemorySize readBatch = MemorySize.parse(InputSettings.READ_BATCH);

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--block-cache",
      paramLabel = "SIZE",
      description =
          "Keep blocks of input data, such as 64GiB of them, in a folder that all processes of this"
              + " node share, until `starling cache clear`. Default: none.")
  private @Nullable MemorySize blockCache;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--block-cache-directory",
      paramLabel = "DIR",
      description =
          "Folder of the block cache, on the RAM disk or a disk of the node. Default:"
              + " /dev/shm/starling-USER.")
  private @Nullable Path blockCacheDirectory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--block-cache-encrypt",
      fallbackValue = "true",
      description = "Encrypt the blocks of the block cache with AES-256-GCM.")
  private boolean blockCacheEncrypt;

  /** The settings that were given, and the defaults of the others. */
  InputSettings settings() {
    return new InputSettings(
        readAhead, readBatch, blockCache, blockCacheDirectory, blockCacheEncrypt);
  }
}
