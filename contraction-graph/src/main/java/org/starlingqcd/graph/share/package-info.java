/**
 * Which of several places computes which steps of an execution queue, and which elements move
 * between them. A place is a device with memory of its own; this package knows no devices.
 */
package org.starlingqcd.graph.share;
