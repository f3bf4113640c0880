/**
 * Reads the metadata of an HDF5 file in Java, under bounds, before the HDF5 library sees them: the
 * library may crash or hang on damaged ones. Only structures without checksums of their own are
 * looked at closely. Values of datasets are not read here.
 */
package org.starlingqcd.hadron.hdf5.check;
