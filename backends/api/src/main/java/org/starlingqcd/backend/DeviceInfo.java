package org.starlingqcd.backend;

import java.util.Map;

/**
 * One device of a backend.
 *
 * @param index number of the device within its backend, from 0
 * @param name the vendor's name of the device
 * @param totalBytes memory of the device
 * @param freeBytes memory that was free when the device was probed
 * @param details further facts in the order in which they are printed: versions, core type, threads
 */
public record DeviceInfo(
    int index, String name, long totalBytes, long freeBytes, Map<String, String> details) {}
