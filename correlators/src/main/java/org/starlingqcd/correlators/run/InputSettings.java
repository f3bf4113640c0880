package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.option.HelpSection;
import picocli.CommandLine.Option;

/** How input data are read and kept in RAM. Picocli fills the fields. */
public final class InputSettings {
  private static final MemorySize READ_BATCH = MemorySize.parse("4MiB");

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--read-ahead",
      paramLabel = "SIZE",
      description =
          "RAM for data read ahead, a part of what --host-memory leaves for input data. Default:"
              + " half of that.")
  @Nullable MemorySize readAhead;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--read-batch",
      paramLabel = "SIZE",
      description =
          "Read blocks that lie behind each other in a file at once, up to this size. Default:"
              + " 4MiB.")
  MemorySize readBatch = READ_BATCH;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--block-cache",
      paramLabel = "SIZE",
      description =
          "Keep blocks of input data, such as 64GiB of them, in a folder that all processes of this"
              + " node share, until `starling cache clear`. Default: none.")
  public @Nullable MemorySize cache;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--block-cache-directory",
      paramLabel = "DIR",
      description =
          "Folder of the block cache, on the RAM disk or a disk of the node. Default:"
              + " /dev/shm/starling-USER.")
  public @Nullable Path cacheDirectory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--block-cache-encrypt",
      fallbackValue = "true",
      description = "Encrypt the blocks of the block cache with AES-256-GCM.")
  boolean encrypt;

  /** Checks that settings of the cache come with a cache. */
  void check() {
    if (cache == null && (cacheDirectory != null || encrypt)) {
      throw new InputException(
          (encrypt ? "--block-cache-encrypt" : "--block-cache-directory")
              + " needs --block-cache SIZE, such as --block-cache 64GiB");
    }
  }

  /** Adds what was set, under the names in a settings file. */
  void describe(Map<String, Object> map) {
    RunSettings.put(map, "read_ahead", readAhead, null);
    RunSettings.put(map, "read_batch", readBatch, READ_BATCH);
    RunSettings.put(map, "block_cache", cache, null);
    RunSettings.put(map, "block_cache_directory", cacheDirectory, null);
    RunSettings.put(map, "block_cache_encrypt", encrypt, false);
  }
}
