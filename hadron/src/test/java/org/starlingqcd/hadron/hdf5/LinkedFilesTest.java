package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files into which links, or datasets with their values elsewhere, of another file lead. */
final class LinkedFilesTest {
  @TempDir Path folder;

  private Path linkTo(String target) {
    Path path = folder.resolve("links.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      synchronized (Hdf5Library.LOCK) {
        try (BytePointer name = Hdf5Library.text(target);
            BytePointer object = Hdf5Library.text("/values");
            BytePointer link = Hdf5Library.text("link")) {
          Hdf5Library.check(
              hdf5.H5Lcreate_external(name, object, file.id(), link, 0, 0), "H5Lcreate_external");
        }
      }
    }
    return path;
  }

  private Path target() {
    Path path = folder.resolve("target.h5");
    try (Hdf5File file = Hdf5File.open(Mutants.createWithoutChecksums(path))) {
      assertFalse(file.exists("values"));
    }
    try (Hdf5File file = Hdf5File.openForUpdate(path);
        Hdf5Dataset values =
            file.createDataset(
                "values", ElementType.INTEGER, new long[] {2}, DatasetOptions.CONTIGUOUS)) {
      values.writeIntegers(new long[] {3, 4});
    }
    return path;
  }

  @Test
  void soundFile_isRead() {
    target();
    try (Hdf5File file = Hdf5File.open(linkTo("target.h5"));
        Hdf5Dataset values = file.dataset("link")) {
      assertArrayEquals(new long[] {3, 4}, values.readIntegers());
    }
  }

  @Test
  void missingFile_leavesTheOthersReadable() {
    try (Hdf5File file = Hdf5File.open(linkTo("nowhere.h5"))) {
      assertFalse(file.exists("link"));
    }
  }

  @Test
  void pipe_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe.h5");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (String name : new String[] {"pipe.h5", pipe.toString()}) {
      Path links = linkTo(name);
      Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> Hdf5File.open(links));
      assertTrue(e.getMessage().contains("pipe.h5, which is a named pipe"), e.getMessage());
    }
  }

  @Test
  void damagedFile_isRefusedByItsName() throws Exception {
    Path target = target();
    byte[] bytes = Files.readAllBytes(target);
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    bytes[text.indexOf("HEAP") + 4] = 9;
    Files.write(target, bytes);
    Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> Hdf5File.open(linkTo("target.h5")));
    assertTrue(e.getMessage().startsWith(target + ": is damaged"), e.getMessage());
  }

  /** A dataset {@code group/values} with what a property list says about its storage. */
  private Path stored(LongConsumer storage, int version) {
    Path path = folder.resolve("stored.h5");
    synchronized (Hdf5Library.LOCK) {
      try (BytePointer name = Hdf5Library.text(path.toString());
          BytePointer group = Hdf5Library.text("group");
          BytePointer object = Hdf5Library.text("group/values");
          Handle access =
              Handle.properties(hdf5.H5Pcreate(hdf5.H5P_CLS_FILE_ACCESS_ID_g()), "H5Pcreate");
          Handle creation =
              Handle.properties(hdf5.H5Pcreate(hdf5.H5P_CLS_DATASET_CREATE_ID_g()), "H5Pcreate");
          Handle space = extents()) {
        hdf5.H5Pset_libver_bounds(access.id(), version, hdf5.H5F_LIBVER_LATEST);
        storage.accept(creation.id());
        long id =
            Hdf5Library.check(
                hdf5.H5Fcreate(name, hdf5.H5F_ACC_TRUNC, 0, access.id()), "H5Fcreate");
        hdf5.H5Gclose(Hdf5Library.check(hdf5.H5Gcreate2(id, group, 0, 0, 0), "H5Gcreate2"));
        hdf5.H5Dclose(
            Hdf5Library.check(
                hdf5.H5Dcreate2(
                    id, object, hdf5.H5T_NATIVE_LONG_g(), space.id(), 0, creation.id(), 0),
                "H5Dcreate2"));
        Hdf5Library.check(hdf5.H5Fclose(id), "H5Fclose");
      }
    }
    return path;
  }

  private static Handle extents() {
    return Handle.space(
        hdf5.H5Screate_simple(1, new long[] {2}, (long[]) null), "H5Screate_simple");
  }

  private static void assertRefused(Path path, String kind) {
    Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> Hdf5File.open(path));
    assertEquals(
        path
            + ": the values of /group/values lie in other files ("
            + kind
            + "), which is not supported; write a copy that holds them: h5repack --layout=CONTI"
            + " stored.h5 COPY.h5",
        e.getMessage());
  }

  /** What is read from such a file could be a pipe, on which a reader waits for ever. */
  @ParameterizedTest
  @ValueSource(ints = {hdf5.H5F_LIBVER_EARLIEST, hdf5.H5F_LIBVER_V110})
  void externalStorage_isRefused(int version) {
    LongConsumer external =
        creation -> {
          try (BytePointer pipe = Hdf5Library.text("pipe")) {
            Hdf5Library.check(hdf5.H5Pset_external(creation, pipe, 0, 16), "H5Pset_external");
          }
        };
    assertRefused(stored(external, version), "external storage");
  }

  @Test
  void virtualDataset_isRefused() {
    LongConsumer virtual =
        creation -> {
          try (BytePointer source = Hdf5Library.text("source.h5");
              BytePointer object = Hdf5Library.text("/values");
              Handle space = extents()) {
            Hdf5Library.check(
                hdf5.H5Pset_virtual(creation, space.id(), source, object, space.id()),
                "H5Pset_virtual");
          }
        };
    assertRefused(stored(virtual, hdf5.H5F_LIBVER_V110), "a virtual dataset");
  }
}
