package org.starlingqcd.correlators.run;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.WritePolicy;

/**
 * How MemHC keeps elements on the device; results do not depend on it.
 *
 * @param organization which lines an element may take
 * @param lines number of lines; 0: as many as the budget has room for the largest element, and with
 *     the full organization any number
 * @param write when results are copied to the host
 */
public record CacheSettings(
    Organization organization, int lines, WritePolicy write, TierSettings tiers) {
  /** No lines; results stay on the device until they have to leave. */
  public static CacheSettings defaults() {
    return new CacheSettings(Organization.FULL, 0, WritePolicy.BACK, new TierSettings());
  }

  /**
   * Settings from what a user typed.
   *
   * @param lines null: not given
   * @throws InputException when a name is unknown or a number out of range
   */
  public static CacheSettings parse(
      String organization, @Nullable Integer lines, String write, TierSettings tiers) {
    if (lines != null && lines < 1) {
      throw new InputException("--lines must be at least 1, not " + lines);
    }
    try {
      Organization parsed = Organization.parse(organization);
      return new CacheSettings(parsed, lines == null ? 0 : lines, WritePolicy.parse(write), tiers);
    } catch (IllegalArgumentException unknown) {
      throw new InputException(String.valueOf(unknown.getMessage()), unknown);
    }
  }

  /** Options of MemHC with these settings, but for tiers, which depend on the device. */
  public MemHCOptions applyTo(MemHCOptions options) {
    return options.withOrganization(organization, lines).withWritePolicy(write);
  }
}
