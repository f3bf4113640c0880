/** One HTML page for an analysis. */
package org.starlingqcd.analysis.report;
