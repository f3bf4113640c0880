/** The commands {@code analyze} and {@code export}: their arguments and output. */
package org.starlingqcd.analysis.cli;
