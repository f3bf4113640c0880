package org.starlingqcd.backend.cuda;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * JCuda's objects for streams, events and BLAS handles, by the numbers that stand for them. A
 * number is given out once in a process, so that none means different objects to different devices.
 */
final class Handles<T> {
  private static final AtomicLong LAST = new AtomicLong();

  private final Map<Long, T> objects = new ConcurrentHashMap<>();

  long add(T object) {
    long handle = LAST.incrementAndGet();
    objects.put(handle, object);
    return handle;
  }

  T get(long handle) {
    return found(objects.get(handle), handle);
  }

  T remove(long handle) {
    return found(objects.remove(handle), handle);
  }

  private T found(@Nullable T object, long handle) {
    if (object == null) {
      throw new IllegalStateException("no such stream, event or BLAS handle: " + handle);
    }
    return object;
  }
}
