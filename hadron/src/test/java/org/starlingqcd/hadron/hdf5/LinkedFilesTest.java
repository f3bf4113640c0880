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
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;

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
              hdf5.H5Lcreate_external(name, object, file.idToWrite(), link, 0, 0),
              "H5Lcreate_external");
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
        Hdf5Dataset values = file.createDataset("values", ElementType.INTEGER, 2)) {
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
      try (Hdf5File file = Hdf5File.open(links)) {
        Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> file.exists("link"));
        assertTrue(e.getMessage().contains("pipe.h5, which is a named pipe"), e.getMessage());
      }
    }
  }

  @Test
  void damagedFile_isRefusedByItsName() throws Exception {
    Path target = target();
    byte[] bytes = Files.readAllBytes(target);
    bytes[8] = 9;
    Files.write(target, bytes);
    try (Hdf5File file = Hdf5File.open(linkTo("target.h5"))) {
      Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> file.dataset("link"));
      assertTrue(e.getMessage().startsWith(target + ": cannot be read: "), e.getMessage());
    }
  }

  /** A dataset {@code group/values} with what a property list says about its storage. */
  private Path stored(LongConsumer storage, int version) {
    Path path = folder.resolve("stored.h5");
    synchronized (Hdf5Library.LOCK) {
      try (BytePointer name = Hdf5Library.text(path.toString());
          BytePointer group = Hdf5Library.text("group");
          BytePointer object = Hdf5Library.text("group/values");
          Handle access = Handle.properties(hdf5.H5P_CLS_FILE_ACCESS_ID_g());
          Handle creation = Handle.properties(hdf5.H5P_CLS_DATASET_CREATE_ID_g());
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
    return Handle.space(2);
  }

  private static void assertRefused(Path path, String kind) {
    try (Hdf5File file = Hdf5File.open(path)) {
      Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> file.dataset("group/values"));
      assertEquals(
          path
              + ": 'group/values': values lie in other files ("
              + kind
              + "), which is not supported; write a copy that holds them: h5repack --layout=CONTI"
              + " FILE.h5 COPY.h5",
          e.getMessage());
    }
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

  @Test
  void softLinks_startAtTheirGroup() {
    Path path = folder.resolve("soft.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      file.createDataset("a/b", ElementType.INTEGER, 1).writeIntegers(new long[] {5});
      synchronized (Hdf5Library.LOCK) {
        for (String[] link : new String[][] {{"b", "a/near"}, {"/a/b", "far"}, {"no", "nowhere"}}) {
          Hdf5Library.check(
              hdf5.H5Lcreate_soft(
                  Hdf5Library.text(link[0]), file.idToWrite(), Hdf5Library.text(link[1]), 0, 0),
              "H5Lcreate_soft");
        }
      }
    }
    try (Hdf5File file = Hdf5File.open(path)) {
      for (String object : new String[] {"a/b", "a/near", "far"}) {
        try (Hdf5Dataset values = file.dataset(object)) {
          assertArrayEquals(new long[] {5}, values.readIntegers());
        }
      }
      assertFalse(file.exists("nowhere"));
    }
  }

  /** Programs on QDP++ give types names; datasets then refer to them. */
  @ParameterizedTest
  @ValueSource(ints = {hdf5.H5F_LIBVER_EARLIEST, hdf5.H5F_LIBVER_V18})
  void typeWithName_isFound(int version) {
    Path path = folder.resolve("named.h5");
    synchronized (Hdf5Library.LOCK) {
      try (Handle access = Handle.properties(hdf5.H5P_CLS_FILE_ACCESS_ID_g());
          Handle type = new Handle(hdf5.H5Tcopy(Hdf5Library.COMPLEX), "H5Tcopy", hdf5::H5Tclose);
          Handle space = Handle.space(1);
          org.bytedeco.javacpp.DoublePointer values =
              new org.bytedeco.javacpp.DoublePointer(1.0, 2.0)) {
        hdf5.H5Pset_libver_bounds(access.id(), version, hdf5.H5F_LIBVER_LATEST);
        long id =
            hdf5.H5Fcreate(Hdf5Library.text(path.toString()), hdf5.H5F_ACC_TRUNC, 0, access.id());
        hdf5.H5Tcommit2(id, Hdf5Library.text("complex"), type.id(), 0, 0, 0);
        long dataset = hdf5.H5Dcreate2(id, Hdf5Library.text("x"), type.id(), space.id(), 0, 0, 0);
        hdf5.H5Dwrite(dataset, Hdf5Library.COMPLEX, 0, 0, 0, values);
        hdf5.H5Dclose(dataset);
        Hdf5Library.check(hdf5.H5Fclose(id), "H5Fclose");
      }
    }
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      assertEquals(ObjectKind.OTHER, file.kind("complex"));
      assertArrayEquals(new double[] {1, 2}, x.readAll());
    }
  }
}
