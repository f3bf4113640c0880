/**
 * Copies between files, host memory and the device: staging, host copies, the spill file. What is
 * copied, and when, is decided elsewhere.
 */
package org.starlingqcd.memhc.transfer;
