/** Definitions, operators, runs, results, analysis and the command line. */
package org.starlingqcd.correlators;
