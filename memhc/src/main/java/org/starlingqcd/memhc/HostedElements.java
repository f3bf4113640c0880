package org.starlingqcd.memhc;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.TensorShape;

/**
 * The elements of {@link MemHC} that live in the host's own memory: arrays, of which the device has
 * copies.
 */
public final class HostedElements extends Part {
  private final MemHC memory;
  private final ElementCache cache;

  HostedElements(MemHC memory, Tables tables, ElementCache cache) {
    super(tables);
    this.memory = memory;
    this.cache = cache;
  }

  /**
   * Adds an element that lives in the host's own memory. The device has at most a copy: evicting it
   * goes to its home, and {@link #beforeHostReads} and {@link #beforeHostWrites} keep the two
   * coherent. Its bytes lie on the device as on the host, for {@link MatrixOperations}. Returns its
   * number.
   *
   * @param home memory that outlives the element
   * @param offset its first byte there
   * @param bytes its size, at least 1
   * @param piece most bytes that one copy moves, a multiple of 16
   * @throws UnsupportedOperationException when the device has no matrix calls, or slow memory is
   *     used beside the budget
   */
  public int add(HostMemory home, long offset, long bytes, long piece) {
    if (tables.device.matrices().isEmpty()) {
      throw new UnsupportedOperationException("the device has no matrix calls");
    }
    if (slow != null) {
      throw new UnsupportedOperationException("elements with homes have no second tier");
    }
    if (piece < TensorShape.COMPLEX_BYTES || piece % TensorShape.COMPLEX_BYTES != 0) {
      throw new IllegalArgumentException("must be a positive multiple of 16: piece=" + piece);
    }
    if (bytes < 1 || offset < 0 || bytes > home.bytes() - offset) {
      throw new IllegalArgumentException(
          "leaves its home: offset=" + offset + " bytes=" + bytes + " of " + home.bytes());
    }
    long numbers = (bytes + TensorShape.COMPLEX_BYTES - 1) / TensorShape.COMPLEX_BYTES;
    int element = table.add(new TensorShape(1, 1, Math.toIntExact(numbers)), null);
    table.set(element, ElementTable.DEFINED);
    host.addHome(element, home, offset, bytes, piece);
    return element;
  }

  /** Removes an element of {@link #add}; a value that only the device has is lost. */
  public void remove(int element) {
    memory.requireNotPinned(element);
    host.awaitHome(element);
    cache.release(element);
    host.removeHome(element);
  }

  /** Makes sure that the home of an element has its value, and waits for it. */
  public void beforeHostReads(int element) {
    memory.requireNotPinned(element);
    cache.sync(element);
    host.awaitHome(element);
  }

  /**
   * Announces that the host writes to the home of an element, which has its whole value afterwards.
   * The copy on the device is discarded. The host may write as soon as the call returns.
   */
  public void beforeHostWrites(int element) {
    memory.requireNotPinned(element);
    host.awaitHome(element);
    cache.discard(element);
    host.homeWritten(element);
  }

  /**
   * How often the value of an element was copied to its home, for evictions too. Waits for the last
   * of these copies.
   */
  public long arrivals(int element) {
    host.awaitHome(element);
    return host.homeArrivals(element);
  }

  /** Tells that the next {@link MemHC#pin} with this element as output does not need its value. */
  public void overwrites(int element) {
    table.check(element);
    table.set(element, ElementTable.OVERWRITTEN);
  }

  /** Copies so far between the device and elements of {@link #add}. */
  public long copies() {
    return counters.homeCopies;
  }

  /** Whether the host has the value of an element. */
  public boolean isOnHost(int element) {
    table.check(element);
    return host.has(element);
  }
}
