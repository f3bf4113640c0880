/**
 * The input store: blocks of input in host memory, each of them once, read ahead of their use, kept
 * for a second use or for a later source, within one budget. The block cache of the node is its
 * shared form. Reading the files themselves belongs in {@code hadron.data}.
 */
package org.starlingqcd.hadron.input;
