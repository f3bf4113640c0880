/**
 * Batch systems (Slurm, PBS, LSF): the scripts that compute the shards of a run on a cluster and
 * merge their results. This package does not know how a correlator is computed.
 */
package org.starlingqcd.correlators.batch;
