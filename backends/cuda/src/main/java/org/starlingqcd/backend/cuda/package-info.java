/**
 * NVIDIA GPUs through JCuda, JCublas and JCurand. The part shared with other vendors is in {@code
 * org.starlingqcd.backend.gpu}.
 */
package org.starlingqcd.backend.cuda;
