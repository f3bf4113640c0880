/** Bases of gamma matrices that other programs use. */
package org.starlingqcd.hadron.basis;
