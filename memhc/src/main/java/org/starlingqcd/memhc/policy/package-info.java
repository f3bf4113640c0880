/**
 * The eviction policies, one file each, found through {@link java.util.ServiceLoader}. They know
 * element numbers and what {@link Residency} answers; no data, no device.
 */
package org.starlingqcd.memhc.policy;
