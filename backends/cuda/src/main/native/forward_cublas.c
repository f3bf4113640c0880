/*
 * A libcublas.so.12 for machines that have CUDA 13 alone: all functions of cuBLAS that JCublas imports,
 * handed on to libcublas.so.13, whose interface of these functions is the same. Each jumps to its target
 * with all arguments where they are. The build of the program makes the library.
 */
#include <dlfcn.h>

/* The oldest versions, so that the library loads where the C library is older than here. */
#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver dlopen,dlopen@GLIBC_2.2.5\n.symver dlsym,dlsym@GLIBC_2.2.5");
#endif

/* CUBLAS_STATUS_NOT_INITIALIZED where there is no cuBLAS 13, CUBLAS_STATUS_NOT_SUPPORTED for a function that it lacks. */
static int absent(void) { return 1; }
static int missing(void) { return 15; }

#define X(name)                                                                                    \
  __attribute__((visibility("hidden"))) void *target_##name = (void *)absent;                      \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n\tjmp *target_" #name         \
          "(%rip)\n.size " #name ", .-" #name "\n");
#include "forward_cublas.h"
#undef X

__attribute__((constructor)) static void resolve(void) {
  void *library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  void *found;
#define X(name) target_##name = (found = dlsym(library, #name)) ? found : (void *)missing;
#include "forward_cublas.h"
#undef X
}
