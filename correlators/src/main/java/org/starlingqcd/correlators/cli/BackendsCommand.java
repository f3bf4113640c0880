package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.MemoryInfo;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.Backends;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling backends}: lists the backends and their devices, and says why one is missing. */
@Command(
    description =
        "Lists the backends with their devices and memory, and says why a backend is not available.")
final class BackendsCommand implements Callable<Integer> {
  private static final double GIGABYTE = 1e9;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--calibrate",
      description =
          "First measure which kernels are fastest on this machine, print the measurements and keep the"
              + " choice for later runs.")
  private boolean calibrate;

  @Override
  public Integer call() {
    PrintWriter out = Console.out(spec);
    List<Map<String, Object>> list = new ArrayList<>();
    for (BackendProvider provider : Backends.all()) {
      Availability availability = provider.probe();
      List<String> calibration =
          calibrate && availability.isPresent() ? provider.calibrate() : List.of();
      if (json) {
        Map<String, Object> entry = describe(provider, availability);
        List<MemoryInfo> memories = availability.isPresent() ? provider.memories(true) : List.of();
        if (!memories.isEmpty()) {
          entry.put("memories", memories.stream().map(BackendsCommand::describe).toList());
        }
        if (!calibration.isEmpty()) {
          entry.put("calibration", calibration);
        }
        list.add(entry);
      } else {
        print(out, provider, availability);
        (availability.isPresent() ? provider.memories(true) : List.<MemoryInfo>of())
            .forEach(memory -> print(out, memory));
        calibration.forEach(line -> out.println("     " + line));
      }
    }
    if (json) {
      out.println(Json.text(Map.of("backends", list)));
    }
    return ErrorReport.SUCCESS;
  }

  private static Map<String, Object> describe(BackendProvider provider, Availability availability) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", provider.name());
    map.put("available", availability.isPresent());
    if (availability.reason() != null) {
      map.put("reason", availability.reason());
    }
    List<Map<String, Object>> devices = new ArrayList<>();
    for (DeviceInfo device : availability.devices()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("index", device.index());
      entry.put("name", device.name());
      entry.put("total_bytes", device.totalBytes());
      entry.put("free_bytes", device.freeBytes());
      entry.put("details", device.details());
      devices.add(entry);
    }
    map.put("devices", devices);
    return map;
  }

  private static Map<String, Object> describe(MemoryInfo memory) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("node", memory.node());
    map.put("total_bytes", memory.bytes());
    map.put("free_bytes", memory.freeBytes());
    map.put("processors", memory.processors());
    map.put("gb_per_second", memory.rate() / GIGABYTE);
    return map;
  }

  private static void print(PrintWriter out, MemoryInfo memory) {
    out.printf(
        Locale.ROOT,
        "     node %d: %s, %s free, %.1f GB/s%s%n",
        memory.node(),
        MemorySize.text(memory.bytes()),
        MemorySize.text(memory.freeBytes()),
        memory.rate() / GIGABYTE,
        memory.processors() ? "" : ", without processors");
  }

  private static void print(PrintWriter out, BackendProvider provider, Availability availability) {
    if (!availability.isPresent()) {
      out.println(provider.name() + ": not available: " + availability.reason());
      return;
    }
    out.println(provider.name() + ":");
    for (DeviceInfo device : availability.devices()) {
      out.println(
          "  "
              + device.index()
              + ": "
              + device.name()
              + ", "
              + MemorySize.text(device.totalBytes())
              + ", "
              + MemorySize.text(device.freeBytes())
              + " free");
      device.details().forEach((key, value) -> out.println("     " + key + ": " + value));
    }
  }
}
