/**
 * What can be learnt of MemHC without data or a device: traces replayed under any policy, budget
 * and order, lower bounds on traffic, and the workload of the paper's tables.
 */
package org.starlingqcd.memhc.replay;
