/**
 * Papers whose numbers Starling checks: the workload of each through the real code, row by row. The
 * rows are tables in the resources of this package; its classes measure what they name.
 */
package org.starlingqcd.simulator.reproduce;
