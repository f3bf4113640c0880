/**
 * The interface of devices: memory, copies, streams and events, batched contractions, traces,
 * random numbers, matrix calls. Nothing here depends on physics, files or the memory manager.
 * Implementations are found through {@link java.util.ServiceLoader}.
 */
package org.starlingqcd.backend;
