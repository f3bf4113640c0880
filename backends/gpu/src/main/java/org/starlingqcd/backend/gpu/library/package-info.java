/**
 * The interface between the GPU device and a vendor's libraries: the calls, their checks, and the
 * parts that a vendor must supply. Nothing here depends on contractions.
 */
package org.starlingqcd.backend.gpu.library;
