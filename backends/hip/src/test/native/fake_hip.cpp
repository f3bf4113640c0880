/* The HIP runtime's C interface on the fake device. */
#include <cstdio>
#include <cstring>

#include "fake_device.h"

using fake::Device;
using fake::Touch;

/* Every call is counted, may be told to fail, and repeats the error of work that failed. */
#define ENTER(name)                                     \
  do {                                                  \
    int injected = Device::get().enter(name);           \
    if (injected) return injected;                      \
    if (Device::get().sticky()) return Device::get().sticky(); \
  } while (0)

/* Giving back goes on after work has failed, as it does on a GPU whose process ends in order. */
#define ENTER_RELEASE(name)                   \
  do {                                        \
    int injected = Device::get().enter(name); \
    if (injected) return injected;            \
  } while (0)

namespace {

enum Kind { HOST = 0, UP = 1, DOWN = 2, WITHIN = 3 };

/* Whether an end of a copy is on the device, where hostSide is the direction in which it is not. */
bool onDevice(int kind, int hostSide) { return kind != HOST && kind != hostSide; }

char *end(Touch &touch, const void *address, size_t bytes, bool onDevice, bool write) {
  return onDevice ? touch.device(address, bytes, write) : touch.host(address, bytes, write);
}

/* The host's part of a copy. */
std::vector<fake::Range> onHost(const void *target, const void *source, size_t bytes, int kind) {
  std::vector<fake::Range> ranges;
  const auto add = [&](const void *end, bool write) {
    const auto from = reinterpret_cast<uint64_t>(end);
    ranges.push_back({from, from + bytes, write});
  };
  if (!onDevice(kind, DOWN)) add(target, true);
  if (!onDevice(kind, UP)) add(source, false);
  return ranges;
}

fake::Stream *stream(hipStream_t handle) { return static_cast<fake::Stream *>(handle); }
fake::Event *event(hipEvent_t handle) { return static_cast<fake::Event *>(handle); }

}  // namespace

