/** The CUDA backend: JCuda, JCublas, JCurand. */
package org.starlingqcd.backend.cuda;
