package org.starlingqcd.hadron.convention;

import java.util.List;

/** A test that collects values configuration by configuration. */
interface Measurement {
  /** Adds the values of one configuration. */
  void add(Blocks blocks);

  /** What the values so far say. */
  List<Finding> findings();
}
