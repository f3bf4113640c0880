package org.starlingqcd.hadron.input;

/**
 * What a load of a block is for.
 *
 * @param user whoever loads it; one that equals it releases it
 * @param again whether the same user loads it again before {@link InputStore#release}
 * @param later whether a later source of the configuration loads the block
 */
public record Use(Object user, boolean again, boolean later) {}
