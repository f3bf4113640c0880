/**
 * The analysis of correlation matrices: averages, vacuum subtraction, resampled errors, effective
 * masses, the generalized eigenvalue problem, and their tables, plots and files. Reads result
 * files; knows nothing of contractions, distillation data or devices.
 */
package org.starlingqcd.analysis;
