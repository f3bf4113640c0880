/*
 * A libcuda.so.1 that prints what is launched. It has the functions that kernels need, with the C
 * interface of the driver, and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
enum { SUCCESS = 0, INVALID_IMAGE = 200, NOT_FOUND = 500 };

struct kernel {
  const char *name;
  int parameters;
};

static const struct kernel KERNELS[] = {
    {"starling_trace_pieces", 6}, {"starling_trace_sums", 3}, {"starling_diagonals", 5},
    {"starling_trace_pieces_single", 6}, {"starling_diagonals_single", 5},
    {"starling_spin_sums", 3}, {"starling_spin_sums_single", 3}};

CUresult cuInit(unsigned int flags) { return flags == 0 ? SUCCESS : 1; }

CUresult cuModuleLoadData(void **module, const void *image) {
  if (!strstr(image, ".visible .entry starling_trace_pieces(")) return INVALID_IMAGE;
  *module = strdup(image);
  return SUCCESS;
}

CUresult cuModuleUnload(void *module) {
  free(module);
  puts("unloaded");
  fflush(stdout);
  return SUCCESS;
}

CUresult cuModuleGetFunction(void **function, void *module, const char *name) {
  char entry[100];
  snprintf(entry, sizeof entry, ".visible .entry %s(", name);
  for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
    if (!strcmp(KERNELS[k].name, name) && strstr(module, entry)) {
      *function = (void *)&KERNELS[k];
      return SUCCESS;
    }
  }
  return NOT_FOUND;
}

CUresult cuLaunchKernel(void *function, unsigned int blocksX, unsigned int blocksY,
                        unsigned int blocksZ, unsigned int threadsX, unsigned int threadsY,
                        unsigned int threadsZ, unsigned int shared, void *stream,
                        void **parameters, void **extra) {
  const struct kernel *kernel = function;
  printf("%s %u,%u,%u %u,%u,%u %u %s:", kernel->name, blocksX, blocksY, blocksZ, threadsX, threadsY,
         threadsZ, shared, extra ? "extra" : "none");
  for (int k = 0; k < kernel->parameters; k++) printf(" %lld", *(long long *)parameters[k]);
  puts("");
  fflush(stdout);
  (void)stream;
  return SUCCESS;
}
