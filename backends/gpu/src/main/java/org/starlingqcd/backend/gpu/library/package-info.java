/**
 * The seam between the GPU device and a vendor's libraries: the calls, their checks, and what a
 * vendor must supply. Nothing here knows contractions.
 */
package org.starlingqcd.backend.gpu.library;
