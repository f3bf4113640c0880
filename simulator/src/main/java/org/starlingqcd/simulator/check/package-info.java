/**
 * What `starling gpu-check` does with a device: the contract of devices, reference correlators, and
 * rates next to the plain products of the device's own library. Knows devices only through {@code
 * org.starlingqcd.backend}.
 */
package org.starlingqcd.simulator.check;
