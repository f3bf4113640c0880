/** The commands {@code elementals} and {@code transform}. */
package org.starlingqcd.elementals.cli;