extern "C" {

hipError_t hipGetDeviceCount(int *count) {
  ENTER("hipGetDeviceCount");
  *count = Device::get().devices();
  return *count ? 0 : 100; /* hipErrorNoDevice */
}

hipError_t hipSetDevice(int device) {
  int injected = Device::get().enter("hipSetDevice", device);
  if (injected) return injected;
  return Device::get().setCurrent(device);
}

hipError_t hipDeviceGetName(char *name, int length, int device) {
  ENTER("hipDeviceGetName");
  if (device < 0 || device >= Device::get().devices()) return STARLING_HIP_INVALID_DEVICE;
  snprintf(name, length, "Fake device %d", device);
  return 0;
}

hipError_t hipDeviceGetPCIBusId(char *id, int length, int device) {
  ENTER("hipDeviceGetPCIBusId");
  snprintf(id, length, "0000:%02x:00.0", device);
  return 0;
}

hipError_t hipRuntimeGetVersion(int *version) {
  ENTER("hipRuntimeGetVersion");
  *version = 60342134;
  return 0;
}

hipError_t hipDriverGetVersion(int *version) {
  ENTER("hipDriverGetVersion");
  *version = 60342134;
  return 0;
}

hipError_t hipMemGetInfo(size_t *freeBytes, size_t *total) {
  ENTER("hipMemGetInfo");
  Device::get().memory(freeBytes, total);
  return 0;
}

const char *hipGetErrorName(hipError_t error) {
  switch (error) {
    case STARLING_HIP_OUT_OF_MEMORY:
      return "hipErrorOutOfMemory";
    case STARLING_HIP_INVALID_DEVICE:
      return "hipErrorInvalidDevice";
    case STARLING_HIP_ILLEGAL_ADDRESS:
      return "hipErrorIllegalAddress";
    case STARLING_HIP_UNKNOWN:
      return "hipErrorUnknown";
    default:
      return "hipError";
  }
}

const char *hipGetErrorString(hipError_t error) {
  return error == STARLING_HIP_OUT_OF_MEMORY ? "out of memory" : "as the fake device was told";
}

hipError_t hipGetLastError(void) { return Device::get().enter("hipGetLastError"); }

hipError_t hipMalloc(void **address, size_t bytes) {
  ENTER("hipMalloc");
  return Device::get().allocate(address, bytes, true);
}

hipError_t hipMallocManaged(void **address, size_t bytes, unsigned int flags) {
  ENTER("hipMallocManaged");
  if (flags != STARLING_HIP_ATTACH_GLOBAL) return STARLING_HIP_INVALID_VALUE;
  return Device::get().allocate(address, bytes, true, false, true);
}

hipError_t hipFree(void *address) {
  ENTER_RELEASE("hipFree");
  return Device::get().release(address, true);
}

hipError_t hipHostMalloc(void **address, size_t bytes, unsigned int flags) {
  ENTER("hipHostMalloc");
  return Device::get().allocate(address, bytes, false, (flags & 2) != 0);
}

hipError_t hipHostFree(void *address) {
  ENTER_RELEASE("hipHostFree");
  return Device::get().release(address, false);
}

hipError_t hipMemcpy2DAsync(void *target, size_t targetPitch, const void *source,
                            size_t sourcePitch, size_t width, size_t height, int kind,
                            hipStream_t queue) {
  ENTER("hipMemcpy2DAsync");
  if (kind < HOST || kind > WITHIN || width > targetPitch || width > sourcePitch)
    return STARLING_HIP_INVALID_VALUE;
  return Device::get().submit(
      stream(queue), "hipMemcpy2DAsync", [=](Touch &touch) -> std::function<void()> {
        std::vector<std::pair<char *, char *>> rows(height);
        for (size_t row = 0; row < height && !touch.failed; row++) {
          rows[row].first = end(touch, static_cast<char *>(target) + row * targetPitch, width,
                                onDevice(kind, DOWN), true);
          rows[row].second = end(touch, static_cast<const char *>(source) + row * sourcePitch,
                                 width, onDevice(kind, UP), false);
        }
        return [=] {
          for (auto &row : rows) memcpy(row.first, row.second, width);
        };
      },
      kind != WITHIN && (onDevice(kind, DOWN) || width == targetPitch) &&
              (onDevice(kind, UP) || width == sourcePitch)
          ? onHost(target, source, width * height, kind)
          : std::vector<fake::Range>());
}

hipError_t hipMemcpyAsync(void *target, const void *source, size_t bytes, int kind,
                          hipStream_t queue) {
  ENTER("hipMemcpyAsync");
  if (kind < HOST || kind > WITHIN) return STARLING_HIP_INVALID_VALUE;
  return Device::get().submit(stream(queue), "hipMemcpyAsync",
                              [=](Touch &touch) -> std::function<void()> {
                                char *to = end(touch, target, bytes, onDevice(kind, DOWN), true);
                                char *from = end(touch, source, bytes, onDevice(kind, UP), false);
                                return [=] { memcpy(to, from, bytes); };
                              },
                              onHost(target, source, bytes, kind));
}

hipError_t hipMemsetAsync(void *target, int value, size_t bytes, hipStream_t queue) {
  ENTER("hipMemsetAsync");
  return Device::get().submit(stream(queue), "hipMemsetAsync",
                              [=](Touch &touch) -> std::function<void()> {
                                char *to = touch.device(target, bytes, true);
                                return [=] { memset(to, value, bytes); };
                              });
}

hipError_t hipStreamCreateWithFlags(hipStream_t *queue, unsigned int) {
  ENTER("hipStreamCreateWithFlags");
  *queue = Device::get().createStream();
  return 0;
}

hipError_t hipStreamDestroy(hipStream_t queue) {
  ENTER_RELEASE("hipStreamDestroy");
  return Device::get().destroyStream(stream(queue));
}

hipError_t hipStreamSynchronize(hipStream_t queue) {
  ENTER("hipStreamSynchronize");
  return Device::get().synchronize(stream(queue));
}

hipError_t hipStreamWaitEvent(hipStream_t queue, hipEvent_t mark, unsigned int) {
  ENTER("hipStreamWaitEvent");
  return Device::get().wait(stream(queue), event(mark));
}

hipError_t hipEventCreateWithFlags(hipEvent_t *mark, unsigned int flags) {
  ENTER("hipEventCreateWithFlags");
  *mark = Device::get().createEvent(flags == STARLING_HIP_EVENT_DEFAULT);
  return 0;
}

hipError_t hipEventDestroy(hipEvent_t mark) {
  ENTER_RELEASE("hipEventDestroy");
  return Device::get().destroyEvent(event(mark));
}

hipError_t hipEventRecord(hipEvent_t mark, hipStream_t queue) {
  ENTER("hipEventRecord");
  return Device::get().record(event(mark), stream(queue));
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t first, hipEvent_t second) {
  ENTER("hipEventElapsedTime");
  return Device::get().elapsed(milliseconds, event(first), event(second));
}

hipError_t hipEventQuery(hipEvent_t mark) {
  ENTER("hipEventQuery");
  return Device::get().query(event(mark));
}

hipError_t hipEventSynchronize(hipEvent_t mark) {
  ENTER("hipEventSynchronize");
  return Device::get().synchronize(event(mark));
}

}  // extern "C"
