/**
 * What a device is: memory, copies, streams and events, batched contractions, traces, random
 * numbers. Nothing here knows physics, files or the memory manager; implementations are found
 * through {@link java.util.ServiceLoader}.
 */
package org.starlingqcd.backend;
