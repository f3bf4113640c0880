package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.GpuProvider;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuPlatform;
import org.starlingqcd.backend.gpu.library.MatrixCalls;

/**
 * The program with a mistake in it, one at a time: the fake device notices each, and finds nothing
 * where there is none. A mistake is a change of the program's calls of CUDA.
 */
@Tag("slow")
class MutantsTest {
  private static final int EXTENT = 16;
  private static final TensorShape NODE = TensorShape.mesonNode(EXTENT);
  private static final long GIB = 1L << 30;

  /** Memory that takes RAM only where it is written. */
  private static final long BYTES = 16 * GIB;

  /** Contractions of a batch, whose addresses fill several pages. */
  private static final int CONTRACTIONS = 192;

  private static final int BATCH = 70_000;

  /** A call with its arguments and what it does without a mistake. */
  private interface Call {
    Object run(Object... arguments) throws ReflectiveOperationException;
  }

  /** Returns what a changed call does; null where it is not the one to change. */
  private interface Change {
    @Nullable Object apply(String name, Object[] arguments, Call call)
        throws ReflectiveOperationException;
  }

  /** A mistake, the work in which it shows, and what the fake device says. */
  @SuppressWarnings("ImmutableEnumChecker") // some mistakes count calls, in one test each
  private enum Mutant {
    STREAMS_ARE_NOT_ORDERED(
        "is not ordered against", MutantsTest::products, ignoring("waitForEvent")),
    NEW_USERS_OF_A_PLACE_DO_NOT_WAIT(
        "is not ordered against", MutantsTest::placeOfAnother, ignoring("waitForEvent")),
    BUFFERS_ARE_FILLED_WHILE_THEY_ARE_COPIED(
        "the host uses page-locked memory of a copy in flight",
        MutantsTest::products,
        ignoring("queryEvent", "synchronizeEvent", "elapsed")),
    RESULTS_ARE_READ_BEFORE_THEY_ARRIVE(
        "the host uses page-locked memory of a copy in flight",
        MutantsTest::products,
        new Impatient()),
    MEMORY_IS_FREED_WHILE_IT_IS_USED(
        "memory is freed while the host has not waited for work",
        MutantsTest::freeing,
        ignoring("synchronizeStream")),
    INPUTS_ARE_READ_WHILE_THEY_ARE_COPIED(
        "the host uses page-locked memory of a copy in flight",
        MutantsTest::pageLockedInputs,
        ignoring("queryEvent", "synchronizeEvent")),
    PAGE_LOCKED_MEMORY_IS_FREED_WHILE_IT_IS_COPIED(
        "host memory is freed while the host has not waited for work",
        MutantsTest::pageLockedInputs,
        ignoring("synchronizeEvent", "synchronizeStream")),
    FREED_MEMORY_IS_USED("after free", MutantsTest::freeing, new Stale()),
    NEW_MEMORY_COUNTS_AS_ZERO("not a number", MutantsTest::uncovered, ignoring("clear")),
    OFFSETS_HAVE_32_BITS(
        "numbers differ",
        MutantsTest::farAway,
        (name, a, call) ->
            name.equals("copy") && (long) a[2] == 64 && a[3] == CopyDirection.UP
                ? call.run((long) a[0] - 4 * GIB, a[1], a[2], a[3], a[4])
                : null),
    HOST_OFFSETS_HAVE_32_BITS(
        "numbers differ",
        MutantsTest::farAway,
        (name, a, call) ->
            name.equals("copy") && (long) a[2] == 64 && a[3] == CopyDirection.UP
                ? call.run(a[0], (long) a[1] - 2 * GIB, a[2], a[3], a[4])
                : null),
    BATCHES_ARE_NOT_SPLIT(
        "more products than a grid has blocks",
        MutantsTest::largeBatch,
        (name, a, call) -> {
          if (!name.equals("gemm")) {
            return null;
          }
          Object[] whole = a.clone();
          Strides s = (Strides) a[2];
          whole[2] = new Strides(BATCH, s.a(), s.b(), s.c());
          return s.count() == BATCH - 65_535 ? GpuCalls.SUCCESS : call.run(whole);
        }),
    DEVICES_ARE_NOT_CHANGED(
        "while device 1 is current",
        MutantsTest::twoDevices,
        (name, a, call) -> name.equals("setDevice") && a[0].equals(0) ? GpuCalls.SUCCESS : null),
    EVERY_BLOCK_COMES_FROM_THE_DRIVER(
        "OutOfDeviceMemoryException", MutantsTest::manyBlocks, (name, a, call) -> null);

