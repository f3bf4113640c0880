package org.starlingqcd.backend;

/**
 * A queue of device work: what is put into one stream runs in order, different streams may overlap.
 */
public interface DeviceStream {}
