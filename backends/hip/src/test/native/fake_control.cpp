/* What the Java class FakeHip calls. */
#include <jni.h>

#include "fake_device.h"

using fake::Device;

extern "C" {

JNIEXPORT void JNICALL Java_org_starlingqcd_backend_hip_FakeHip_reset(JNIEnv *, jclass, jlong bytes,
                                                                      jint devices, jlong seed) {
  Device::get().reset(bytes, devices, seed);
}

JNIEXPORT jstring JNICALL Java_org_starlingqcd_backend_hip_FakeHip_report(JNIEnv *env, jclass) {
  return env->NewStringUTF(Device::get().report().c_str());
}

JNIEXPORT void JNICALL Java_org_starlingqcd_backend_hip_FakeHip_failAt(JNIEnv *, jclass, jlong call,
                                                                       jint code,
                                                                       jboolean forEver) {
  Device::get().failAt(call, code, forEver);
}

JNIEXPORT void JNICALL Java_org_starlingqcd_backend_hip_FakeHip_failLater(JNIEnv *, jclass,
                                                                          jint code) {
  Device::get().failLater(code);
}

JNIEXPORT void JNICALL Java_org_starlingqcd_backend_hip_FakeHip_loseDevice(JNIEnv *, jclass,
                                                                           jint device, jlong call,
                                                                           jint code) {
  Device::get().loseDevice(device, call, code);
}

JNIEXPORT jlong JNICALL Java_org_starlingqcd_backend_hip_FakeHip_calls(JNIEnv *, jclass) {
  return Device::get().calls();
}

JNIEXPORT jstring JNICALL Java_org_starlingqcd_backend_hip_FakeHip_callName(JNIEnv *env, jclass,
                                                                            jlong call) {
  return env->NewStringUTF(Device::get().callName(call).c_str());
}

}  // extern "C"
