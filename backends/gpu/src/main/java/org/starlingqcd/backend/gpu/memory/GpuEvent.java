package org.starlingqcd.backend.gpu.memory;

import org.starlingqcd.backend.DeviceEvent;

/**
 * A mark in a stream. The marks of a stream are numbered. Once one is reached, so are all before
 * it, and their native events are reused. The handle of a mark that is known to be reached may
 * therefore belong to a later mark; {@link GpuStream} takes care of that.
 */
public record GpuEvent(GpuStream stream, long number, long handle) implements DeviceEvent {}
