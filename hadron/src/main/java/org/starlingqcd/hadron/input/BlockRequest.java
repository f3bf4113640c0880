package org.starlingqcd.hadron.input;

import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.Rows;

/**
 * An input, or rows of it, that somebody loads.
 *
 * @param rows of its first index, or all
 * @param user whoever loads it; one that equals it releases it
 * @param again whether the same user loads it again before it is released
 * @param later whether a later source of the configuration loads the input
 */
public record BlockRequest(Input input, Rows rows, Object user, boolean again, boolean later) {}
