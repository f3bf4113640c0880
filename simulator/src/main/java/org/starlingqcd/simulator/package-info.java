/**
 * The synthetic benchmark and the replay of memory traces: what the commands of these names
 * compute. Nothing here reads arguments or prints.
 */
package org.starlingqcd.simulator;
