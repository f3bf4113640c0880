/*
 * The native methods of jcuda.runtime.JCuda that Starling calls, on the fake device. JCuda's own
 * library contains NVIDIA's runtime and needs a driver; here its methods reach the functions of the
 * fake HIP runtime, whose codes and meanings are CUDA's. attach() puts them in place of JCuda's own
 * and detach() gives those back.
 */
#include <jni.h>

#include <climits>
#include <cstring>

#include "fake_device.h"

using fake::Device;

namespace {

jfieldID native(JNIEnv *env) {
  jclass type = env->FindClass("jcuda/NativePointerObject");
  return env->GetFieldID(type, "nativePointer", "J");
}

void *value(JNIEnv *env, jobject object) {
  static jfieldID field = native(env);
  return object ? reinterpret_cast<void *>(env->GetLongField(object, field)) : nullptr;
}

void set(JNIEnv *env, jobject object, void *pointer) {
  static jfieldID field = native(env);
  env->SetLongField(object, field, reinterpret_cast<jlong>(pointer));
}

void put(JNIEnv *env, jintArray array, jint number) { env->SetIntArrayRegion(array, 0, 1, &number); }

void put(JNIEnv *env, jlongArray array, jlong number) {
  env->SetLongArrayRegion(array, 0, 1, &number);
}

void put(JNIEnv *env, jobject object, const char *name, jint number) {
  env->SetIntField(object, env->GetFieldID(env->GetObjectClass(object), name, "I"), number);
}

/* CUDA's version 12.6; a GPU of compute capability 9.0 with 132 multiprocessors. */
constexpr int VERSION = 12060;

jint deviceCount(JNIEnv *env, jclass, jintArray count) {
  int number = 0;
  int status = hipGetDeviceCount(&number);
  put(env, count, number);
  return status;
}

jint setDevice(JNIEnv *, jclass, jint device) { return hipSetDevice(device); }

jint deviceProperties(JNIEnv *env, jclass, jobject properties, jint device) {
  char name[256] = {};
  int status = hipDeviceGetName(name, sizeof name, device);
  if (status) return status;
  jfieldID field = env->GetFieldID(env->GetObjectClass(properties), "name", "[B");
  auto bytes = static_cast<jbyteArray>(env->GetObjectField(properties, field));
  env->SetByteArrayRegion(bytes, 0, static_cast<jsize>(strlen(name)),
                          reinterpret_cast<jbyte *>(name));
  put(env, properties, "major", 9);
  put(env, properties, "minor", 0);
  put(env, properties, "multiProcessorCount", 132);
  put(env, properties, "pciBusID", device);
  put(env, properties, "pciDomainID", 0);
  return 0;
}

jint driverVersion(JNIEnv *env, jclass, jintArray version) {
  int ignored;
  put(env, version, VERSION);
  return hipDriverGetVersion(&ignored);
}

jint runtimeVersion(JNIEnv *env, jclass, jintArray version) {
  int ignored;
  put(env, version, VERSION);
  return hipRuntimeGetVersion(&ignored);
}

jint memory(JNIEnv *env, jclass, jlongArray available, jlongArray total) {
  size_t freeBytes = 0, totalBytes = 0;
  int status = hipMemGetInfo(&freeBytes, &totalBytes);
  put(env, available, static_cast<jlong>(freeBytes));
  put(env, total, static_cast<jlong>(totalBytes));
  return status;
}

jint lastError(JNIEnv *, jclass) { return hipGetLastError(); }

jint enablePeer(JNIEnv *, jclass, jint device, jint flags) {
  int injected = Device::get().enter("cudaDeviceEnablePeerAccess");
  if (injected) return injected;
  return flags == 0 && device >= 0 && device < Device::get().devices() &&
                 device != Device::get().current()
             ? 0
             : STARLING_HIP_INVALID_DEVICE;
}

jint allocate(JNIEnv *env, jclass, jobject pointer, jlong bytes) {
  void *address = nullptr;
  int status = hipMalloc(&address, bytes);
  set(env, pointer, address);
  return status;
}

jint allocateManaged(JNIEnv *env, jclass, jobject pointer, jlong bytes, jint flags) {
  void *address = nullptr;
  int status = hipMallocManaged(&address, bytes, flags);
  set(env, pointer, address);
  return status;
}

/* The compute capability, by cudaDevAttrComputeCapabilityMajor and Minor. */
jint attribute(JNIEnv *env, jclass, jintArray value, jint attribute, jint) {
  int injected = Device::get().enter("cudaDeviceGetAttribute");
  if (injected) return injected;
  put(env, value, attribute == 75 ? 9 : 0);
  return attribute == 75 || attribute == 76 ? 0 : STARLING_HIP_INVALID_VALUE;
}

jint release(JNIEnv *env, jclass, jobject pointer) { return hipFree(value(env, pointer)); }

/* As JCuda: the memory is there before a buffer that is too large for Java is refused. */
jint allocateHost(JNIEnv *env, jclass, jobject pointer, jlong bytes, jint flags) {
  if (!(flags & 1)) Device::get().complain("cudaHostAlloc without cudaHostAllocPortable");
  void *address = nullptr;
  int status = hipHostMalloc(&address, bytes, flags & 2);
  set(env, pointer, address);
  if (!status && bytes > INT_MAX)
    env->ThrowNew(env->FindClass("java/lang/IllegalArgumentException"), "capacity < 0");
  return status;
}

jint releaseHost(JNIEnv *env, jclass, jobject pointer) { return hipHostFree(value(env, pointer)); }

/* JCuda itself refuses cudaMemcpyDefault, as the copies of the fake device do. */
jint copy(JNIEnv *env, jclass, jobject target, jobject source, jlong bytes, jint kind,
          jobject stream) {
  return hipMemcpyAsync(value(env, target), value(env, source), bytes, kind, value(env, stream));
}

jint copyRows(JNIEnv *env, jclass, jobject target, jlong targetPitch, jobject source,
              jlong sourcePitch, jlong width, jlong height, jint kind, jobject stream) {
  return hipMemcpy2DAsync(value(env, target), targetPitch, value(env, source), sourcePitch, width,
                          height, kind, value(env, stream));
}

jint fill(JNIEnv *env, jclass, jobject target, jint number, jlong bytes, jobject stream) {
  return hipMemsetAsync(value(env, target), number, bytes, value(env, stream));
}

jint createStream(JNIEnv *env, jclass, jobject stream, jint flags) {
  if (flags != STARLING_HIP_STREAM_NON_BLOCKING)
    Device::get().complain("a stream that waits for the default stream");
  void *created = nullptr;
  int status = hipStreamCreateWithFlags(&created, flags);
  set(env, stream, created);
  return status;
}

jint destroyStream(JNIEnv *env, jclass, jobject stream) {
  return hipStreamDestroy(value(env, stream));
}

jint synchronizeStream(JNIEnv *env, jclass, jobject stream) {
  return hipStreamSynchronize(value(env, stream));
}

jint waitForEvent(JNIEnv *env, jclass, jobject stream, jobject event, jint flags) {
  return hipStreamWaitEvent(value(env, stream), value(env, event), flags);
}

jint createEvent(JNIEnv *env, jclass, jobject event, jint flags) {
  void *created = nullptr;
  int status = hipEventCreateWithFlags(&created, flags);
  set(env, event, created);
  return status;
}

jint destroyEvent(JNIEnv *env, jclass, jobject event) { return hipEventDestroy(value(env, event)); }

jint recordEvent(JNIEnv *env, jclass, jobject event, jobject stream) {
  return hipEventRecord(value(env, event), value(env, stream));
}

jint queryEvent(JNIEnv *env, jclass, jobject event) { return hipEventQuery(value(env, event)); }

jint synchronizeEvent(JNIEnv *env, jclass, jobject event) {
  return hipEventSynchronize(value(env, event));
}

jint elapsed(JNIEnv *env, jclass, jfloatArray milliseconds, jobject first, jobject second) {
  float number = 0;
  int status = hipEventElapsedTime(&number, value(env, first), value(env, second));
  env->SetFloatArrayRegion(milliseconds, 0, 1, &number);
  return status;
}

#define P "Ljcuda/Pointer;"
#define S "Ljcuda/runtime/cudaStream_t;"
#define E "Ljcuda/runtime/cudaEvent_t;"
#define METHOD(name, signature, function)                                           \
  {const_cast<char *>("cuda" name "Native"), const_cast<char *>(signature), \
   reinterpret_cast<void *>(function)}

const JNINativeMethod METHODS[] = {
    METHOD("GetDeviceCount", "([I)I", deviceCount),
    METHOD("SetDevice", "(I)I", setDevice),
    METHOD("GetDeviceProperties", "(Ljcuda/runtime/cudaDeviceProp;I)I", deviceProperties),
    METHOD("DriverGetVersion", "([I)I", driverVersion),
    METHOD("RuntimeGetVersion", "([I)I", runtimeVersion),
    METHOD("MemGetInfo", "([J[J)I", memory),
    METHOD("GetLastError", "()I", lastError),
    METHOD("DeviceEnablePeerAccess", "(II)I", enablePeer),
    METHOD("Malloc", "(" P "J)I", allocate),
    METHOD("MallocManaged", "(" P "JI)I", allocateManaged),
    METHOD("DeviceGetAttribute", "([III)I", attribute),
    METHOD("Free", "(" P ")I", release),
    METHOD("HostAlloc", "(" P "JI)I", allocateHost),
    METHOD("FreeHost", "(" P ")I", releaseHost),
    METHOD("MemcpyAsync", "(" P P "JI" S ")I", copy),
    METHOD("Memcpy2DAsync", "(" P "J" P "JJJI" S ")I", copyRows),
    METHOD("MemsetAsync", "(" P "IJ" S ")I", fill),
    METHOD("StreamCreateWithFlags", "(" S "I)I", createStream),
    METHOD("StreamDestroy", "(" S ")I", destroyStream),
    METHOD("StreamSynchronize", "(" S ")I", synchronizeStream),
    METHOD("StreamWaitEvent", "(" S E "I)I", waitForEvent),
    METHOD("EventCreateWithFlags", "(" E "I)I", createEvent),
    METHOD("EventDestroy", "(" E ")I", destroyEvent),
    METHOD("EventRecord", "(" E S ")I", recordEvent),
    METHOD("EventQuery", "(" E ")I", queryEvent),
    METHOD("EventSynchronize", "(" E ")I", synchronizeEvent),
    METHOD("EventElapsedTime", "([F" E E ")I", elapsed),
};

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL Java_org_starlingqcd_backend_cuda_FakeCuda_attach(JNIEnv *env, jclass,
                                                                        jclass runtime) {
  return env->RegisterNatives(runtime, METHODS, sizeof METHODS / sizeof *METHODS);
}

JNIEXPORT jint JNICALL Java_org_starlingqcd_backend_cuda_FakeCuda_detach(JNIEnv *env, jclass,
                                                                        jclass runtime) {
  return env->UnregisterNatives(runtime);
}

}  // extern "C"
