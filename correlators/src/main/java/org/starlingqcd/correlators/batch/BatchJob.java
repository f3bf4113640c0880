package org.starlingqcd.correlators.batch;

import java.nio.file.Path;

/**
 * A run cut into shards for a batch system.
 *
 * @param name name of the jobs
 * @param shards number of shards
 * @param folder where scripts and logs go
 * @param site what the batch system has to be told
 */
public record BatchJob(String name, int shards, Path folder, Site site) {}
