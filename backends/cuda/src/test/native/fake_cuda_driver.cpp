/*
 * A libcuda.so.1 with the functions that kernels need, on the fake device. What arrives here has
 * passed through JCudaDriver's own native code.
 */
#include <cstring>

#include "hip_api.h"

extern "C" {

int cuInit(unsigned int flags) { return flags == 0 ? 0 : 1; }

/* A cubin is an ELF file for the machine 190. The fake device has the kernels' code in any case. */
int cuModuleLoadData(void **module, const void *image) {
  static const char elf[] = "\177ELF";
  const bool cubin = !memcmp(image, elf, 4) && static_cast<const unsigned char *>(image)[18] == 190;
  return hipModuleLoadData(module, cubin ? "starling_trace_pieces" : image);
}

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
