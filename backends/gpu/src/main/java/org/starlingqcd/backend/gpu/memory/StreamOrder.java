package org.starlingqcd.backend.gpu.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The streams of a device, and which of their operations are known to have run. */
public final class StreamOrder {
  private final List<GpuStream> streams = new ArrayList<>();
  private long[] done = new long[4];

  /** Adds a stream and returns its place. */
  int add(GpuStream stream) {
    streams.add(stream);
    return streams.size() - 1;
  }

  /** All streams of the device. */
  public List<GpuStream> streams() {
    return streams;
  }

  GpuStream stream(int index) {
    return streams.get(index);
  }

  /** Number of the last operation of a stream that is known to have run. */
  long done(int stream) {
    return stream < done.length ? done[stream] : 0;
  }

  /** Notes that operations have run, up to these numbers by stream. */
  void done(long[] operations) {
    done = later(done, operations);
  }

  /** Notes that the operations of a stream up to a number have run. */
  void done(int stream, long operation) {
    done = with(done, stream, operation);
  }

  /** The operations that are not known to have run, by stream; null where there are none. */
  long @Nullable [] pending(long[] operations) {
    for (int stream = 0; stream < operations.length; stream++) {
      if (operations[stream] > done(stream)) {
        return operations;
      }
    }
    return null;
  }

  /** The larger of two numbers for each stream; {@code first} is changed or replaced. */
  static long[] later(long[] first, long[] second) {
    long[] result = first.length >= second.length ? first : Arrays.copyOf(first, second.length);
    for (int stream = 0; stream < second.length; stream++) {
      result[stream] = Math.max(result[stream], second[stream]);
    }
    return result;
  }

  /** The numbers with a larger one for a stream; {@code numbers} is changed or replaced. */
  static long[] with(long[] numbers, int stream, long number) {
    long[] result =
        stream < numbers.length ? numbers : Arrays.copyOf(numbers, Math.max(stream + 1, 4));
    result[stream] = Math.max(result[stream], number);
    return result;
  }
}
