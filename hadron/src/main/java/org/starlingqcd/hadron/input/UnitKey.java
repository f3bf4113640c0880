package org.starlingqcd.hadron.input;

/**
 * A unit of work: one configuration and source.
 *
 * @param configuration number of the configuration
 * @param source source time
 */
public record UnitKey(int configuration, int source) {}
