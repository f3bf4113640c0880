/**
 * HDF5 files: groups, attributes, datasets, hyperslabs. They are read in Java, by several threads
 * at once: jHDF finds the objects of a file and says where numbers lie, and {@link Hdf5Dataset}
 * reads and unpacks these. The HDF5 C library writes, under one lock. Failures become exceptions
 * that name file and object, and nothing is printed. Nothing here knows what the data mean.
 */
package org.starlingqcd.hadron.hdf5;
