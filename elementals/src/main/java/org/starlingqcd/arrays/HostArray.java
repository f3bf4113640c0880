package org.starlingqcd.arrays;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.NumberKind;

/**
 * An array of real or complex numbers in host memory that calls of {@link ArrayBlas} use. All
 * access goes through it, and the accessors are the guards: before the host reads, results come
 * home; before it writes, copies on the device are given up. Announcing too much or twice is safe.
 *
 * <p>Numbers are counted from 0; a complex number is two doubles, real part first. An array belongs
 * to one {@link ArrayCache} and one thread.
 */
public final class HostArray implements AutoCloseable {
  private final ArrayCache cache;
  private final String name;
  private final NumberKind kind;
  private final long length;
  private final HostMemory memory;

  HostArray(ArrayCache cache, String name, NumberKind kind, long length, HostMemory memory) {
    this.cache = cache;
    this.name = name;
    this.kind = kind;
    this.length = length;
    this.memory = memory;
  }

  /** Its name in messages. */
  public String name() {
    return name;
  }

  /** What its numbers are. */
  public NumberKind kind() {
    return kind;
  }

  /** How many numbers it has. */
  public long length() {
    return length;
  }

  HostMemory home() {
    return memory;
  }

  /**
   * Its memory for reading. It stays valid until the next call that writes to the array on the
   * device.
   *
   * @param first first number that is read
   * @param count how many are read
   */
  public HostMemory reading(long first, long count) {
    check(first, count);
    cache.toHost(this, first * kind.bytes(), count * kind.bytes());
    return memory;
  }

  /** All of its memory for reading. */
  public HostMemory reading() {
    return reading(0, length);
  }

  /**
   * Its memory for writing, with the present numbers in it. Writing must end before the next call
   * that uses the array on the device.
   *
   * @param first first number that may be written
   * @param count how many may be written
   */
  public HostMemory writing(long first, long count) {
    check(first, count);
    cache.invalidateOnDevice(this, first * kind.bytes(), count * kind.bytes());
    return memory;
  }

  /** All of its memory for writing. */
  public HostMemory writing() {
    return writing(0, length);
  }

  /** Brings all of the array to the device ahead of its use, as one record. */
  public void toDevice() {
    cache.toDevice(this, 0, length * kind.bytes());
  }

  /**
   * Gives all of the array a place on the device without sending anything; its numbers are
   * undefined then. For results that several calls write part by part.
   */
  public void beginOnDevice() {
    cache.begin(this);
  }

  /** Copies {@code count} numbers from number {@code first} on to the start of {@code target}. */
  public void get(long first, double[] target, int count) {
    int width = kind.bytes() / Double.BYTES;
    reading(first, count).get(first * width, target, 0, count * width);
  }

  /** Copies the first {@code count} numbers of {@code source} to number {@code first} and on. */
  public void put(long first, double[] source, int count) {
    int width = kind.bytes() / Double.BYTES;
    writing(first, count).put(first * width, source, 0, count * width);
  }

  /** The real part of a number. */
  public double get(long number) {
    double[] value = new double[kind.bytes() / Double.BYTES];
    get(number, value, 1);
    return value[0];
  }

  /** Sets a number to a real value. */
  public void put(long number, double value) {
    double[] parts = new double[kind.bytes() / Double.BYTES];
    parts[0] = value;
    put(number, parts, 1);
  }

  private void check(long first, long count) {
    if (first < 0 || count < 0 || first > length - count) {
      throw new IndexOutOfBoundsException(
          "array " + name + ": numbers " + first + " to " + (first + count) + " of " + length);
    }
  }

  /** Gives up the array and its copy on the device. */
  @Override
  public void close() {
    cache.remove(this);
    memory.close();
  }
}
