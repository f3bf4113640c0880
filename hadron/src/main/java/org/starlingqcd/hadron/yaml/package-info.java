/**
 * YAML documents as trees of text with line numbers. Nothing here knows what a key means; scalars
 * stay text.
 */
package org.starlingqcd.hadron.yaml;
