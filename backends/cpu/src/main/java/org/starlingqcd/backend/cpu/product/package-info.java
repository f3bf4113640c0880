/**
 * Batched products of spin components: how a batch is cut into tiles and which kernel multiplies
 * them. Traces and contractions of baryons live beside it.
 */
package org.starlingqcd.backend.cpu.product;
