package org.starlingqcd.backend.gpu.memory;

import org.starlingqcd.backend.DeviceEvent;

/**
 * A mark in a stream. Marks of a stream are numbered; once one is reached so are all before it, and
 * their native events serve again. The handle of a mark that is known to be reached is therefore no
 * longer its own, which {@link GpuStream} minds.
 */
public record GpuEvent(GpuStream stream, long number, long handle) implements DeviceEvent {}
