package org.starlingqcd.hadron.hdf5.check;

import java.util.Map;
import java.util.Set;

/**
 * What a walk over the metadata of a file finds beside damage.
 *
 * @param links the names of other files that links lead into, as they are written in the file
 * @param valuesElsewhere by the path of a dataset, the kind of storage that keeps its values in
 *     other files
 */
public record Findings(Set<String> links, Map<String, String> valuesElsewhere) {}
