package org.starlingqcd.backend.cpu.blas;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * A native address that can be moved, so that millions of BLAS calls need no object each. Owns
 * nothing; used by one thread at a time.
 */
public final class Address extends DoublePointer {
  Address() {
    super((Pointer) null);
  }

  /** Points to {@code address} and returns itself. */
  Address at(long address) {
    this.address = address;
    return this;
  }
}
