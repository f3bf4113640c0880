package org.starlingqcd.analysis.exchange;

import java.util.List;
import org.starlingqcd.analysis.CorrelatorData;

/** Averages of one configuration, from which every format is written. */
final class ConfigurationMatrix {
  private final CorrelatorData data;
  private final CorrelatorData.Configuration configuration;

  ConfigurationMatrix(CorrelatorData data, CorrelatorData.Configuration configuration) {
    this.data = data;
    this.configuration = configuration;
  }

  static List<ConfigurationMatrix> of(CorrelatorData data) {
    return data.configurations().stream().map(c -> new ConfigurationMatrix(data, c)).toList();
  }

  int number() {
    return configuration.number();
  }

  /**
   * C_ij, averaged over the sources of the configuration.
   *
   * @param part 0 for the real part, 1 for the imaginary part
   */
  double value(int part, int separation, int sink, int source) {
    int index = (separation * data.size() + sink) * data.size() + source;
    return configuration.sum()[2 * index + part] / configuration.sourceTimes().size();
  }

  /** ⟨O_i⟩, averaged over the time slices of the configuration. */
  double onePoint(int part, int operator) {
    int times = configuration.onePointTimes().size();
    double sum = 0;
    for (int t = 0; t < times; t++) {
      sum += configuration.onePoint()[2 * (t * data.size() + operator) + part];
    }
    return sum / times;
  }
}
