/**
 * The contract of a device as a list of checks, which the tests of each backend and {@code
 * gpu-check} run. Nothing here belongs to one backend only.
 */
package org.starlingqcd.backend.contract;
