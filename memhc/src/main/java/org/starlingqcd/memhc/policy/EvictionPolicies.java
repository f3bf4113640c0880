package org.starlingqcd.memhc.policy;

import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** The eviction policies by name: the built-in ones and those that users add to the class path. */
public final class EvictionPolicies {
  /** Looked for once, in every jar. */
  private static final class All {
    static final List<String> NAMES = find();
  }

  private EvictionPolicies() {}

  /** Names of all policies, sorted. */
  public static List<String> names() {
    return All.NAMES;
  }

  private static List<String> find() {
    TreeSet<String> names = new TreeSet<>();
    for (EvictionPolicy policy : ServiceLoader.load(EvictionPolicy.class)) {
      names.add(policy.name());
    }
    return List.copyOf(names);
  }

  /**
   * Makes a new policy.
   *
   * @throws IllegalArgumentException when the name is unknown; the message lists the names
   */
  public static EvictionPolicy create(String name) {
    for (EvictionPolicy policy : ServiceLoader.load(EvictionPolicy.class)) {
      if (policy.name().equals(name)) {
        return policy;
      }
    }
    throw new IllegalArgumentException(
        "unknown eviction policy \"" + name + "\"; known policies: " + String.join(", ", names()));
  }
}
