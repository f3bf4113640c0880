/**
 * The commands {@code bench}, {@code replay}, {@code reproduce} and {@code gpu-check}: their
 * arguments and output.
 */
package org.starlingqcd.simulator.cli;
