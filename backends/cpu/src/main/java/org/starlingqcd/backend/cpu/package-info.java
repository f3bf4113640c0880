/** The CPU backend: OpenBLAS on a bounded arena; the default everywhere. */
package org.starlingqcd.backend.cpu;
