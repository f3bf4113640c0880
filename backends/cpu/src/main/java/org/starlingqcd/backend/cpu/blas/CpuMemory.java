package org.starlingqcd.backend.cpu.blas;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;

/**
 * A block of the arena, or several blocks combined into one element with a block for each spin. It
 * remembers the layout in which it was last written, so that elements are converted only when they
 * are uploaded or downloaded.
 */
public final class CpuMemory implements DeviceMemory {
  private final ElementAccess owner;
  private final @Nullable HostMemory block;
  private final List<CpuMemory> parts;
  private final long bytes;
  private Tiling tiling = Tiling.PLAIN;

  /** Number of the last piece of work that uses it, for each stream; 0 for none. */
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

  /** Its host memory; null when it is composed of other blocks. */
  public @Nullable HostMemory block() {
    return block;
  }

  /** Layout of the numbers in it after all calls made so far. */
  public Tiling tiling() {
    return parts.isEmpty() ? tiling : parts.get(0).tiling();
  }

  /** Sets the layout in which a call will write it. */
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

  /** Address of each of the first {@code spins} components; the element may have more. */
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
