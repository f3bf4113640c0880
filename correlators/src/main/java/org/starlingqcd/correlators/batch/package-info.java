/**
 * Batch systems: the scripts that run a run's shards on a cluster and merge their results. Nothing
 * here knows how a correlator is computed.
 */
package org.starlingqcd.correlators.batch;
