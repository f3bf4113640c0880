package org.starlingqcd.memhc.replay;

import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

/**
 * A device without memory. MemHC makes all its decisions on it and moves nothing, so a replay has
 * exactly the counters of a run.
 */
public final class DryDevice implements Device {
  private static final DeviceStream STREAM = new DeviceStream() {};
  private static final DeviceEvent EVENT = new DeviceEvent() {};

  private final boolean multipliesInPlace;

  /** A device whose products use slow memory where a copy would not pay. */
  public DryDevice() {
    this(true);
  }

  DryDevice(boolean multipliesInPlace) {
    this.multipliesInPlace = multipliesInPlace;
  }

  private record DryMemory(long bytes) implements DeviceMemory {}

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(0, "dry", Long.MAX_VALUE, Long.MAX_VALUE, Map.of());
  }

  @Override
  public DeviceMemory allocate(long bytes) {
    return new DryMemory(bytes);
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    return new DryMemory(bytes);
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  @Override
  public boolean multipliesInPlace() {
    return multipliesInPlace;
  }

  @Override
  public void move(DeviceMemory source, DeviceMemory target, DeviceStream stream) {}

  @Override
  public void free(DeviceMemory memory) {}

  @Override
  public DeviceMemory compose(List<DeviceMemory> spins) {
    return new DryMemory(spins.stream().mapToLong(DeviceMemory::bytes).sum());
  }

  /** Host memory with a size but without data; do not access it. */
  @Override
  public HostMemory allocateHost(long bytes) {
    return HostMemory.withoutData(bytes);
  }

  @Override
  public DeviceStream computeStream() {
    return STREAM;
  }

  @Override
  public DeviceStream openStream() {
    return STREAM;
  }

  @Override
  public DeviceEvent record(DeviceStream stream) {
    return EVENT;
  }

  @Override
  public void waitFor(DeviceStream stream, DeviceEvent event) {}

  @Override
  public boolean isReached(DeviceEvent event) {
    return true;
  }

  @Override
  public void synchronize(DeviceEvent event) {}

  @Override
  public void synchronize(DeviceStream stream) {}

  @Override
  public void upload(
      HostMemory source,
      long offset,
      DeviceMemory target,
      TensorShape shape,
      DeviceStream stream) {}

  @Override
  public void download(
      DeviceMemory source,
      HostMemory target,
      long offset,
      TensorShape shape,
      DeviceStream stream) {}

  @Override
  public void contract(ContractionBatch batch, DeviceStream stream) {}

  @Override
  public void trace(List<TraceBlock> blocks, HostMemory results, DeviceStream stream) {}

  @Override
  public void contractPairs(
      PairContraction contraction, PairContraction.Stage stage, DeviceStream stream) {}

  @Override
  public void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream) {}

  @Override
  public void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream) {}

  @Override
  public void close() {}
}
