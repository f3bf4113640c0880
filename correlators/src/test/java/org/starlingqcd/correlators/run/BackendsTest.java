package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.InputException;

final class BackendsTest {
  private static final Availability PRESENT =
      Availability.of(List.of(new DeviceInfo(0, "d", 1, 1, Map.of())));
  private static final Availability ABSENT = Availability.absent("no driver");

  private record Fake(String name, int priority, Availability probe) implements BackendProvider {
    @Override
    public Device open(DeviceOptions options) {
      throw new BackendException("not opened in this test");
    }
  }

  private static final Fake GPU = new Fake("cuda", 10, ABSENT);
  private static final Fake CPU = new Fake("cpu", 0, PRESENT);

  @Test
  void auto_takesTheFirstThatWorks() {
    assertSame(CPU, Backends.select("auto", 0, List.of(GPU, CPU)));
  }

  @Test
  void autoWithoutGpu_saysSoInOneLineAndOnce() {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Fake cpu = new Fake("cpu of this test", 0, PRESENT);
      Backends.select("auto", 0, List.of(GPU, cpu));
      Backends.select("auto", 0, List.of(GPU, cpu));
    } finally {
      System.setErr(before);
    }
    List<String> lines =
        said.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(l -> l.contains("on the CPU"))
            .toList();
    assertEquals(1, lines.size(), lines.toString());
    assertEquals(
        "starling: computing on the CPU; `starling backends` says why no GPU is used",
        lines.get(0));
  }

  @Test
  void absent_namesTheReason() {
    assertMessage(
        "backend 'cuda' does not work on this machine (cuda: no driver);"
            + " `starling backends` lists what is there",
        "cuda");
  }

  @Test
  void deviceThatDoesNotExist_isNotTaken() {
    assertEquals(
        "backend 'auto' does not work on this machine (cuda: no driver; cpu: there is no device 1);"
            + " `starling backends` lists what is there",
        assertThrows(InputException.class, () -> Backends.select("auto", 1, List.of(GPU, CPU)))
            .getMessage());
  }

  @Test
  void unknown_listsTheNames() {
    assertMessage("no backend is called 'gpu'; there are: auto, cpu, cuda", "gpu");
    assertMessage(
        "no backend is called 'cdua'; there are: auto, cpu, cuda; did you mean cuda?", "cdua");
  }

  private static void assertMessage(String message, String name) {
    assertEquals(
        message,
        assertThrows(InputException.class, () -> Backends.select(name, 0, List.of(GPU, CPU)))
            .getMessage());
  }
}
