/**
 * The analysis of correlation matrices: averages, vacuum subtraction, resampled errors, effective
 * masses, the generalized eigenvalue problem, ratios of three-point functions, their tables, plots
 * and files, and what single precision changes. Reads result files; knows nothing of contractions,
 * distillation data or devices.
 */
package org.starlingqcd.analysis;
