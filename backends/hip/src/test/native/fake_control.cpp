/* What the Java class FakeHip calls, or that of CUDA which CONTROLLED_BY names. */
#include <jni.h>

#include "fake_device.h"

using fake::Device;

#ifdef CONTROLLED_BY
const bool fake::CUDA = true;
#else
const bool fake::CUDA = false;
#define CONTROLLED_BY hip_FakeHip
#endif
#define JOINED(type, method) Java_org_starlingqcd_backend_##type##_##method
#define METHOD_OF(type, method) JOINED(type, method)
#define METHOD(method) METHOD_OF(CONTROLLED_BY, method)

extern "C" {

JNIEXPORT void JNICALL METHOD(reset)(JNIEnv *, jclass, jlong bytes, jint devices, jlong seed) {
  Device::get().reset(bytes, devices, seed);
}

JNIEXPORT jstring JNICALL METHOD(report)(JNIEnv *env, jclass) {
  return env->NewStringUTF(Device::get().report().c_str());
}

JNIEXPORT void JNICALL METHOD(failAt)(JNIEnv *, jclass, jlong call, jint code, jboolean forEver) {
  Device::get().failAt(call, code, forEver);
}

JNIEXPORT void JNICALL METHOD(delayWork)(JNIEnv *, jclass, jlong microseconds) {
  Device::get().delayWork(microseconds);
}

JNIEXPORT void JNICALL METHOD(failLater)(JNIEnv *, jclass, jint code) {
  Device::get().failLater(code);
}

JNIEXPORT void JNICALL METHOD(loseDevice)(JNIEnv *, jclass, jint device, jlong call, jint code) {
  Device::get().loseDevice(device, call, code);
}

JNIEXPORT void JNICALL METHOD(limitPageLocked)(JNIEnv *, jclass, jlong bytes) {
  Device::get().limitPageLocked(static_cast<uint64_t>(bytes));
}

JNIEXPORT jlong JNICALL METHOD(calls)(JNIEnv *, jclass) {
  return Device::get().calls();
}

JNIEXPORT jstring JNICALL METHOD(callName)(JNIEnv *env, jclass, jlong call) {
  return env->NewStringUTF(Device::get().callName(call).c_str());
}

}  // extern "C"
