/**
 * How spin and gamma matrices become products: mappings of spin components, and the gamma matrix
 * that each element of a queue is kept with on a device.
 */
package org.starlingqcd.hadron.form;
