package org.starlingqcd.memhc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.transfer.DeviceBlock;

/**
 * All elements in parallel arrays, indexed by element number; {@code block} is the paper's {@code
 * element_cache}.
 */
final class ElementTable {
  /** Can be loaded again from its source. */
  static final int INPUT = 1;

  /** Has pins: the batch that is being assembled uses it, so it must not move. */
  static final int PINNED = 1 << 1;

  /** Never leaves once it is resident. */
  static final int HELD = 1 << 2;

  /** Intermediate that has a value: on the device, on the host, or to be recomputed. */
  static final int DEFINED = 1 << 3;

  /** Output of a contraction of that batch. */
  static final int WRITTEN = 1 << 4;

  /** To be released as soon as it is no longer pinned. */
  static final int DOOMED = 1 << 5;

  /** Evicted without a copy; to be computed again when it is needed. */
  static final int DROPPED = 1 << 6;

  /** Planned to stay on the device until its next use. */
  static final int STAYS = 1 << 7;

  /** Brought in after another element had left for it, and not looked up since. */
  static final int REPLACED = 1 << 8;

  /** The next contraction that writes it does not need the value it has. */
  static final int OVERWRITTEN = 1 << 9;

  /** Planned to be computed again before its next use instead of being saved. */
  static final int REMADE = 1 << 10;

  /** Used by the next step, or by what is computed again for it, so it must not be dropped. */
  static final int NEEDED = 1 << 11;

  private static final int FIRST_LENGTH = 64;

  int count;

  /** Size of the largest element in bytes; 1 without elements. */
  long largestBytes = 1;

  /** Bytes of the held elements, resident or not. */
  long heldBytes;

  int[] flags = new int[FIRST_LENGTH];

  /** Whether each element is on the device; absent if and only if it has no block. */
  Presence[] presence = new Presence[FIRST_LENGTH];

  long[] bytes = new long[FIRST_LENGTH];

  /** Where each element would begin if all lay one behind the other. */
  private long[] address = new long[FIRST_LENGTH];

  int[] sizeClass = new int[FIRST_LENGTH];
  int[] nextUse = new int[FIRST_LENGTH];

  /** How often the batch that is being assembled has pinned an element. */
  int[] pins = new int[FIRST_LENGTH];

  /** Steps that use an element, from the one that runs on; 0: not known. */
  int[] usesLeft = new int[FIRST_LENGTH];

  /** Keys of inputs: equal for the same data; 0: not known. */
  long[] inputKey = new long[FIRST_LENGTH];

  /** Whether an input stays in its block of {@code free_pool} for a later queue. */
  boolean[] keepsInput = new boolean[FIRST_LENGTH];

  @Nullable DeviceBlock[] block = new DeviceBlock[FIRST_LENGTH];
  @Nullable InputSource[] source = new InputSource[FIRST_LENGTH];

  /** The step of the queue that can make an element again; -1: none. */
  int[] maker = new int[FIRST_LENGTH];

  /** Shape of each size class; elements of one shape share a class. */
  final List<TensorShape> shapes = new ArrayList<>();

  /** Adds an element, an intermediate if it has no source; returns its number. */
  int add(TensorShape shape, @Nullable InputSource inputSource) {
    if (count == flags.length) {
      grow();
    }
    int element = count++;
    int index = shapes.indexOf(shape);
    if (index < 0) {
      index = shapes.size();
      shapes.add(shape);
    }
    sizeClass[element] = index;
    bytes[element] = shape.bytes();
    address[element] = element == 0 ? 0 : address[element - 1] + bytes[element - 1];
    largestBytes = Math.max(largestBytes, shape.bytes());
    presence[element] = Presence.ABSENT;
    nextUse[element] = AccessQueue.NEVER;
    source[element] = inputSource;
    maker[element] = -1;
    flags[element] = inputSource == null ? 0 : INPUT;
    return element;
  }

  boolean has(int element, int flag) {
    return (flags[element] & flag) != 0;
  }

  void set(int element, int flag) {
    flags[element] |= flag;
  }

  void set(int element, int flag, boolean value) {
    flags[element] = value ? flags[element] | flag : flags[element] & ~flag;
  }

  void clear(int element, int flag) {
    flags[element] &= ~flag;
  }

  TensorShape shape(int element) {
    return shapes.get(sizeClass[element]);
  }

  /** The byte at which an element would begin if all lay one behind the other. */
  long address(int element) {
    return address[element];
  }

  /** The block of a resident element. */
  DeviceBlock resident(int element) {
    DeviceBlock found = block[element];
    if (found == null) {
      throw new IllegalStateException("not resident: " + describe(element));
    }
    return found;
  }

  /** Checks the number of an element. */
  void check(int element) {
    if (element < 0 || element >= count) {
      throw new IndexOutOfBoundsException("must be >= 0 && < " + count + ": element=" + element);
    }
  }

  /** Whether an element has a value or can be loaded. */
  boolean hasValue(int element) {
    return has(element, INPUT | DEFINED);
  }

  /**
   * Checks the elements of a contraction: inputs have values or are outputs of the batch that is
   * being assembled, and no output is an input.
   */
  void checkStep(int[] inputs, int nIn, int[] outputs, int nOut) {
    for (int k = 0; k < nIn; k++) {
      check(inputs[k]);
      if (!hasValue(inputs[k]) && !has(inputs[k], WRITTEN)) {
        throw new IllegalStateException("input has no value: " + describe(inputs[k]));
      }
    }
    for (int k = 0; k < nOut; k++) {
      check(outputs[k]);
      if (has(outputs[k], INPUT)) {
        throw new IllegalArgumentException("an input cannot be an output: " + describe(outputs[k]));
      }
    }
  }

  /** Number and state of an element, for messages. */
  String describe(int element) {
    return "element="
        + element
        + " bytes="
        + bytes[element]
        + (has(element, INPUT) ? " input" : " intermediate")
        + (block[element] != null ? " resident" : "")
        + (has(element, PINNED) ? " pinned" : "")
        + (has(element, HELD) ? " held" : "")
        + (has(element, DEFINED) ? " defined" : "")
        + (has(element, WRITTEN) ? " being-written" : "")
        + (has(element, DOOMED) ? " doomed" : "")
        + (has(element, DROPPED) ? " to-be-recomputed" : "")
        + (presence[element].isInPlace() ? " used-in-place" : "")
        + (has(element, STAYS) ? " to-stay" : "")
        + " nextUse="
        + nextUse[element];
  }

  private void grow() {
    int length = 2 * count;
    flags = Arrays.copyOf(flags, length);
    presence = Arrays.copyOf(presence, length);
    bytes = Arrays.copyOf(bytes, length);
    address = Arrays.copyOf(address, length);
    sizeClass = Arrays.copyOf(sizeClass, length);
    nextUse = Arrays.copyOf(nextUse, length);
    pins = Arrays.copyOf(pins, length);
    usesLeft = Arrays.copyOf(usesLeft, length);
    inputKey = Arrays.copyOf(inputKey, length);
    keepsInput = Arrays.copyOf(keepsInput, length);
    block = Arrays.copyOf(block, length);
    source = Arrays.copyOf(source, length);
    maker = Arrays.copyOf(maker, length);
  }
}
