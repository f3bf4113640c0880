/*
 * A libcublas.so.12 for machines that have CUDA 13 alone: the functions of cuBLAS that Starling calls
 * through JCublas, handed on to libcublas.so.13, whose interface of these functions is the same. Each
 * jumps to its target with all arguments where they are. docs/gpu.md tells how it is built.
 */
#include <dlfcn.h>
#include <stdio.h>

#define FUNCTIONS(X)                                                                               \
  X(cublasCreate_v2) X(cublasDestroy_v2) X(cublasSetStream_v2) X(cublasSetPointerMode_v2)          \
  X(cublasZgemm_v2) X(cublasZgemmBatched) X(cublasZgemmStridedBatched) X(cublasZgemvBatched)       \
  X(cublasZgemvStridedBatched) X(cublasZgeam) X(cublasCgemm_v2) X(cublasCgemmBatched)              \
  X(cublasCgemmStridedBatched) X(cublasCgemvBatched) X(cublasCgemvStridedBatched)

/* What is answered where there is no cuBLAS 13: CUBLAS_STATUS_NOT_INITIALIZED. */
static int missing(void) { return 1; }

#define X(name)                                                                                    \
  __attribute__((visibility("hidden"))) void *target_##name = (void *)missing;                     \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n\tjmp *target_" #name         \
          "(%rip)\n.size " #name ", .-" #name "\n");
FUNCTIONS(X)
#undef X

__attribute__((constructor)) static void resolve(void) {
  static const char *const names[] = {"libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.13"};
  void *library = NULL;
  for (int k = 0; k < 2 && !library; k++) library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "starling: libcublas.so.12 forwards to libcublas.so.13: %s\n", dlerror());
    return;
  }
#define X(name)                                                                                    \
  do {                                                                                             \
    void *found = dlsym(library, #name);                                                           \
    if (found) target_##name = found;                                                              \
  } while (0);
  FUNCTIONS(X)
#undef X
}
