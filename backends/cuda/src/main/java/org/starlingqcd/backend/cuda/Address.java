package org.starlingqcd.backend.cuda;

import jcuda.Pointer;

/** A JCuda pointer with a given address in device or host memory. */
final class Address extends Pointer {
  Address(long address) {
    super(address);
  }

  long value() {
    return getNativePointer();
  }
}
