/**
 * Products of hadrons under the cubic group: their projection to irreps, and which irreps they
 * contain.
 */
package org.starlingqcd.correlators.definition.projection;
