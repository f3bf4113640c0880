package org.starlingqcd.correlators.batch;

import java.nio.file.Path;

/**
 * A run divided into shards for a batch system.
 *
 * @param name name of the jobs
 * @param shards number of shards
 * @param folder folder of scripts and logs
 * @param site what the cluster asks for
 */
public record BatchJob(String name, int shards, Path folder, Site site) {}