    private final String words;
    private final Consumer<GpuProvider> work;
    private final Change change;

    Mutant(String words, Consumer<GpuProvider> work, Change change) {
      this.words = words;
      this.work = work;
      this.change = change;
    }
  }

  private static Change ignoring(String... names) {
    return (name, arguments, call) -> Arrays.asList(names).contains(name) ? GpuCalls.SUCCESS : null;
  }

  /** Does not wait for a stream once there are products. */
  private static final class Impatient implements Change {
    private boolean computing;

    @Override
    public @Nullable Object apply(String name, Object[] arguments, Call call) {
      computing |= name.startsWith("multiply");
      return computing && name.equals("synchronizeStream") ? GpuCalls.SUCCESS : null;
    }
  }

  /** Makes a product fail for lack of memory and does not look at its status. */
  private static final class Careless implements Change {
    private boolean failed;

    @Override
    public @Nullable Object apply(String name, Object[] arguments, Call call)
        throws ReflectiveOperationException {
      if (failed || !name.equals("multiplyPointers")) {
        return null;
      }
      FakeCuda.failAt(FakeCuda.calls(), 2, false);
      failed = call.run(arguments).equals(3);
      return GpuCalls.SUCCESS;
    }
  }

  /** Gives the block out again that was freed last, without a call of the driver. */
  private static final class Stale implements Change {
    private long freed;

    @Override
    public @Nullable Object apply(String name, Object[] arguments, Call call) {
      if (name.equals("free")) {
        freed = (long) arguments[0];
      } else if (name.equals("allocate") && freed != 0) {
        ((long[]) arguments[0])[0] = freed;
        freed = 0;
        return GpuCalls.SUCCESS;
      }
      return null;
    }
  }

  private static final class MutantProvider extends GpuProvider {
    private final Change change;

    MutantProvider(Change change) {
      super("CUDA");
      this.change = change;
    }

    @Override
    public String name() {
      return "mutant";
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    protected GpuPlatform load() {
      CudaPlatform platform = CudaPlatform.load(new CudaInstallation(List.of()));
      return new GpuPlatform() {
        @Override
        public int deviceCount() {
          return platform.deviceCount();
        }

        @Override
        public DeviceInfo describe(int device) {
          return platform.describe(device);
        }

        @Override
        public GpuCalls calls(int device) {
          return changed(GpuCalls.class, platform.calls(device), change);
        }
      };
    }
  }

  private static <T> T changed(Class<T> type, T real, Change change) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              try {
                Object changed =
                    change.apply(method.getName(), given, all -> invoke(method, real, all));
                Object result = changed == null ? invoke(method, real, given) : changed;
                return method.getName().equals("matrixCalls")
                    ? ((Optional<?>) result)
                        .map(calls -> changed(MatrixCalls.class, (MatrixCalls) calls, change))
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
    return type.cast(proxy);
  }

  private static Object invoke(Method method, Object real, Object... arguments)
      throws ReflectiveOperationException {
    method.setAccessible(true);
    return method.invoke(real, arguments);
  }

  @AfterEach
  void leave() {
    FakeCuda.leave();
    System.clearProperty("starling.gpu.slabs");
  }

