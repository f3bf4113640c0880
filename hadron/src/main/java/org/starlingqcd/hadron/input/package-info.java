/**
 * How long input blocks stay in host memory: read ahead of their use, kept for a second use, shared
 * between the sources of a configuration. All of it reserves memory from one budget. Reading the
 * files themselves belongs in {@code hadron.data}.
 */
package org.starlingqcd.hadron.input;
