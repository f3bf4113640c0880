package org.starlingqcd.memhc;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.transfer.HostTier;
import org.starlingqcd.memhc.transfer.Transfers;

/** A part of one {@link MemHC}, with what all parts share ({@link Tables}) at hand. */
abstract class Part {
  final Tables tables;
  final ElementTable table;
  final Pins pins;
  final Schedule schedule;
  final BlockStore store;
  final Transfers transfers;
  final HostTier host;
  final @Nullable SlowTier slow;
  final Counters counters;
  final MemHCOptions options;

  Part(Tables tables) {
    this.tables = tables;
    table = tables.table;
    pins = tables.pins;
    schedule = tables.schedule;
    store = tables.store;
    transfers = tables.transfers;
    host = tables.host;
    slow = tables.slow;
    counters = tables.counters;
    options = tables.options;
  }
}
