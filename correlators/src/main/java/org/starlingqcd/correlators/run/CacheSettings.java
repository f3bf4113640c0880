package org.starlingqcd.correlators.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.tier.TierSettings;
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
 * @param tiers two tiers of memory
 */
public record CacheSettings(
    Organization organization, int lines, WritePolicy write, TierSettings tiers) {
  /** No lines; results stay on the device until they have to leave. */
  public static CacheSettings defaults() {
    return new CacheSettings(Organization.FULL, 0, WritePolicy.BACK, TierSettings.none());
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
      throw new InputException("--lines must be >= 1: " + lines);
    }
    try {
      return new CacheSettings(
          Organization.parse(organization),
          lines == null ? 0 : lines,
          WritePolicy.parse(write),
          tiers);
    } catch (IllegalArgumentException unknown) {
      throw new InputException(String.valueOf(unknown.getMessage()), unknown);
    }
  }

  /** Options of MemHC with these settings, but for tiers, which depend on the device. */
  public MemHCOptions applyTo(MemHCOptions options) {
    return options.withOrganization(organization, lines).withWritePolicy(write);
  }

  /** The settings that differ from the defaults, under their names in a settings file. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (organization.ways() > 0) {
      map.put("organization", organization.label());
    }
    if (lines > 0) {
      map.put("lines", lines);
    }
    if (write != WritePolicy.BACK) {
      map.put("write", write.label());
    }
    map.putAll(tiers.describe());
    return map;
  }
}
