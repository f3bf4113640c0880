/**
 * The vocabulary of caches: what a look-up led to, which lines a key may take, when results are
 * written, what was moved and how long that takes. No cache itself, and nothing of a device.
 */
package org.starlingqcd.memhc.cache;
