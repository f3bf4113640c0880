package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * {@code starling submit} on a real Slurm of this machine, with daemons of its own in a folder of
 * its own. Debian's {@code slurm-wlm} and {@code munge} have to be installed, and slurmd needs
 * root.
 */
@Tag("slow")
final class SlurmTest {
  private static final int SECONDS = 120;

  @TempDir Path folder;
  private final List<String> pidFiles = new ArrayList<>();

  @BeforeEach
  void startSlurm() throws Exception {
    for (String program : List.of("munged", "slurmctld", "slurmd", "sbatch")) {
      assumeTrue(
          isInstalled(program),
          program + " is not installed; `apt-get install slurm-wlm munge` brings Slurm");
    }
    assumeTrue("root".equals(System.getProperty("user.name")), "slurmd needs root");
    Files.createDirectories(folder.resolve("ctld"));
    Files.createDirectories(folder.resolve("d"));
    byte[] key = new byte[1024];
    new Random(1).nextBytes(key);
    Path keyFile = Files.write(folder.resolve("key"), key);
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("r--------"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path socket = folder.resolve("munge.sock");
    pidFiles.add("munge.pid");
    run(
        "munged",
        "--force",
        "--socket=" + socket,
        "--key-file=" + keyFile,
        "--pid-file=" + folder.resolve("munge.pid"),
        "--seed-file=" + folder.resolve("munge.seed"),
        "--log-file=" + folder.resolve("munge.log"));
    String host = InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
    Files.writeString(
        folder.resolve("slurm.conf"),
        """
        ClusterName=test
        SlurmctldHost=HOST(127.0.0.1)
        SlurmctldPort=26817
        SlurmdPort=26818
        AuthType=auth/munge
        AuthInfo=socket=SOCKET
        SlurmUser=root
        SlurmdUser=root
        StateSaveLocation=DIR/ctld
        SlurmdSpoolDir=DIR/d
        SlurmctldPidFile=DIR/ctld.pid
        SlurmdPidFile=DIR/d.pid
        SlurmctldLogFile=DIR/ctld.log
        SlurmdLogFile=DIR/d.log
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_Core
        ReturnToService=2
        MpiDefault=none
        NodeName=HOST NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
        PartitionName=main Nodes=ALL Default=YES State=UP
        """
            .replace("HOST", host)
            .replace("SlurmctldHOST", "SlurmctldHost")
            .replace("SOCKET", socket.toString())
            .replace("DIR", folder.toString()));
    pidFiles.add("ctld.pid");
    pidFiles.add("d.pid");
    String configuration = folder.resolve("slurm.conf").toString();
    run("slurmctld", "-f", configuration);
    run("slurmd", "-f", configuration);
  }

  private static boolean isInstalled(String program) {
    List<String> folders =
        new ArrayList<>(
            Arrays.asList(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
    folders.add("/usr/sbin");
    return folders.stream().anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private String run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("command.log").toFile());
    environment(builder);
    int status = builder.start().waitFor();
    String output = Files.readString(folder.resolve("command.log"), StandardCharsets.UTF_8);
    assertEquals(0, status, String.join(" ", command) + ": " + output);
    return output;
  }

  private void environment(ProcessBuilder builder) {
    builder.environment().put("SLURM_CONF", folder.resolve("slurm.conf").toString());
    builder.environment().merge("PATH", "/usr/sbin", (path, more) -> path + ":" + more);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
  }

  @AfterEach
  void stopSlurm() throws Exception {
    for (int k = pidFiles.size() - 1; k >= 0; k--) {
      Path file = folder.resolve(pidFiles.get(k));
      if (Files.exists(file)) {
        long pid = Long.parseLong(Files.readString(file).strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        for (int tries = 0; tries < 100 && ProcessHandle.of(pid).isPresent(); tries++) {
          Thread.sleep(100);
        }
      }
    }
  }

  @Test
  void submittedRun_isMergedWhenItsTasksHaveSucceeded() throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    Path working = Files.createDirectories(folder.resolve("work"));
    Path site = Files.writeString(folder.resolve("site.yaml"), "partition: main\ntime: 5\n");
    ProcessBuilder submit =
        TestInstallation.process(
            working,
            launcher.toString(),
            Cli.words(
                "submit pion rho_pipi --data %s --sources 0,4 --shards 3 --scheduler slurm "
                    + "--site %s",
                Path.of("../examples/data").toAbsolutePath(), site));
    environment(submit);
    TestInstallation.finish(submit.start(), working).ok().prints("3 tasks");

    Path result = working.resolve("results/rho_pipi.h5");
    for (int k = 0; k < SECONDS && !run("squeue", "--noheader").isBlank(); k++) {
      Thread.sleep(1000);
    }
    assertTrue(
        Files.exists(result) && Files.exists(working.resolve("results/pion.h5")),
        () -> logs(working.resolve("results/batch")));
    try (Hdf5File file = Hdf5File.open(result)) {
      assertEquals(List.of("cfg_0001", "cfg_0002"), file.children("/"));
      assertEquals(2, file.dataset("cfg_0002/correlator").extents()[0]);
    }
  }

  private static String logs(Path batch) {
    StringBuilder text = new StringBuilder("no result; the logs say:\n");
    File[] files = batch.toFile().listFiles((dir, name) -> name.endsWith(".log"));
    for (File file : files == null ? new File[0] : files) {
      try {
        text.append(file).append(":\n").append(Files.readString(file.toPath()));
      } catch (IOException e) {
        text.append(e);
      }
    }
    return text.toString();
  }
}
