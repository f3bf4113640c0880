package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.starlingqcd.hadron.hdf5.check.DamageException;
import org.starlingqcd.hadron.hdf5.check.MetadataCheck;

/**
 * Attributes of a file's root, each one integer or one string. They come from an open file, or from
 * a look at a file that is not opened.
 */
public interface RootValues {
  /** Whether there is an attribute of this name. */
  boolean has(String name);

  /**
   * A string.
   *
   * @throws Hdf5Exception when there is no such attribute, or it is not one string
   */
  String string(String name);

  /**
   * An integer.
   *
   * @throws Hdf5Exception when there is no such attribute, or it is not one integer
   */
  long integer(String name);

  /**
   * The attributes of a file, which is not opened by the HDF5 library.
   *
   * @return values without any attribute when they can only be read by opening the file
   */
  static RootValues peek(Path path) {
    Map<String, Object> values = Map.of();
    try {
      if (PlainFile.special(path) == null) {
        values = MetadataCheck.rootAttributes(path);
      }
    } catch (DamageException | IOException e) {
      // Opening the file tells what is wrong.
    }
    return new PeekedValues(path, values);
  }
}
