/**
 * Runs: definitions × configurations × sources × separations, on a device. Nothing here reads
 * arguments or prints; results go to {@code org.starlingqcd.correlators.result}.
 */
package org.starlingqcd.correlators.run;
