/**
 * Arrays of numbers in files, whoever wrote them: {@code .npy}, raw numbers, datasets of HDF5.
 * Nothing here knows what an axis means.
 */
package org.starlingqcd.hadron.array;
