/** Synthetic distillation data with the symmetries of real ones. */
package org.starlingqcd.hadron.synthetic;
