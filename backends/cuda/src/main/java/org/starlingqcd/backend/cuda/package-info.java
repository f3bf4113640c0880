/**
 * NVIDIA GPUs through JCuda, JCublas and JCurand. What is not CUDA's alone is in {@code
 * org.starlingqcd.backend.gpu}.
 */
package org.starlingqcd.backend.cuda;
