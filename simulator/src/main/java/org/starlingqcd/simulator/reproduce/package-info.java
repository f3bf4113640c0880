/**
 * Papers whose numbers Starling checks: the workload of each through the real code, row by row.
 * Other modules add papers as services.
 */
package org.starlingqcd.simulator.reproduce;
