/**
 * Data of other programs: arrays with a mapping file (.npy, raw, HDF5), SDB and S3T files of
 * Chroma, IOMap files of LapH, files of Hadrons. A format is a class that implements {@link
 * org.starlingqcd.hadron.data.DataFormat}.
 */
package org.starlingqcd.hadron.format;
