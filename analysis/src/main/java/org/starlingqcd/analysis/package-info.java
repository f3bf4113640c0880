/**
 * What physicists do with correlation matrices: averages, vacuum subtraction, resampled errors,
 * effective masses, the generalized eigenvalue problem, and the tables, plots and files that show
 * them. Reads result files; knows nothing of contractions, distillation data or devices.
 */
package org.starlingqcd.analysis;
