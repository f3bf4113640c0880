package org.starlingqcd.arrays;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what one function made of ranges of arrays: a transpose, a layout, a factorization. An
 * entry ends when a number of its range is written, on the host or on the device.
 *
 * @param <K> what the result depends on beside the range
 * @param <V> the results; those that are {@link AutoCloseable} are closed when their entry ends
 */
public final class ComputationCache<K, V> implements AutoCloseable {
  private record Key<K>(long start, long end, K other) {}

  private final Map<Key<K>, V> entries = new HashMap<>();
  private long hits;
  private long computations;

  /** A table for one function of arrays of this cache. */
  public ComputationCache(ArrayCache cache) {
    cache.listen(this::changed);
  }

  /**
   * The result for numbers {@code first} to {@code first + count} of an array; computed unless it
   * is known.
   */
  public V get(HostArray array, long first, long count, K other, Supplier<V> compute) {
    long start = array.home().address() + first * array.kind().bytes();
    Key<K> key = new Key<>(start, start + count * array.kind().bytes(), other);
    V known = entries.get(key);
    if (known != null) {
      hits++;
      return known;
    }
    computations++;
    V made = compute.get();
    entries.put(key, made);
    return made;
  }

  /** Look-ups that found their result. */
  public long hits() {
    return hits;
  }

  /** Results that were computed. */
  public long computations() {
    return computations;
  }

  /** Results that are known now. */
  public int size() {
    return entries.size();
  }

  private void changed(long start, long end) {
    if (entries.isEmpty()) {
      return;
    }
    List<Key<K>> ended = new ArrayList<>();
    for (Key<K> key : entries.keySet()) {
      if (key.start < end && start < key.end) {
        ended.add(key);
      }
    }
    ended.forEach(key -> close(entries.remove(key)));
  }

  private static void close(@Nullable Object value) {
    if (value instanceof AutoCloseable resource) {
      try {
        resource.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Ends all entries. */
  @Override
  public void close() {
    List<V> all = new ArrayList<>(entries.values());
    entries.clear();
    all.forEach(ComputationCache::close);
  }
}
