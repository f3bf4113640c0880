package org.starlingqcd.backend;

/** A queue of device work. Work in one stream runs in order; different streams may overlap. */
public interface DeviceStream {}
