package org.starlingqcd.backend.cuda;

import java.util.HashMap;
import java.util.Map;

/** JCuda's objects for streams, events and BLAS handles, by the numbers that stand for them. */
final class Handles<T> {
  private final Map<Long, T> objects = new HashMap<>();
  private long last;

  long add(T object) {
    objects.put(++last, object);
    return last;
  }

  T get(long handle) {
    T object = objects.get(handle);
    if (object == null) {
      throw new IllegalStateException("no such stream, event or BLAS handle: " + handle);
    }
    return object;
  }

  T remove(long handle) {
    T object = get(handle);
    objects.remove(handle);
    return object;
  }
}
