package org.starlingqcd.backend.cpu.memory;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.cpu.blas.Tiling;

/**
 * A block of the arena, or several blocks seen as one element with a block for each spin. It
 * remembers the layout in which it was last written, so that an element is converted only when it
 * comes or goes.
 */
public final class CpuMemory implements DeviceMemory {
  private final ElementAccess owner;
  private final @Nullable HostMemory block;
  private final List<CpuMemory> parts;
  private final long bytes;
  private Tiling tiling = Tiling.PLAIN;

  /** Last piece of work that uses it, by stream; 0 for none. */
  private long[] lastUses = new long[0];

  private CpuMemory(
      ElementAccess owner, @Nullable HostMemory block, List<CpuMemory> parts, long bytes) {
    this.owner = owner;
    this.block = block;
    this.parts = parts;
    this.bytes = bytes;
  }

  public static CpuMemory of(ElementAccess owner, HostMemory block) {
    return new CpuMemory(owner, block, List.of(), block.bytes());
  }

  public static CpuMemory composed(ElementAccess owner, List<CpuMemory> parts) {
    return new CpuMemory(
        owner, null, List.copyOf(parts), parts.stream().mapToLong(CpuMemory::bytes).sum());
  }

  @Override
  public long bytes() {
    return bytes;
  }

  public ElementAccess owner() {
    return owner;
  }

  boolean isComposed() {
    return block == null;
  }

  /** The block behind it; null when it is composed of others. */
  public @Nullable HostMemory block() {
    return block;
  }

  /** Layout of the numbers in it, as far as calls made so far have decided. */
  public Tiling tiling() {
    return parts.isEmpty() ? tiling : parts.get(0).tiling();
  }

  /** Notes the layout in which a call will write it. */
  public void tiling(Tiling written) {
    tiling = written;
    for (CpuMemory part : parts) {
      part.tiling(written);
    }
  }

  /** Notes that a piece of work in a stream of the device uses it. */
  public void usedBy(int stream, long work) {
    if (lastUses.length <= stream) {
      lastUses = Arrays.copyOf(lastUses, stream + 1);
    }
    lastUses[stream] = work;
    for (CpuMemory part : parts) {
      part.usedBy(stream, work);
    }
  }

  /** The last piece of work in a stream that uses it; 0 when there is none. */
  public long lastUse(int stream) {
    return stream < lastUses.length ? lastUses[stream] : 0;
  }

  /**
   * Address of each spin component.
   *
   * @param spins number of components
   * @param componentBytes bytes of one component
   * @throws IllegalArgumentException when the block is too small or has other parts
   */
  public long[] spinAddresses(int spins, long componentBytes) {
    if (block != null) {
      if (componentBytes * spins > bytes) {
        throw new IllegalArgumentException(
            "block too small: bytes=" + bytes + " needed=" + componentBytes * spins);
      }
      long[] addresses = new long[spins];
      long first = block.address();
      for (int s = 0; s < spins; s++) {
        addresses[s] = first + s * componentBytes;
      }
      return addresses;
    }
    if (parts.size() != spins) {
      throw new IllegalArgumentException(
          "composed of other parts: parts=" + parts.size() + " spins=" + spins);
    }
    return leadingSpinAddresses(spins, componentBytes);
  }

  /** Address of each of the first {@code spins} components, of which there may be more. */
  public long[] leadingSpinAddresses(int spins, long componentBytes) {
    if (block != null) {
      return spinAddresses(spins, componentBytes);
    }
    if (parts.size() < spins) {
      throw new IllegalArgumentException(
          "composed of too few parts: parts=" + parts.size() + " spins=" + spins);
    }
    long[] addresses = new long[spins];
    for (int s = 0; s < spins; s++) {
      addresses[s] = parts.get(s).spinAddresses(1, componentBytes)[0];
    }
    return addresses;
  }
}
