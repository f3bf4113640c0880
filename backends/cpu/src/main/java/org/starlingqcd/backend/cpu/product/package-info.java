/**
 * Batched products of spin components: cutting a batch into tiles and multiplying them. Traces and
 * contractions of baryons have their own packages.
 */
package org.starlingqcd.backend.cpu.product;
