package org.starlingqcd.memhc.reference;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.policy.Residency;
import org.starlingqcd.memhc.retention.RetentionPlan;
import org.starlingqcd.memhc.retention.RetentionSearch;
import org.starlingqcd.memhc.retention.UseIntervals;

/**
 * A cache of lines, as its description says and as simply as it can be written: it shares nothing
 * with MemHC but the policies and the plan.
 */
final class NaiveCache implements Residency {
  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);

  /** 2⁶⁴ over the golden ratio, made odd. */
  private static final BigInteger GOLDEN = new BigInteger("9E3779B97F4A7C15", 16);

  private static final int NONE = -1;

  /** The place of an element that is on no line and leaves with its batch. */
  private static final int TEMPORARY = -2;

  /** Numbers, by the names that MemHC's counters have. */
  final Map<String, Long> counters = new HashMap<>();

  final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);

  private final AccessTrace trace;
  private final MemHCOptions options;
  private final EvictionPolicy policy;
  private final boolean hasLines;
  private final int sets;
  private final int perSet;
  private final SplittableRandom draws;

  /** Empty lines of each set, the one that was left last first. */
  private final List<Deque<Integer>> empty = new ArrayList<>();

  private final Map<Integer, Integer> lineOf = new HashMap<>();
  private final Set<Integer> resident = new HashSet<>();
  private final Set<Integer> onHost = new HashSet<>();
  private final Set<Integer> valued = new HashSet<>();
  private final Set<Integer> written = new HashSet<>();
  private final Set<Integer> missed = new HashSet<>();
  private final Set<Integer> replacing = new HashSet<>();
  private final Set<Integer> locked = new LinkedHashSet<>();
  private AccessQueue queue = AccessQueue.builder().build();
  private RetentionPlan plan;
  private int step;

  /** The first step whose uses lie ahead. */
  private int ahead;

  private int onlySet = -1;

  NaiveCache(AccessTrace trace, MemHCOptions options) {
    this.trace = trace;
    this.options = options;
    policy = EvictionPolicies.create(options.policy());
    policy.open(this, options.seed());
    draws = new SplittableRandom(options.seed());
    Organization organization = options.organization();
    hasLines = options.lines() > 0 || organization.ways() > 0;
    long largest = IntStream.range(0, trace.elements()).mapToLong(this::bytes).max().orElse(1);
    long lines = options.lines() > 0 ? options.lines() : options.budgetBytes() / largest;
    int ways = organization.ways();
    boolean oneSet = ways == 0 || lines <= ways;
    sets = oneSet ? 1 : nearestPrime(lines / (double) ways);
    perSet = (int) Math.max(1, oneSet ? lines : ways);
    for (int set = 0; set < sets; set++) {
      empty.add(new ArrayDeque<>());
      for (int k = 0; k < perSet; k++) {
        empty.get(set).addLast(set * perSet + k);
      }
    }
    for (AccessQueue each : trace.queues()) {
      run(each);
    }
  }

  /** Prime numbers n for which 2⁶⁴ mod n is not 1; the smaller of two at one distance. */
  private static int nearestPrime(double number) {
    int best = 2;
    for (int n = 2; n < 2 * number + 10; n++) {
      BigInteger big = BigInteger.valueOf(n);
      boolean usable = big.isProbablePrime(50) && !WORD.mod(big).equals(BigInteger.ONE);
      if (usable && Math.abs(n - number) < Math.abs(best - number)) {
        best = n;
      }
    }
    return best;
  }

  private int set(int element) {
    BigInteger key = BigInteger.valueOf(element).multiply(GOLDEN).mod(WORD);
    if (options.organization().byAddress()) {
      key = BigInteger.valueOf(IntStream.range(0, element).mapToLong(this::bytes).sum());
    }
    return key.mod(BigInteger.valueOf(sets)).intValue();
  }

  private void count(String name, long more) {
    counters.merge(name, more, Long::sum);
  }

  private void run(AccessQueue next) {
    queue = next;
    ahead = 0;
    if (policy.plansAhead()) {
      UseIntervals uses =
          new UseIntervals(this::bytes, this::isInput, queue, options.budgetBytes());
      plan = RetentionSearch.plan(uses, 0, Math.min(60_000_000, 100L * queue.accesses()));
    }
    policy.rescheduled();
    int vector = 0;
    for (step = 0; step < queue.steps(); step++) {
      while (queue.vectorStart(vector + 1) <= step) {
        vector++;
      }
      if (queue.vectorStart(vector) == step) {
        int from = queue.firstAccess(step);
        int to = queue.firstAccess(queue.vectorStart(vector + 1));
        policy.beginVector(IntStream.range(from, to).map(queue::element).toArray(), to - from);
      }
      if (mustWait()) {
        launch();
        if (mustWait()) {
          throw new IllegalArgumentException("no room for step " + step);
        }
      }
      ahead = step + 1;
      use();
      if (queue.vectorStart(vector + 1) == step + 1) {
        launch();
      }
    }
    for (int element : queue.kept()) {
      save(element);
    }
    IntStream.range(0, trace.elements()).forEach(this::release);
  }

  private List<Integer> accesses() {
    return IntStream.range(queue.firstAccess(step), queue.firstAccess(step + 1))
        .mapToObj(queue::element)
        .toList();
  }

  /** Whether the batch that has begun is launched before this step. */
  private boolean mustWait() {
    Set<Integer> with = new HashSet<>(locked);
    with.addAll(accesses());
    if (with.stream().mapToLong(this::bytes).sum() > options.budgetBytes()) {
      return true;
    }
    if (locked.isEmpty()) {
      return false;
    }
    Set<Integer> missing = new HashSet<>(accesses());
    missing.removeAll(resident);
    long room = options.budgetBytes() - residentBytes();
    if (options.liveness() && missing.stream().mapToLong(this::bytes).sum() > room) {
      return true;
    }
    return hasLines
        && missing.stream()
            .anyMatch(
                element ->
                    missing.stream().filter(other -> set(other) == set(element)).count()
                        > empty.get(set(element)).size());
  }

  private void use() {
    int outputs = queue.firstOutput(step) - queue.firstAccess(step);
    List<Integer> accesses = accesses();
    List<Integer> results = accesses.subList(outputs, accesses.size());
    Set<Integer> wanted = new LinkedHashSet<>(accesses);
    wanted.removeAll(locked);
    if (!options.lateLocks()) {
      locked.addAll(wanted);
    }
    for (int element : wanted) {
      locked.add(element);
      if (!resident.contains(element)) {
        bringIn(element, queue.overwrites(step) && results.contains(element));
      } else if (options.lateLocks()) {
        policy.accessed(element);
      }
    }
    for (int k = 0; k < accesses.size(); k++) {
      int element = accesses.get(k);
      boolean known = valued.contains(element) || written.contains(element);
      boolean added = k >= outputs && known && !queue.overwrites(step);
      count("uncached_bytes", (added ? 2 : 1) * bytes(element));
      if (k >= outputs) {
        written.add(element);
      }
      boolean miss = missed.remove(element);
      count(miss ? "misses" : "hits", 1);
      count(miss ? "miss_bytes" : "hit_bytes", bytes(element));
      Outcome outcome = replacing.contains(element) ? Outcome.REPLACE : Outcome.FREE;
      outcome = lineOf.getOrDefault(element, 0) == TEMPORARY ? Outcome.FULL : outcome;
      outcomes.merge(miss ? outcome : Outcome.HIT, bytes(element), Long::sum);
      if (!miss && !options.lateLocks()) {
        policy.accessed(element);
      }
    }
  }

  private void bringIn(int element, boolean overwritten) {
    long before = counters.getOrDefault("evictions", 0L);
    if (hasLines) {
      lineOf.put(element, line(element));
    }
    while (residentBytes() + bytes(element) > options.budgetBytes()) {
      evict(policy.victimFor(element));
    }
    replacing.remove(element);
    if (counters.getOrDefault("evictions", 0L) > before) {
      replacing.add(element);
    }
    missed.add(element);
    resident.add(element);
    policy.inserted(element);
    if (isInput(element) || (onHost.contains(element) && !overwritten)) {
      count("bytes_to_device", bytes(element));
    }
  }

  /** A line of the element's set, or any that is not locked, or none. */
  private int line(int element) {
    int set = set(element);
    if (empty.get(set).isEmpty()) {
      onlySet = set;
      int victim = policy.victimFor(element);
      onlySet = -1;
      if (victim == NONE) {
        return drawnLine();
      }
      evict(victim);
    }
    return empty.get(set).removeFirst();
  }

  private int drawnLine() {
    int drawn = TEMPORARY;
    int seen = 0;
    for (int line = 0; line < sets * perSet; line++) {
      int holder = holder(line);
      if (holder == NONE || evictable(holder)) {
        seen++;
        drawn = draws.nextInt(seen) == 0 ? line : drawn;
      }
    }
    if (drawn != TEMPORARY) {
      if (holder(drawn) != NONE) {
        evict(holder(drawn));
      }
      empty.get(drawn / perSet).remove((Integer) drawn);
    }
    return drawn;
  }

  private int holder(int line) {
    return lineOf.entrySet().stream()
        .filter(entry -> entry.getValue() == line)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(NONE);
  }

  private void evict(int element) {
    if (element == NONE) {
      throw new IllegalStateException("nothing may leave");
    }
    count("evictions", 1);
    count("evicted_bytes", bytes(element));
    if (nextUse(element) == AccessQueue.NEVER) {
      count("dead_evictions", 1);
      onHost.remove(element);
      valued.remove(element);
    } else if (valued.contains(element) && !onHost.contains(element)) {
      count("dirty_evictions", 1);
      save(element);
    }
    leave(element, true);
  }

  private void leave(int element, boolean evicted) {
    resident.remove(element);
    missed.remove(element);
    policy.removed(element, evicted);
    int line = lineOf.getOrDefault(element, TEMPORARY);
    if (line >= 0) {
      empty.get(line / perSet).addFirst(line);
    }
    lineOf.remove(element);
  }

  private void save(int element) {
    if (valued.contains(element) && onHost.add(element)) {
      count("bytes_to_host", bytes(element));
    }
  }

  private void release(int element) {
    onHost.remove(element);
    valued.remove(element);
    if (resident.contains(element)) {
      leave(element, false);
    }
  }

  private void launch() {
    List<Integer> batch = new ArrayList<>(locked);
    locked.clear();
    for (int element : batch) {
      if (written.remove(element)) {
        valued.add(element);
        onHost.remove(element);
        if (options.writePolicy() == WritePolicy.THROUGH) {
          save(element);
        }
      }
      if (options.liveness() && nextUse(element) == AccessQueue.NEVER) {
        release(element);
      }
    }
    batch.stream().filter(e -> lineOf.getOrDefault(e, 0) == TEMPORARY).forEach(this::evict);
  }

  private long residentBytes() {
    return resident.stream().mapToLong(this::bytes).sum();
  }

  private boolean isInput(int element) {
    return trace.input()[element];
  }

  @Override
  public long bytes(int element) {
    return trace.shapes().get(trace.shapeOf()[element]).bytes();
  }

  @Override
  public boolean evictable(int element) {
    return resident.contains(element)
        && !locked.contains(element)
        && (onlySet < 0 || lineOf.getOrDefault(element, TEMPORARY) / perSet == onlySet);
  }

  @Override
  public int nextUse(int element) {
    for (int later = ahead; later < queue.steps(); later++) {
      for (int k = queue.firstAccess(later); k < queue.firstAccess(later + 1); k++) {
        if (queue.element(k) == element) {
          return later;
        }
      }
    }
    return Arrays.stream(queue.kept()).anyMatch(kept -> kept == element)
        ? queue.steps()
        : AccessQueue.NEVER;
  }

  @Override
  public int clock() {
    return step;
  }

  @Override
  public long evictionCost(int element) {
    boolean copied = isInput(element) || (onHost.contains(element) && !written.contains(element));
    return nextUse(element) == AccessQueue.NEVER ? 0 : (copied ? 1 : 2) * bytes(element);
  }

  @Override
  public boolean plannedToStay(int element) {
    for (int k = queue.firstAccess(ahead) - 1; k >= 0; k--) {
      if (plan != null && queue.element(k) == element) {
        return plan.stays(k);
      }
    }
    return false;
  }
}
