package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.HostMemoryShare.NodeShare;

class NodeShareTest {
  private static final long GIB = 1L << 30;

  @Test
  void withoutSlurm_thereIsNoShare() {
    assertEquals(
        OptionalLong.empty(), new NodeShare(Map.of("SLURM_MEM_PER_NODE", "1024")).bytes(GIB));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OMPI_COMM_WORLD_LOCAL_SIZE",
        "MPI_LOCALNRANKS",
        "PALS_LOCAL_SIZE",
        "JSM_NAMESPACE_LOCAL_SIZE"
      })
  void processesOfALauncher_divideTheNode(String variable) {
    assertEquals(OptionalLong.of(16 * GIB), new NodeShare(Map.of(variable, "4")).bytes(64 * GIB));
    assertEquals(OptionalLong.empty(), new NodeShare(Map.of(variable, "1")).bytes(64 * GIB));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // A job alone on its node, which has 64 GiB.
        "SLURM_MEM_PER_NODE=32768 | 32",
        "SLURM_MEM_PER_NODE=32768 SLURM_NTASKS_PER_NODE=4 | 8",
        "SLURM_MEM_PER_NODE=32768 SLURM_TASKS_PER_NODE=4(x2),2 | 8",
        "SLURM_MEM_PER_NODE=32768 SLURM_TASKS_PER_NODE=4(x2),2 SLURM_NODEID=1 | 8",
        "SLURM_MEM_PER_NODE=32768 SLURM_TASKS_PER_NODE=4(x2),2 SLURM_NODEID=2 | 16",
        "SLURM_MEM_PER_CPU=2048 SLURM_CPUS_ON_NODE=8 | 16",
        "SLURM_MEM_PER_CPU=2048 SLURM_CPUS_ON_NODE=8 SLURM_TASKS_PER_NODE=2 | 8",
        // A step of fewer tasks than the job.
        "SLURM_MEM_PER_NODE=32768 SLURM_TASKS_PER_NODE=8 SLURM_STEP_TASKS_PER_NODE=2 | 16",
        // All of the node.
        "SLURM_MEM_PER_NODE=0 SLURM_TASKS_PER_NODE=4 | 16",
        "SLURM_TASKS_PER_NODE=4 | 16",
        // No more than the control group has.
        "SLURM_MEM_PER_NODE=131072 SLURM_TASKS_PER_NODE=4 | 16",
      })
  void share_isThatOfATask(String variables, long gibibytes) {
    Map<String, String> environment = new HashMap<>(Map.of("SLURM_JOB_ID", "1"));
    for (String variable : variables.trim().split(" ")) {
      environment.put(variable.split("=")[0], variable.split("=")[1]);
    }
    assertEquals(OptionalLong.of(gibibytes * GIB), new NodeShare(environment).bytes(64 * GIB));
  }

  @Test
  void moreProcessesThanANodeRuns_areOneMessage() {
    for (String number : List.of("999999999999", "99999999999999999999", "-5", "0", "x")) {
      NodeShare share = new NodeShare(Map.of("MPI_LOCALNRANKS", number));
      InputException e = assertThrows(InputException.class, () -> share.bytes(64 * GIB));
      assertEquals(
          "the environment has MPI_LOCALNRANKS=%s, expected the number of processes on this node, at most 65536"
              .formatted(number),
          e.getMessage());
    }
  }
}
