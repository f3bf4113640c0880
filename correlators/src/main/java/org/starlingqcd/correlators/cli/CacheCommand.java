package org.starlingqcd.correlators.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.blockcache.AuditReport;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.blockcache.CacheStatus;
import org.starlingqcd.blockcache.UnusableCacheException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling cache}: looks after the block cache of a node. */
@Command(
    description = {
      "Looks after the block cache of this node, which runs fill with --block-cache SIZE.",
      "Runs may go on meanwhile."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CacheCommand.Status.class,
      CacheCommand.AuditCache.class,
      CacheCommand.Evacuate.class,
      CacheCommand.Clear.class
    })
public final class CacheCommand implements Runnable {
  private static final int COLUMN = 11;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "no command given");
    }
  }

  /** What the commands share. */
  private abstract static class Subcommand implements Callable<Integer> {
    @Option(
        names = "--block-cache-directory",
        paramLabel = "DIR",
        description = "Folder of the block cache. Default: /dev/shm/starling-USER.")
    private @Nullable Path directory;

    @Mixin Output output = new Output();

    Path directory() {
      Path given = directory;
      return given == null ? BlockCacheOptions.defaultDirectory() : given;
    }

    void freed(String what, long bytes) {
      output.print(
          () -> Map.of("freed_bytes", bytes),
          () -> what + " " + MemorySize.text(bytes) + System.lineSeparator());
    }

    BlockCache open() {
      try {
        return BlockCache.openExisting(directory());
      } catch (UnusableCacheException e) {
        throw new InputException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  /** {@code starling cache status}. */
  @Command(name = "status", description = "Shows what the block cache holds and who uses it.")
  static final class Status extends Subcommand {
    @Override
    public Integer call() {
      try (BlockCache cache = open()) {
        CacheStatus status = cache.status();
        List<Long> others =
            status.processes().stream().filter(id -> id != ProcessHandle.current().pid()).toList();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("directory", status.directory().toString());
        map.put("capacity", status.capacity());
        map.put("blocks", status.blocks());
        map.put("block_bytes", status.blockBytes());
        map.put("segments", status.segments());
        map.put("segment_bytes", status.segmentBytes());
        map.put("encrypted", status.encrypted());
        map.put("processes", others);
        map.put("compactions", status.compactions());
        map.put("moved_bytes", status.movedBytes());
        map.put("dropped", status.dropped());
        map.put("returned", status.returned());
        Listing text = new Listing(COLUMN);
        text.line("directory", status.directory() + (status.encrypted() ? " (encrypted)" : ""));
        text.line(
            "blocks",
            "%d, %s in %d segments of %s, at most %s",
            status.blocks(),
            MemorySize.text(status.blockBytes()),
            status.segments(),
            MemorySize.text(status.segmentBytes()),
            MemorySize.text(status.capacity()));
        text.line(
            "so far",
            "%d blocks dropped, %d of them read again; %d compactions copied %s",
            status.dropped(),
            status.returned(),
            status.compactions(),
            MemorySize.text(status.movedBytes()));
        text.line(
            "processes",
            others.isEmpty()
                ? "none"
                : String.join(", ", others.stream().map(String::valueOf).toList()));
        output.print(() -> map, text::toString);
        return ErrorReport.SUCCESS;
      }
    }
  }

  /** {@code starling cache audit}. */
  @Command(
      name = "audit",
      description = {
        "Compares every block with its checksum, and derives the tables of the cache from scratch.",
        "The exit status is 0 only if nothing is wrong."
      })
  static final class AuditCache extends Subcommand {
    @Override
    public Integer call() {
      try (BlockCache cache = open()) {
        AuditReport report = cache.audit();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("blocks", report.blocks());
        map.put("bytes", report.bytes());
        map.put("abandoned", report.abandoned());
        map.put("faults", report.faults());
        String found = report.isClean() ? "clean" : report.faults().size() + " faults";
        output.print(
            () -> map,
            () ->
                "%d blocks, %s: %s%n"
                    .formatted(report.blocks(), MemorySize.text(report.bytes()), found));
        report.faults().forEach(fault -> output.say("starling: " + fault));
        return report.isClean() ? ErrorReport.SUCCESS : ErrorReport.FAILED;
      }
    }
  }

  /** {@code starling cache evacuate}. */
  @Command(
      name = "evacuate",
      description =
          "Gives memory back: removes segments with the blocks that were used longest ago, until"
              + " SIZE is free, or nothing is left.")
  static final class Evacuate extends Subcommand {
    @Parameters(paramLabel = "SIZE", description = "Such as 1GiB, or 50%% of what is there.")
    private MemorySize size = new MemorySize(1, 0);

    @Override
    public Integer call() {
      try (BlockCache cache = open()) {
        long freed = cache.evacuate(size.of(cache.status().segmentBytes()));
        freed("gave back", freed);
        return ErrorReport.SUCCESS;
      }
    }
  }

  /** {@code starling cache clear}. */
  @Command(
      name = "clear",
      description = {
        "Removes the block cache, of whatever version it is.",
        "Runs that use it go on with the files of the data."
      })
  static final class Clear extends Subcommand {
    @Override
    public Integer call() {
      try {
        long freed = BlockCache.clear(directory());
        freed("removed", freed);
        return ErrorReport.SUCCESS;
      } catch (UnusableCacheException e) {
        throw new InputException(String.valueOf(e.getMessage()), e);
      }
    }
  }
}
