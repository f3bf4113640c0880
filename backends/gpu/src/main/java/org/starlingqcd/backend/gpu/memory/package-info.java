/**
 * Blocks of device memory as elements, streams, events, staging buffers and the workspace. Nothing
 * here launches products.
 */
package org.starlingqcd.backend.gpu.memory;
