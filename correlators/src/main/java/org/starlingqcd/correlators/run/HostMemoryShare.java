package org.starlingqcd.correlators.run;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.hadron.text.Printable;

/**
 * How much RAM a run takes beside its device, and for what.
 *
 * <p>{@code --host-memory} bounds all of it. By default that is half of what is free when the run
 * begins: of what Slurm leaves to this task of the node, or of what the machine or the control
 * group of the process has, whichever is less; a device that computes in RAM has taken its memory
 * before. Half of the bound is for elements evicted from the device. Such a device, however, evicts
 * to a file unless the user names a bound. The rest is for the input store, for chunk caches and
 * for buffers. Half of it ({@code --read-ahead}) may be blocks of input that the present unit does
 * not load again: those that are read ahead or kept for a later source.
 */
final class HostMemoryShare {
  private static final String CPU = "cpu";
  private static final int PARTS = 2;

  private HostMemoryShare() {}

  /** The budget of a run. */
  static HostMemoryBudget budget(DeviceSettings settings, boolean computesInRam, long deviceBytes) {
    long free = freeBytes();
    MemorySize asked = settings.hostMemory;
    long beside = computesInRam ? Math.max(0, free - deviceBytes) : free;
    long bound = asked == null ? beside / PARTS : asked.of(free);
    boolean evictsToFile = computesInRam && asked == null;
    return new HostMemoryBudget(bound, evictsToFile ? 0 : bound / PARTS);
  }

  /**
   * Bound on blocks that are read ahead or kept for a later source, in bytes: a part of the budget,
   * whatever is asked.
   */
  static long readAheadBytes(RunSettings settings, HostMemoryBudget budget) {
    MemorySize asked = settings.input.readAhead;
    long most = budget.otherBytes();
    return asked == null ? most / PARTS : Math.min(most, asked.of(freeBytes()));
  }

  /** RAM in bytes that this process may take now; 8 GiB where the CPU backend does not work. */
  static long freeBytes() {
    for (BackendProvider provider : Backends.all()) {
      List<DeviceInfo> ram = provider.name().equals(CPU) ? provider.probe().devices() : List.of();
      if (!ram.isEmpty()) {
        return freeBytes(ram.get(0));
      }
    }
    return 8L << 30;
  }

  /** Free memory of a device that computes in RAM, as far as this process may take it. */
  static long freeBytes(DeviceInfo ram) {
    return Math.min(
        ram.freeBytes(),
        new NodeShare(System.getenv()).bytes(ram.totalBytes()).orElse(Long.MAX_VALUE));
  }

  /**
   * The part of a node's memory that its other processes of a job leave to this process. What a
   * process locks for its GPU is a part of it, so processes divide that too.
   *
   * <p>A job has {@code SLURM_MEM_PER_NODE} MiB on each node, or {@code SLURM_MEM_PER_CPU} MiB for
   * each of its processors there. Its tasks on the node share that equally; without either variable
   * they share the memory that the process sees. Processes that a launcher of MPI programs starts
   * without Slurm share that memory, too.
   */
  static final class NodeShare {
    private static final long MIB = 1L << 20;
    private static final long MOST_PROCESSES = 1 << 16;
    private static final Pattern REPEATED = Pattern.compile("(\\d+)\\(x(\\d+)\\)");

    /**
     * Where Open MPI, MPICH, Cray's PALS and IBM's jsrun tell the number of processes on the node.
     */
    private static final List<String> LOCAL_SIZES =
        List.of(
            "OMPI_COMM_WORLD_LOCAL_SIZE",
            "MPI_LOCALNRANKS",
            "PALS_LOCAL_SIZE",
            "JSM_NAMESPACE_LOCAL_SIZE");

    private final Map<String, String> environment;

    /** With the environment variables of the process. */
    NodeShare(Map<String, String> environment) {
      this.environment = environment;
    }

    /**
     * Bytes that this process may use; empty where nothing tells that it shares the node.
     *
     * @param visibleBytes memory of the node, or of the control group that the job is confined to
     */
    OptionalLong bytes(long visibleBytes) {
      if (!environment.containsKey("SLURM_JOB_ID")) {
        for (String variable : LOCAL_SIZES) {
          long processes = number(variable);
          String text = environment.getOrDefault(variable, "");
          if (processes > MOST_PROCESSES || (processes == 0 && !text.isEmpty())) {
            throw InputException.of(
                "the environment has %s=%s, expected the number of processes on this node, at most %s",
                variable, Printable.of(text), MOST_PROCESSES);
          }
          if (processes > 1) {
            return OptionalLong.of(visibleBytes / processes);
          }
        }
        return OptionalLong.empty();
      }
      long perNode = number("SLURM_MEM_PER_NODE") * MIB;
      if (perNode == 0) {
        perNode = number("SLURM_MEM_PER_CPU") * Math.max(1, number("SLURM_CPUS_ON_NODE")) * MIB;
      }
      // Slurm writes 0 where a job has all the memory of its nodes.
      long bytes = perNode > 0 ? Math.min(perNode, visibleBytes) : visibleBytes;
      return OptionalLong.of(bytes / tasksOnNode());
    }

    private long number(String name) {
      String text = environment.getOrDefault(name, "");
      return !text.isEmpty() && text.matches("\\d{1,12}") ? Long.parseLong(text) : 0;
    }

    /** Tasks of the job step, or else of the job, on this node; at least 1. */
    private long tasksOnNode() {
      String step = environment.get("SLURM_STEP_TASKS_PER_NODE");
      if (step != null) {
        return tasks(step);
      }
      long each = number("SLURM_NTASKS_PER_NODE");
      return each > 0 ? each : tasks(environment.getOrDefault("SLURM_TASKS_PER_NODE", ""));
    }

    /** The entry of this node in a list such as {@code 4(x2),3}. */
    private long tasks(String list) {
      long node = number("SLURM_NODEID");
      for (String entry : list.split(",", -1)) {
        Matcher repeated = REPEATED.matcher(entry);
        boolean several = repeated.matches();
        long count = several ? Long.parseLong(repeated.group(2)) : 1;
        if (node < count) {
          String tasks = several ? repeated.group(1) : entry;
          return tasks.matches("\\d{1,9}") ? Math.max(1, Long.parseLong(tasks)) : 1;
        }
        node -= count;
      }
      return 1;
    }
  }
}
