/*
 * hiprtc and modules on the fake device: whatever source is compiled, the kernels that run are those
 * of starling_kernels.h, compiled here. A block's threads run one after the other between barriers,
 * and every access is resolved and checked as those of library calls are.
 */
#include <cmath>
#include <cstring>
#include <set>

#include "fake_device.h"

using fake::Device;
using fake::Touch;

namespace {

using std::fma;

struct Fault {};

thread_local Touch *touching = nullptr;
thread_local long long block = 0;

char *checked(char *shadow) {
  if (!shadow) throw Fault();
  return shadow;
}

void *at(uint64_t address) { return reinterpret_cast<void *>(address); }

#define STARLING_ON_HOST
#define STARLING_BLOCK block
#define STARLING_TABLE(type, address, index)                                              \
  reinterpret_cast<const type *>(checked(touching->device(                               \
      at((address) + sizeof(type) * static_cast<uint64_t>(index)), sizeof(type), false)))
#define STARLING_ROWS(type, address, rows, width, leading) \
  reinterpret_cast<const type *>(                          \
      checked(touching->matrix(at(address), width, rows, leading, false, sizeof(type))))
#define STARLING_WRITTEN(type, address, rows, width, leading) \
  reinterpret_cast<type *>(                                   \
      checked(touching->matrix(at(address), width, rows, leading, true, sizeof(type))))
#define STARLING_RESULT(address)        \
  reinterpret_cast<starling_complex *>( \
      checked(touching->device(at(address), sizeof(starling_complex), true)))
#include "starling_kernels.h"

using Arguments = std::vector<int64_t>;

struct Function {
  const char *name;
  unsigned int threads;
  size_t arguments;
  void (*run)(const Arguments &);
};

const Function FUNCTIONS[] = {
    {"starling_trace_pieces", 256, 6,
     [](const Arguments &a) { starling_trace_pieces(a[0], a[1], a[2], a[3], a[4], a[5]); }},
    {"starling_trace_pieces_single", 256, 6,
     [](const Arguments &a) { starling_trace_pieces_single(a[0], a[1], a[2], a[3], a[4], a[5]); }},
    {"starling_diagonals_single", 256, 5,
     [](const Arguments &a) { starling_diagonals_single(a[0], a[1], a[2], a[3], a[4]); }},
    {"starling_trace_sums", 64, 3,
     [](const Arguments &a) { starling_trace_sums(a[0], a[1], a[2]); }},
    {"starling_spin_sums", 256, 3,
     [](const Arguments &a) { starling_spin_sums(a[0], a[1], a[2]); }},
    {"starling_spin_sums_single", 256, 3,
     [](const Arguments &a) { starling_spin_sums_single(a[0], a[1], a[2]); }},
    {"starling_diagonals", 256, 5,
     [](const Arguments &a) { starling_diagonals(a[0], a[1], a[2], a[3], a[4]); }},
};

struct Program {
  std::string source;
  bool compiled;
};

const char LOG[] = "starling_kernels.hip:1: as the fake compiler was told";

enum { HIPRTC_SUCCESS = 0, HIPRTC_COMPILATION = 6, INVALID_IMAGE = 200, NOT_FOUND = 500 };

}  // namespace

extern "C" {

hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *, int,
                                 const char *const *, const char *const *) {
  if (int injected = Device::get().enter("hiprtcCreateProgram")) return injected;
  *program = new Program{source, false};
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int, const char *const *) {
  if (int injected = Device::get().enter("hiprtcCompileProgram")) return injected;
  auto p = static_cast<Program *>(program);
  p->compiled = true;
  for (const Function &f : FUNCTIONS) {
    p->compiled = p->compiled && p->source.find(f.name) != std::string::npos;
  }
  return p->compiled ? HIPRTC_SUCCESS : HIPRTC_COMPILATION;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram, size_t *size) {
  if (int injected = Device::get().enter("hiprtcGetProgramLogSize")) return injected;
  *size = sizeof LOG;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram, char *log) {
  if (int injected = Device::get().enter("hiprtcGetProgramLog")) return injected;
  strcpy(log, LOG);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size) {
  if (int injected = Device::get().enter("hiprtcGetCodeSize")) return injected;
  *size = static_cast<Program *>(program)->source.size() + 1;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code) {
  if (int injected = Device::get().enter("hiprtcGetCode")) return injected;
  strcpy(code, static_cast<Program *>(program)->source.c_str());
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program) {
  delete static_cast<Program *>(*program);
  *program = nullptr;
  return Device::get().enter("hiprtcDestroyProgram");
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  if (int injected = Device::get().enter("hipModuleLoadData")) return injected;
  if (!strstr(static_cast<const char *>(image), "starling_trace_pieces")) return INVALID_IMAGE;
  *module = Device::get().createHandle();
  return 0;
}

hipError_t hipModuleUnload(hipModule_t module) {
  if (int injected = Device::get().enter("hipModuleUnload")) return injected;
  return Device::get().destroyHandle(module);
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  if (int injected = Device::get().enter("hipModuleGetFunction")) return injected;
  if (!Device::get().knownHandle(module)) return STARLING_HIP_INVALID_HANDLE;
  for (const Function &f : FUNCTIONS) {
    if (!strcmp(f.name, name)) {
      *function = const_cast<Function *>(&f);
      return 0;
    }
  }
  return NOT_FOUND;
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int blocksX, unsigned int blocksY,
                                 unsigned int blocksZ, unsigned int threadsX, unsigned int threadsY,
                                 unsigned int threadsZ, unsigned int sharedBytes,
                                 hipStream_t stream, void **parameters, void **) {
  if (int injected = Device::get().enter("hipModuleLaunchKernel")) return injected;
  if (Device::get().sticky()) return Device::get().sticky();
  auto f = static_cast<const Function *>(function);
  if (blocksX < 1 || blocksX > 0x7fffffff || blocksY != 1 || blocksZ != 1 ||
      threadsX != f->threads || threadsY != 1 || threadsZ != 1 || sharedBytes != 0) {
    Device::get().complain(std::string(f->name) + ": launched with a wrong shape");
    return STARLING_HIP_INVALID_VALUE;
  }
  Arguments arguments;
  for (size_t k = 0; k < f->arguments; k++) {
    arguments.push_back(*static_cast<int64_t *>(parameters[k]));
  }
  return Device::get().submit(static_cast<fake::Stream *>(stream), f->name,
                              [=](Touch &touch) -> std::function<void()> {
                                touching = &touch;
                                try {
                                  for (block = 0; block < blocksX; block++) f->run(arguments);
                                } catch (const Fault &) {
                                  /* reported by whoever resolved the address */
                                }
                                touching = nullptr;
                                return nullptr;
                              });
}

}  // extern "C"
