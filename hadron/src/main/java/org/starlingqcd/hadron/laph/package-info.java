/** Perambulators of the LapH programs. */
package org.starlingqcd.hadron.laph;
