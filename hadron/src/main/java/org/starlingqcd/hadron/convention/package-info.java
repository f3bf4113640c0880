/**
 * Measures on distillation data whether they follow the conventions of Starling: index orders,
 * phases, spin basis, direction of time. Reads blocks only; knows no file format and prints
 * nothing.
 */
package org.starlingqcd.hadron.convention;
