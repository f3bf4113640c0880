/**
 * Result files: their layout, their durability, several processes on one output. Nothing here knows
 * how a correlator is computed.
 */
package org.starlingqcd.correlators.result;
