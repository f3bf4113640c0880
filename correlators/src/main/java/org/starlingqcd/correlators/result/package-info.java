/**
 * Result files: their layout, their durability, and several processes that write one result. This
 * package does not know how a correlator is computed.
 */
package org.starlingqcd.correlators.result;
