package org.starlingqcd.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One quantity of all operators or all states: a table of text and HTML, rows of CSV, curves of
 * JSON, a group of HDF5 and the series of a plot.
 *
 * @param ofStates whether the curves are those of eigenvalues rather than of the diagonal elements
 * @param mass the kind of effective mass; null for correlators and eigenvalues themselves
 * @param title heading of its table
 * @param curves one for each operator or state, with the same separations
 */
public record Quantity(
    boolean ofStates, @Nullable EffectiveMass mass, String title, List<Curve> curves) {}
