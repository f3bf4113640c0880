package org.starlingqcd.backend.cpu.blas;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * A native address that can be changed, so that millions of BLAS calls need no new objects. It owns
 * no memory, and one thread uses it at a time.
 */
final class Address extends DoublePointer {
  private final Floats floats = new Floats();

  Address() {
    super((Pointer) null);
  }

  /** Sets the address and returns this object. */
  Address at(long address) {
    this.address = address;
    return this;
  }

  /** Sets the address of numbers in single precision. */
  FloatPointer floatsAt(long address) {
    return floats.at(address);
  }

  private static final class Floats extends FloatPointer {
    Floats() {
      super((Pointer) null);
    }

    Floats at(long address) {
      this.address = address;
      return this;
    }
  }
}
