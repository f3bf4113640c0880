package org.starlingqcd.graph.plan;

/** How two lines between a sink and a source baryon are contracted ({@link BaryonPart}). */
public enum BaryonScheme {
  /** For each pair of lines the one of the last two that makes the whole plan cheapest. */
  AUTOMATIC,
  /** All spin components, one line attached to either baryon. */
  DIQUARK_BLOCKS,
  /** The spin sums asked for, both lines attached to the sink. */
  SINK_ATTACHED,
  /** The spin sums asked for, both lines attached to the source. */
  SOURCE_ATTACHED;

  public boolean isAttached() {
    return this == SINK_ATTACHED || this == SOURCE_ATTACHED;
  }
}
