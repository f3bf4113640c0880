/**
 * Native libraries of jar files, unpacked into a folder that only the user can write to, and loaded
 * from there. Depends on no other package.
 */
@org.jspecify.annotations.NullMarked
package org.starlingqcd.backend.natives;
