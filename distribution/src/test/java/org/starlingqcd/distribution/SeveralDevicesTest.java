package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starlingqcd.backend.cuda.FakeCuda;
import org.starlingqcd.backend.hip.FakeHip;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Runs on several fake GPUs give the numbers of a run on one, to the last bit. */
@Tag("slow")
final class SeveralDevicesTest {
  private static final int CONFIGURATIONS = 2;
  private static final int SOURCES = 4;

  @TempDir Path folder;
  private String separations = "0-2";

  private Fake fake = Fake.HIP;

  /** The libraries of a vendor on the host. */
  private enum Fake {
    HIP,
    CUDA;

    void use(int devices, long seed) {
      if (this == CUDA) {
        FakeCuda.use(devices, seed);
      } else {
        System.setProperty("starling.hip.runtime", FakeHip.library().toString());
        FakeHip.reset(FakeHip.BYTES, devices, seed);
      }
    }

    void leave() {
      if (this == CUDA) {
        FakeCuda.leave();
      } else {
        System.clearProperty("starling.hip.runtime");
        FakeHip.reset(FakeHip.BYTES, 1, 17);
      }
    }

    String report() {
      return this == CUDA ? FakeCuda.report() : FakeHip.report();
    }

    List<String> callNames() {
      return this == CUDA ? FakeCuda.callNames() : FakeHip.callNames();
    }

    String prefix() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private void use(Fake vendor) {
    fake = vendor;
    fake.use(3, 17);
  }

  @AfterEach
  void leave() {
    fake.leave();
  }

  private Cli run(String out, String... more) {
    List<String> args =
        new ArrayList<>(List.of("run", "a1_rhopi", "--json", "--backend=" + fake.prefix()));
    args.addAll(List.of("--data=../examples/data", "--out=" + folder.resolve(out)));
    args.addAll(List.of("--configurations=1-" + CONFIGURATIONS));
    args.addAll(List.of("--sources=0,2,4,6", "--separations=" + separations));
    args.addAll(List.of(more));
    return Cli.run(args.toArray(String[]::new));
  }

  private List<double[]> results(String out) {
    try (Hdf5File hdf5 = Hdf5File.open(folder.resolve(out).resolve("a1_rhopi.h5"))) {
      List<double[]> all = new ArrayList<>();
      for (int configuration = 1; configuration <= CONFIGURATIONS; configuration++) {
        all.add(hdf5.dataset("cfg_000" + configuration + "/correlator").readAll());
      }
      return all;
    }
  }

  private void assertSameBits(String expected, String actual) {
    List<double[]> one = results(expected);
    List<double[]> several = results(actual);
    for (int k = 0; k < one.size(); k++) {
      assertArrayEquals(one.get(k), several.get(k));
    }
  }

  private static JsonNode json(Cli cli) throws IOException {
    return new ObjectMapper().readTree(cli.out());
  }

  @ParameterizedTest
  @EnumSource
  void twoDevices_shareTheUnitsAndGiveTheSameBits(Fake vendor) throws IOException {
    use(vendor);
    Cli one = run("one", "--device=0").ok();
    assertTrue(json(one).path("devices").isMissingNode(), one.out());
    Cli two = run("two", "--device=0,2").ok();
    assertEquals("", fake.report());
    assertSameBits("one", "two");
    JsonNode devices = json(two).path("devices");
    assertEquals(
        List.of(0, 2),
        List.of(devices.get(0).path("number").asInt(), devices.get(1).path("number").asInt()));
    int units = 0;
    for (JsonNode device : devices) {
      assertTrue(device.path("units").asInt() > 0, two.out());
      units += device.path("units").asInt();
    }
    assertEquals(CONFIGURATIONS * SOURCES, units);
    assertEquals(json(one).path("contractions").asLong(), json(two).path("contractions").asLong());
    // What was computed by one is finished for several.
    Cli again = run("one", "--device=all");
    assertEquals(
        CONFIGURATIONS * SOURCES, json(again).path("units").path("finished_before").asInt());
  }

