package org.starlingqcd.analysis.precision;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What single precision changes in a matrix element at a separation.
 *
 * @param sink name of the sink operator i
 * @param source name of the source operator j
 * @param separation dt
 * @param relative {@code |C_ij(single) - C_ij(double)| / √|C_ii C_jj|}; NaN where the denominator
 *     is zero
 * @param statistical the same difference over the statistical error of the mean; NaN where that is
 *     not known
 */
public record ElementError(
    String sink, String source, int separation, double relative, double statistical) {
  /** The object of JSON; numbers that are not known are left out. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("sink", sink);
    map.put("source", source);
    map.put("separation", separation);
    if (!Double.isNaN(relative)) {
      map.put("relative", relative);
    }
    if (!Double.isNaN(statistical)) {
      map.put("statistical", statistical);
    }
    return map;
  }
}
