/** Files of Hadrons, the workflow system on Grid. */
package org.starlingqcd.hadron.grid;
