/**
 * The commands {@code analyze}, {@code export} and {@code check-precision}: their arguments and
 * output.
 */
package org.starlingqcd.analysis.cli;
