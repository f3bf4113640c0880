/** The whole engine, from a definition to numbers, against the naive evaluation. */
package org.starlingqcd.correlators.reference;
