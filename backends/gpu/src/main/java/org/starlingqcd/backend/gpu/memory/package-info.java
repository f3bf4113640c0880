/**
 * Blocks of device memory as elements, streams, events, staging buffers and the workspace. What is
 * launched into a stream is decided above.
 */
package org.starlingqcd.backend.gpu.memory;