  @Test
  void allDevices_inLittleMemory_giveTheSameBits() throws IOException {
    use(Fake.HIP);
    assertEquals(0, run("one", "--device=1").status());
    Cli all = run("all", "--device=all", "--device-memory=300KiB", "--host-memory=8MiB").ok();
    assertEquals("", fake.report());
    assertEquals(3, json(all).path("devices").size());
    assertTrue(json(all).path("memory").path("evictions").asLong() > 0, all.out());
    assertSameBits("one", "all");
  }

  /** A unit on two or three devices: elements move between them, and no bit changes. */
  @ParameterizedTest
  @EnumSource
  void devicesTogether_giveTheSameBits(Fake vendor) throws IOException {
    use(vendor);
    // The steps of several separations would hardly need each other's elements.
    separations = "1";
    assertEquals(0, run("one").status());
    for (String memory : List.of("100%", "300KiB")) {
      for (int together : List.of(2, 3)) {
        fake.use(together, 29);
        String out = memory + together;
        Cli cli =
            run(out, "--device=all", "--devices-per-unit=" + together, "--device-memory=" + memory)
                .ok();
        assertEquals("", fake.report());
        assertSameBits("one", out);
        long moved = json(cli).path("devices").get(0).path("bytes_between_devices").asLong();
        assertTrue(moved > 0, cli.out());
      }
    }
    run("odd", "--device=0,1,2", "--devices-per-unit=2")
        .refused("--devices-per-unit 2 does not divide the number of devices: 3");
  }

  /** The device fails in the middle of a unit, or as soon as it is opened. */
  @ParameterizedTest
  @EnumSource
  void lostDevice_leavesItsUnitToAnother(Fake vendor) throws IOException {
    use(vendor);
    assertEquals(0, run("one", "--device=all").status());
    List<String> calls = fake.callNames();
    int opened = calls.indexOf(fake.prefix() + "Malloc");
    int middle = (opened + calls.size()) / 2;
    for (int call : List.of(opened, middle)) {
      fake.use(3, 5);
      if (vendor == Fake.CUDA) {
        FakeCuda.loseDevice(1, call);
      } else {
        FakeHip.loseDevice(1, call);
      }
      Cli some = run("lost" + call, "--device=0-2").ok();
      some.notes("starling: device 1 is lost, and another computes its unit: ");
      some.notes("999");
      assertSameBits("one", "lost" + call);
      JsonNode devices = json(some).path("devices");
      assertTrue(devices.get(1).path("lost").asText().contains("999"), some.out());
      assertEquals(
          CONFIGURATIONS * SOURCES,
          devices.get(0).path("units").asInt()
              + devices.get(1).path("units").asInt()
              + devices.get(2).path("units").asInt());
    }
  }

  /** The driver moves the elements, of which there are more than the device has room for. */
  @ParameterizedTest
  @EnumSource
  void managedMemory_evictsNothingAndGivesTheSameBits(Fake vendor) throws IOException {
    use(vendor);
    assertEquals(0, run("one", "--device=0").status());
    for (String device : List.of("0", "all")) {
      fake.use(3, 23);
      Cli managed =
          run("managed" + device, "--device=" + device, "--memory=managed", "--device-memory=1MiB")
              .ok();
      assertEquals("", fake.report());
      assertEquals(0, json(managed).path("memory").path("evictions").asLong(), managed.out());
      assertSameBits("one", "managed" + device);
      assertTrue(fake.callNames().contains(fake.prefix() + "MallocManaged"));
    }
    Cli.run("bench", "--backend=cpu", "--tensor-size=8", "--memory=managed")
        .refused("--memory managed needs a GPU");
    run("other", "--memory=unified").notes("--memory must be device or managed: unified");
    Cli.line(
            "bench --backend=%s --tensor-size=8 --vector-size=4 --oversubscription=2 "
                + "--iterations=1 --memory=managed --json",
            fake.prefix())
        .ok();
  }

  @Test
  void devicesThatAreNotThere_areNamed() {
    use(Fake.HIP);
    run("none", "--device=0,3").refused("HIP device 3 does not exist; visible: 0 to 2");
    run("none", "--device=first").refused("'first' is not a number");
    run("none", "--device=all", "--trace=" + folder.resolve("trace"))
        .refused("give --device the number of one");
    assertTrue(Files.notExists(folder.resolve("none").resolve("a1_rhopi.h5")));
  }
}
