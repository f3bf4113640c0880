/** Kinds of memory that a device's kernels use, and where they are. */
@org.jspecify.annotations.NullMarked
package org.starlingqcd.backend.tier;
