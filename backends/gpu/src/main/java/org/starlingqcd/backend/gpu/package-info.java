/**
 * The common part of CUDA and HIP: the device, its layout of elements, contractions and traces as
 * few batched matrix products, pointer arrays, the workspace. The vendors' libraries are behind
 * {@link org.starlingqcd.backend.gpu.library.GpuLibrary}. Nothing here loads native code or depends
 * on physics, files or the memory manager.
 */
package org.starlingqcd.backend.gpu;
