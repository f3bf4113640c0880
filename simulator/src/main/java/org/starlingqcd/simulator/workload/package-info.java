/**
 * Workloads that are drawn instead of recorded: the queues behind the tables and figures of papers,
 * as traces. No caches, and nothing of how traces are run.
 */
package org.starlingqcd.simulator.workload;
