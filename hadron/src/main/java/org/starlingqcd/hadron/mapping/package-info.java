/**
 * Arrays that a mapping file explains: what their axes mean, which files and datasets hold them,
 * which conventions they follow.
 */
package org.starlingqcd.hadron.mapping;
