package org.starlingqcd.correlators.cli.option;

import java.util.Iterator;
import org.starlingqcd.correlators.definition.ShippedDefinitions;
import org.starlingqcd.memhc.policy.EvictionPolicies;

/** The names that the shell completes where an option or a command asks for one of them. */
public final class KnownNames {
  private KnownNames() {}

  /** Eviction policies. */
  public static final class OfPolicies implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return EvictionPolicies.names().iterator();
    }
  }

  /** Definitions that come with the program. The shell completes files as well. */
  public static final class OfDefinitions implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return ShippedDefinitions.names().iterator();
    }
  }
}
