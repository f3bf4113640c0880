/*
 * A libcuda.so.1 with the functions that kernels need, on the fake device. What arrives here has
 * passed through JCudaDriver's own native code.
 */
#include "hip_api.h"

extern "C" {

int cuInit(unsigned int flags) { return flags == 0 ? 0 : 1; }

int cuModuleLoadData(void **module, const void *image) { return hipModuleLoadData(module, image); }

int cuModuleUnload(void *module) { return hipModuleUnload(module); }

int cuModuleGetFunction(void **function, void *module, const char *name) {
  return hipModuleGetFunction(function, module, name);
}

int cuLaunchKernel(void *function, unsigned int blocksX, unsigned int blocksY, unsigned int blocksZ,
                   unsigned int threadsX, unsigned int threadsY, unsigned int threadsZ,
                   unsigned int shared, void *stream, void **parameters, void **extra) {
  return hipModuleLaunchKernel(function, blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ,
                               shared, stream, parameters, extra);
}

}  // extern "C"
