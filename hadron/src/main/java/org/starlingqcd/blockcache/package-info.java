/**
 * The block cache of a node: finished blocks of input data in a directory that processes share,
 * after BAG (docs/developers/memory-manager.md). Blocks are bytes under a key here; what they mean
 * and how they are read belongs in {@code hadron.input}.
 */
package org.starlingqcd.blockcache;
