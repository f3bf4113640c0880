/**
 * Symmetry of operators: isospin coupling with exact Clebsch-Gordan coefficients, and the cubic
 * group with its little groups and irreps. Nothing here knows a file or a meson's name.
 */
package org.starlingqcd.correlators.definition.symmetry;
