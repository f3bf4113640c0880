/**
 * The contract of a device as data: every check that the tests of a backend and {@code gpu-check}
 * run on a device. No backend lives here, and nothing that only one backend needs.
 */
package org.starlingqcd.backend.tck;
