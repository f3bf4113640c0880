/** The command {@code analyze}: arguments and output of the analysis. */
package org.starlingqcd.analysis.cli;
