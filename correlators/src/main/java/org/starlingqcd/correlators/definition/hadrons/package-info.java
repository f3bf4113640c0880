/**
 * Hadrons by name: their quark fields, isospin components and behaviour under the cubic group; the
 * projection of products to irreps, and which irreps they contain. Nothing here reads a definition.
 */
package org.starlingqcd.correlators.definition.hadrons;
