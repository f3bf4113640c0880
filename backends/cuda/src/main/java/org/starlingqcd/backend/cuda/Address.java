package org.starlingqcd.backend.cuda;

import jcuda.Pointer;

/** A pointer of JCuda's that holds a plain address, of device or of host memory. */
final class Address extends Pointer {
  Address(long address) {
    super(address);
  }

  long value() {
    return getNativePointer();
  }
}
