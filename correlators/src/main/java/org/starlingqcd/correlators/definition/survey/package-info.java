/**
 * What operators there are: the irreps of a product of hadrons, linearly independent operators, and
 * the products below an energy as a definition. It makes definitions; nothing reads them here.
 */
package org.starlingqcd.correlators.definition.survey;
