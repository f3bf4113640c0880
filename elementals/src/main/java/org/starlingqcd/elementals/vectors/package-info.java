/** Eigenvectors of the Laplacian in files of several programs. Nothing here computes. */
package org.starlingqcd.elementals.vectors;