  /** What the device reports about the work, or why it failed. */
  private static String found(Mutant mutant, Change change) {
    FakeCuda.use(2, 7);
    FakeCuda.reset(BYTES, 2, 7);
    String failure = "";
    try {
      mutant.work.accept(new MutantProvider(change));
    } catch (RuntimeException | AssertionError e) {
      failure = e + "\n";
      for (Throwable suppressed : e.getSuppressed()) {
        failure += suppressed + "\n";
      }
    }
    return failure + FakeCuda.report();
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isCaught(Mutant mutant) {
    setSlabs(mutant, false);
    assertEquals("", found(mutant, (name, arguments, call) -> null), "without the mistake");
    setSlabs(mutant, true);
    String found = found(mutant, mutant.change);
    assertTrue(found.contains(mutant.words), found);
  }

  /** Mistakes about single blocks show where each is the driver's. */
  private static void setSlabs(Mutant mutant, boolean mistaken) {
    boolean off =
        switch (mutant) {
          case MEMORY_IS_FREED_WHILE_IT_IS_USED, FREED_MEMORY_IS_USED -> true;
          case EVERY_BLOCK_COMES_FROM_THE_DRIVER -> mistaken;
          default -> false;
        };
    System.setProperty("starling.gpu.slabs", off ? "off" : "on");
  }

  private static Device open(GpuProvider provider, int number) {
    return provider.open(new DeviceOptions(number, 0, 512L << 20, false));
  }

  private static void with(
      GpuProvider provider, BiFunction<Device, List<DeviceMemory>, String> work) {
    List<DeviceMemory> blocks = new ArrayList<>();
    try (Device device = open(provider, 0)) {
      String outcome;
      try {
        outcome = work.apply(device, blocks);
      } finally {
        blocks.forEach(device::free);
      }
      assertEquals("", outcome);
    }
  }

  private static DeviceMemory random(Device device, List<DeviceMemory> blocks) {
    DeviceMemory block = device.allocate(NODE.bytes());
    blocks.add(block);
    device.fillRandom(block, NODE, blocks.size(), device.computeStream());
    return block;
  }

  /** Batches whose inputs come and whose results go on streams of their own. */
  private static void products(GpuProvider provider) {
    with(
        provider,
        (device, blocks) -> {
          DeviceStream copies = device.openStream();
          DeviceMemory left = random(device, blocks);
          DeviceMemory right = random(device, blocks);
          List<DeviceMemory> results = new ArrayList<>();
          for (int k = 0; k < CONTRACTIONS; k++) {
            results.add(device.allocate(NODE.bytes()));
          }
          blocks.addAll(results);
          device.synchronize(device.computeStream());
          try (HostMemory host = device.allocateHost(NODE.bytes())) {
            host.clear();
            device.upload(host, 0, left, NODE, copies);
            device.waitFor(device.computeStream(), device.record(copies));
            for (int call = 0; call < 2; call++) {
              ContractionBatch batch = new ContractionBatch(EXTENT, EXTENT, EXTENT);
              for (DeviceMemory result : results) {
                batch.add(left, right, result, BatchSpinMapping.mesonProduct());
              }
              device.contract(batch, device.computeStream());
            }
            device.waitFor(copies, device.record(device.computeStream()));
            device.download(results.get(0), host, 0, NODE, copies);
            device.synchronize(copies);
            double[] numbers = new double[(int) (NODE.bytes() / Double.BYTES)];
            host.get(0, numbers, 0, numbers.length);
            device.synchronize(device.computeStream());
          }
          return "";
        });
  }

  /** Inputs that are read into a ring of two places and copied out of them. */
  private static void pageLockedInputs(GpuProvider provider) {
    with(
        provider,
        (device, blocks) -> {
          DeviceStream copies = device.openStream();
          DeviceEvent[] copied = new DeviceEvent[2];
          double[] numbers = new double[(int) (NODE.bytes() / Double.BYTES)];
          try (HostMemory slab = Objects.requireNonNull(provider.pageLocked(0, 2 * NODE.bytes()))) {
            for (int k = 0; k < 6; k++) {
              blocks.add(device.allocate(NODE.bytes()));
              long offset = k % 2 * NODE.bytes();
              if (k > 1) {
                device.synchronize(copied[k % 2]);
              }
              slab.put(offset / Double.BYTES, numbers, 0, numbers.length);
              device.upload(slab, offset, blocks.get(k), NODE, copies);
              copied[k % 2] = device.record(copies);
            }
            device.synchronize(copies);
          }
          return "";
        });
  }

  private static void freeing(GpuProvider provider) {
    with(
        provider,
        (device, blocks) -> {
          DeviceMemory first = random(device, blocks);
          device.free(first);
          blocks.clear();
          random(device, blocks);
          device.synchronize(device.computeStream());
          return "";
        });
  }

  /** A place that two streams use, one after the other, as blocks of different elements. */
  private static void placeOfAnother(GpuProvider provider) {
    with(
        provider,
        (device, blocks) -> {
          DeviceStream copies = device.openStream();
          DeviceMemory first = random(device, blocks);
          device.free(first);
          blocks.clear();
          DeviceMemory second = device.allocate(NODE.bytes());
          blocks.add(second);
          // A copy to the host needs no buffer of the device's, for which the host might wait.
          try (HostMemory host = device.allocateHost(NODE.bytes())) {
            device.download(second, host, 0, NODE, copies);
            device.synchronize(copies);
            device.synchronize(device.computeStream());
          }
          return "";
        });
  }

  /** A product that reaches one of four components; the others are zero. */
  private static void uncovered(GpuProvider provider) {
    with(
        provider,
        (device, blocks) -> {
          DeviceMemory left = random(device, blocks);
          DeviceMemory right = random(device, blocks);
          DeviceMemory result = device.allocate(NODE.bytes());
          blocks.add(result);
          ContractionBatch batch = new ContractionBatch(EXTENT, EXTENT, EXTENT);
          int[] zero = {0};
          batch.add(
              left,
              right,
              result,
              new BatchSpinMapping(16, 16, 16, zero, zero, zero, new double[] {1, 0}));
          device.contract(batch, device.computeStream());
          try (HostMemory host = device.allocateHost(NODE.bytes())) {
            device.download(result, host, 0, NODE, device.computeStream());
            device.synchronize(device.computeStream());
            double[] numbers = new double[(int) (NODE.bytes() / Double.BYTES)];
            host.get(0, numbers, 0, numbers.length);
            return Arrays.stream(numbers).anyMatch(Double::isNaN) ? "not a number" : "";
          }
        });
  }

  private static MatrixOperations matrices(Device device) {
    return device.matrices().orElseThrow();
  }

  /** Copies to and from places beyond 2³¹ and 2³² bytes, on the host and on the device. */
  private static void farAway(GpuProvider provider) {
    try (Device device = provider.open(new DeviceOptions(0, 0, 6 * GIB, false))) {
      DeviceMemory block = device.allocate(5 * GIB);
      try (HostMemory host = device.allocateHost(3 * GIB)) {
        double[] numbers = {1, 2, 3, 4, 5, 6, 7, 8};
        long far = 5 * GIB / 2;
        host.put(far / Double.BYTES, numbers, 0, numbers.length);
        Place place = new Place(block, 9 * GIB / 2);
        DeviceStream stream = device.computeStream();
        matrices(device).toDevice(host, far, place, 64, stream);
        matrices(device).toHost(place, host, 0, 64, stream);
        device.synchronize(stream);
        double[] back = new double[numbers.length];
        host.get(0, back, 0, back.length);
        assertTrue(Arrays.equals(numbers, back), "numbers differ: " + Arrays.toString(back));
      } finally {
        device.free(block);
      }
    }
  }

  /** More products than a grid has blocks in its second direction, far apart in memory. */
  private static void largeBatch(GpuProvider provider) {
    try (Device device = provider.open(new DeviceOptions(0, 0, 6 * GIB, false))) {
      long bytes = (long) BATCH * Double.BYTES;
      DeviceMemory numbers = device.allocate(bytes);
      DeviceMemory results = device.allocate(bytes);
      try (HostMemory host = device.allocateHost(bytes)) {
        double[] values = new double[BATCH];
        Arrays.setAll(values, k -> 0.5 * k);
        host.put(0, values, 0, BATCH);
        DeviceStream stream = device.computeStream();
        matrices(device).toDevice(host, 0, Place.of(numbers), bytes, stream);
        matrices(device)
            .multiplyAll(
                ProductShape.dense(NumberKind.REAL, Form.PLAIN, Form.PLAIN, 1, 1, 1),
                new Strides(BATCH, 1, 1, 1),
                Place.of(numbers),
                Place.of(numbers),
                Place.of(results),
                stream);
        matrices(device).toHost(Place.of(results), host, 0, bytes, stream);
        device.synchronize(stream);
        double[] squares = new double[BATCH];
        host.get(0, squares, 0, BATCH);
        for (int k = 0; k < BATCH; k++) {
          assertEquals(values[k] * values[k], squares[k]);
        }
      } finally {
        device.free(numbers);
        device.free(results);
      }
    }
  }

  private static void twoDevices(GpuProvider provider) {
    try (Device zero = open(provider, 0);
        Device one = open(provider, 1)) {
      DeviceMemory a = zero.allocate(NODE.bytes());
      DeviceMemory b = one.allocate(NODE.bytes());
      zero.fillRandom(a, NODE, 1, zero.computeStream());
      one.fillRandom(b, NODE, 1, one.computeStream());
      zero.synchronize(zero.computeStream());
      one.synchronize(one.computeStream());
      zero.free(a);
      one.free(b);
    }
  }

  /** A hundred small blocks on a device with room for a few dozen units of 2 MiB. */
  private static void manyBlocks(GpuProvider provider) {
    FakeCuda.reset(96L << 20, 1, 7);
    with(
        provider,
        (device, blocks) -> {
          for (int k = 0; k < 100; k++) {
            blocks.add(device.allocate(1024));
          }
          return "";
        });
  }

  /**
   * Every call of cuBLAS fails once for lack of memory: the failure says so, nothing is left
   * behind, and the next run works. A program that looks at no status of a product ends without a
   * failure.
   */
  @Test
  void allocFailedAnywhere_isNamed() {
    FakeCuda.use(1, 7);
    MutantProvider plain = new MutantProvider((name, arguments, call) -> null);
    products(plain); // loads the libraries
    FakeCuda.reset(FakeCuda.BYTES, 1, 7);
    products(plain);
    List<Long> calls = new ArrayList<>();
    List<String> names = FakeCuda.callNames();
    for (int call = 0; call < names.size(); call++) {
      String name = names.get(call);
      if (name.startsWith("cublas") && !name.equals("cublasDestroy") && calls.size() < 40) {
        calls.add((long) call);
      }
    }
    int failed = 0;
    for (long call : calls) {
      String failure = failing(plain, call);
      String name = FakeCuda.callName(call);
      if (name.startsWith("cublas")) { // some calls come earlier or later, as copies finish
        failed++;
        assertTrue(
            failure.contains(name + "(") && failure.contains("3 CUBLAS_STATUS_ALLOC_FAILED"),
            call + ": " + failure);
        assertEquals("", FakeCuda.report(), "call " + call);
      }
    }
    assertTrue(failed > 5, calls.toString());
    Careless careless = new Careless();
    FakeCuda.reset(FakeCuda.BYTES, 1, 7);
    products(new MutantProvider(careless));
    assertTrue(careless.failed);
    FakeCuda.reset(FakeCuda.BYTES, 1, 7);
    products(plain);
    assertEquals("", FakeCuda.report());
  }

  /** What a run says in which a call fails with HIPBLAS_STATUS_ALLOC_FAILED, cuBLAS's 3. */
  private static String failing(GpuProvider provider, long call) {
    FakeCuda.reset(FakeCuda.BYTES, 1, 7);
    FakeCuda.failAt(call, 2, false);
    try {
      products(provider);
      return "";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
