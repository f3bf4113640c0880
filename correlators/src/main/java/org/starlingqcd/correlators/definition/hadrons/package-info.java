/**
 * Hadrons by name: their quark fields, isospin components and behaviour under the cubic group.
 * Nothing here reads a definition or projects a product.
 */
package org.starlingqcd.correlators.definition.hadrons;
