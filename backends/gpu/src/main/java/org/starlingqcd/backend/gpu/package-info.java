/**
 * What CUDA and HIP have in common: the device, its layout of elements, contractions and traces as
 * few batched matrix products, pointer arrays, the workspace. The two vendors' libraries are behind
 * {@link org.starlingqcd.backend.gpu.library.GpuLibrary}; nothing here loads native code, and
 * nothing here knows physics, files or the memory manager.
 */
package org.starlingqcd.backend.gpu;
