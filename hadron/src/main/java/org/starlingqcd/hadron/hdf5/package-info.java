/**
 * A small layer over the HDF5 C library: files, attributes, datasets, hyperslabs. Every call holds
 * one lock, because the library is not thread-safe; every handle is closed by the object that
 * opened it; HDF5's own diagnostics go into exceptions and never to the terminal. Nothing here
 * knows what the data mean.
 */
package org.starlingqcd.hadron.hdf5;
