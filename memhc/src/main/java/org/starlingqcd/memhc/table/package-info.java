/**
 * {@code element_cache}, {@code free_pool}, pins and blocks: where every element is, and how one is
 * brought in or evicted.
 */
package org.starlingqcd.memhc.table;
