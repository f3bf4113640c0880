package org.starlingqcd.hadron.hdf5.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What the messages of one object say together. */
final class DatasetParts {
  private final MetadataCheck check;
  private final FileBytes file;
  private final GlobalHeaps heaps;
  private final Found object;
  private Datatypes.@Nullable Type type;
  private long count = -1;
  private boolean fletcher;
  private boolean filtered;
  private @Nullable ByteBuffer layout;
  private long layoutPlace;
  private boolean isShared;

  DatasetParts(MetadataCheck check, FileBytes file, GlobalHeaps heaps, Found object) {
    this.object = object;
    this.check = check;
    this.file = file;
    this.heaps = heaps;
  }

  void shared(int message) {
    isShared |= message == 0x01 || message == 0x03 || message == 0x0b;
  }

  void message(int kind, ByteBuffer bytes, long place) throws DamageException {
    switch (kind) {
      case 0x01 -> count = Dataspaces.check(bytes, place);
      case 0x03 -> type = Datatypes.check(bytes, place);
      case 0x05 -> fillValue(bytes, place);
      case 0x07 -> check.keepsValuesElsewhere(object, "external storage");
      case 0x08 -> {
        layout = bytes;
        layoutPlace = place;
      }
      case 0x0b -> filters(bytes, place);
      default -> {}
    }
  }

  private static void fillValue(ByteBuffer bytes, long place) throws DamageException {
    int version = bytes.get();
    boolean defined = true;
    if (version == 1 || version == 2) {
      bytes.getShort();
      defined = bytes.get() != 0 || version == 1;
    } else if (version == 3) {
      defined = (bytes.get() & 32) != 0;
    }
    if (version < 1 || version > 3) {
      throw new DamageException(place, "a fill value of version " + version);
    }
    if (defined && bytes.remaining() >= 4) {
      int size = bytes.getInt();
      if (size > bytes.remaining()) {
        throw new DamageException(place, "a fill value of " + size + " bytes");
      }
    }
  }

  private void filters(ByteBuffer bytes, long place) throws DamageException {
    int version = bytes.get();
    int number = bytes.get() & 0xff;
    if (version < 1 || version > 2 || number > 32) {
      throw new DamageException(place, number + " filters of version " + version);
    }
    if (version == 1) {
      bytes.position(8);
    }
    for (int k = 0; k < number; k++) {
      int id = bytes.getShort() & 0xffff;
      int name = version == 1 || id >= 256 ? bytes.getShort() & 0xffff : 0;
      bytes.getShort();
      int values = bytes.getShort() & 0xffff;
      int skipped = version == 1 ? name + 7 & ~7 : name;
      long used = skipped + 4L * values + (version == 1 && values % 2 != 0 ? 4 : 0);
      if (used > bytes.remaining()
          || (id == 1 && values != 1)
          || (id == 2 && values != 1)
          || (id == 3 && values != 0)) {
        throw new DamageException(place, "a filter " + id + " with " + values + " values");
      }
      bytes.position(bytes.position() + (int) used);
      fletcher |= id == 3;
      filtered = true;
    }
  }

  /** Checks the layout against the other messages. */
  void check(long start) throws DamageException, IOException {
    ByteBuffer bytes = layout;
    if (bytes == null) {
      return;
    }
    int version = bytes.get();
    if (version < 1 || version > Layouts.INDEXED) {
      throw new DamageException(
          layoutPlace,
          "a layout of version " + version + ", expected one that HDF5 1.14 knows (1 to 4)");
    }
    if (version == Layouts.INDEXED && bytes.get(bytes.position()) == Layouts.VIRTUAL) {
      check.keepsValuesElsewhere(object, "a virtual dataset");
      return;
    }
    if (isShared) {
      // The parts lie in other objects.
      return;
    }
    Datatypes.Type element = type;
    if (element == null || count < 0) {
      throw new DamageException(start, "a dataset without a type or extents");
    }
    if (version >= 3) {
      new Layouts(check, file, heaps)
          .check(version, bytes, layoutPlace, element, count, fletcher, filtered);
    }
  }
}
