package org.starlingqcd.correlators.cli;

import com.google.common.collect.ImmutableMap;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.MemoryInfo;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.Backends;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code starling backends}: lists the backends and their devices, and says why one is missing. */
@Command(
    description =
        "Lists the backends with their devices and memory, and says why a backend is not"
            + " available.")
final class BackendsCommand implements Callable<Integer> {
  private static final double GIGABYTE = 1e9;

  @Mixin private Output output = new Output();

  @Option(
      names = "--calibrate",
      description =
          "First measure which kernels are fastest on this machine, print the measurements and keep"
              + " the choice for later runs.")
  private boolean calibrate;

  @Override
  public Integer call() {
    PrintWriter out = output.out();
    List<Map<String, Object>> list = new ArrayList<>();
    for (BackendProvider provider : Backends.all()) {
      Availability availability = provider.probe();
      boolean there = availability.isPresent();
      List<String> calibration = calibrate && there ? provider.calibrate() : List.of();
      List<MemoryInfo> memories = there ? provider.memories(true) : List.of();
      if (output.isJson()) {
        list.add(describe(provider, availability, memories, calibration));
        continue;
      }
      out.println(provider.name() + (there ? ":" : ": not available: " + availability.reason()));
      availability.devices().forEach(device -> print(out, device));
      for (MemoryInfo memory : memories) {
        out.printf(
            Locale.US,
            "     node %d: %s, %s free, %.1f GB/s%s%n",
            memory.node(),
            MemorySize.text(memory.bytes()),
            MemorySize.text(memory.freeBytes()),
            memory.rate() / GIGABYTE,
            memory.processors() ? "" : ", without processors");
      }
      calibration.forEach(line -> out.println("     " + line));
    }
    output.print(() -> Map.of("backends", list), () -> "");
    return ErrorReport.SUCCESS;
  }

  private static Map<String, Object> describe(
      BackendProvider provider,
      Availability availability,
      List<MemoryInfo> memories,
      List<String> calibration) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", provider.name());
    map.put("available", availability.isPresent());
    if (availability.reason() != null) {
      map.put("reason", availability.reason());
    }
    List<Map<String, Object>> devices = new ArrayList<>();
    for (DeviceInfo device : availability.devices()) {
      devices.add(
          ImmutableMap.of(
              "index", device.index(),
              "name", device.name(),
              "total_bytes", device.totalBytes(),
              "free_bytes", device.freeBytes(),
              "details", device.details()));
    }
    map.put("devices", devices);
    if (!memories.isEmpty()) {
      map.put("memories", memories.stream().map(BackendsCommand::describe).toList());
    }
    if (!calibration.isEmpty()) {
      map.put("calibration", calibration);
    }
    return map;
  }

  private static Map<String, Object> describe(MemoryInfo memory) {
    return ImmutableMap.of(
        "node", memory.node(),
        "total_bytes", memory.bytes(),
        "free_bytes", memory.freeBytes(),
        "processors", memory.processors(),
        "gb_per_second", memory.rate() / GIGABYTE);
  }

  private static void print(PrintWriter out, DeviceInfo device) {
    out.println(
        "  %s: %s, %s, %s free"
            .formatted(
                device.index(),
                device.name(),
                MemorySize.text(device.totalBytes()),
                MemorySize.text(device.freeBytes())));
    device.details().forEach((key, value) -> out.println("     " + key + ": " + value));
  }
}
