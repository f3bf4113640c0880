package org.starlingqcd.hadron.hdf5;

import java.nio.file.Path;
import java.util.Map;

/**
 * Attributes of a root that were read without the HDF5 library.
 *
 * @param values by name, each a {@link Long} or a {@link String}
 */
record PeekedValues(Path path, Map<String, Object> values) implements RootValues {
  @Override
  public boolean has(String name) {
    return values.containsKey(name);
  }

  @Override
  public String string(String name) {
    return find(name, String.class, "one string");
  }

  @Override
  public long integer(String name) {
    return find(name, Long.class, "one integer");
  }

  private <T> T find(String name, Class<T> type, String expected) {
    Object value = values.get(name);
    if (value == null) {
      throw new Hdf5Exception(path + ": '/': has no attribute '" + name + "'");
    }
    if (!type.isInstance(value)) {
      throw new Hdf5Exception(
          path + ": '/': attribute '" + name + "': expected " + expected + ", found another type");
    }
    return type.cast(value);
  }
}
