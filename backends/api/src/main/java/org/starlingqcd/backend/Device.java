package org.starlingqcd.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A device that holds elements and contracts them. Memory calls are synchronous. Uploads,
 * downloads, kernels and random numbers are put into a stream and return at once; their failures
 * surface at the next synchronization of that stream. The caller keeps buffers given to an
 * asynchronous call alive and unchanged until the stream has passed the call (MemHC pins them).
 *
 * <p>A device is used from one thread at a time.
 */
public interface Device extends AutoCloseable {
  /** The present state of the device. */
  DeviceInfo info();

  /**
   * The precision of all elements of the device. It multiplies in this precision and sums traces in
   * double precision. Shapes given to it have the same precision.
   */
  default Precision precision() {
    return Precision.DOUBLE;
  }

  /**
   * Allocates a block; its contents are undefined.
   *
   * @throws OutOfDeviceMemoryException when the device has no free block of this size
   */
  DeviceMemory allocate(long bytes);

  /**
   * Allocates a block of one kind of memory; {@link #allocate(long)} gives fast memory. Only a
   * device that {@link #readsInPlace} has slow memory.
   *
   * @throws OutOfDeviceMemoryException when there is no free block of this size
   */
  default DeviceMemory allocate(long bytes, MemoryKind kind) {
    if (kind == MemoryKind.FAST) {
      return allocate(bytes);
    }
    throw new OutOfDeviceMemoryException("the device has no slow memory", bytes);
  }

  /** Whether all operations take blocks of slow memory as they take those of fast memory. */
  default boolean readsInPlace() {
    return false;
  }

  /**
   * Whether products, which read their operands several times, use slow memory where a copy would
   * not pay otherwise. If not, only traces do, and products only where fast memory has no room.
   */
  default boolean multipliesInPlace() {
    return readsInPlace();
  }

  /**
   * Copies an element from one block to another of the same size as it is, in the device's own
   * layout. Only for devices that {@link #readsInPlace}, and not for composed memory.
   */
  default void move(DeviceMemory source, DeviceMemory target, DeviceStream stream) {
    throw new UnsupportedOperationException("the device has one kind of memory");
  }

  /**
   * The name of the layout in which an element of a shape lies in memory of this device: where two
   * names are equal, so are the bytes. Empty for a device that cannot {@link #borrow}.
   */
  default Optional<String> layout(TensorShape shape) {
    return Optional.empty();
  }

  /**
   * The name of the kernel that multiplies nodes of this extent, where the device has several whose
   * results differ in the last bits. Empty otherwise.
   */
  default Optional<String> kernel(int extent) {
    return Optional.empty();
  }

  /** Writes an element in host layout to {@code target} as it lies in memory of this device. */
  default void arrange(HostMemory source, HostMemory target, TensorShape shape) {
    throw new UnsupportedOperationException("the device cannot borrow memory");
  }

  /**
   * Uses host memory that somebody else has filled with an element in this device's {@link #layout}
   * as a block of slow memory. Nothing writes to it. {@link #free} closes it.
   */
  default DeviceMemory borrow(HostMemory memory, TensorShape shape) {
    throw new UnsupportedOperationException("the device cannot borrow memory");
  }

  /**
   * Frees a block of {@link #allocate} after all work that uses it has run. Freeing a block twice
   * is a defect.
   */
  void free(DeviceMemory memory);

  /**
   * Whether {@link #free} of fast memory waits for nothing: who gets the place waits on the device
   * for the work that uses it.
   */
  default boolean freesInOrder() {
    return false;
  }

  /**
   * Combines separately allocated blocks, one for each spin, into one element without copying. The
   * caller still owns the parts and frees them one by one. MemHC needs this for breakdown without
   * packing.
   */
  DeviceMemory compose(List<DeviceMemory> spins);

  /** Allocates the host memory that is fastest to copy: page-locked where the device has it. */
  HostMemory allocateHost(long bytes);

  /** The stream in which kernels run by default. */
  DeviceStream computeStream();

  /** Opens a further stream; it lives until the device is closed. */
  DeviceStream openStream();

  /** Marks the current end of a stream. */
  DeviceEvent record(DeviceStream stream);

  /** As {@link #record}, for an event whose time {@link #secondsBetween} will be asked for. */
  default DeviceEvent recordTime(DeviceStream stream) {
    return record(stream);
  }

  /** Makes all work put into {@code stream} from now on wait for {@code event}. */
  void waitFor(DeviceStream stream, DeviceEvent event);

  /** Whether the event has been reached; never blocks. */
  boolean isReached(DeviceEvent event);

  /**
   * Seconds that passed on the device from one event of {@link #recordTime} to a later one, both
   * reached; empty for a device that does not measure time.
   */
  default OptionalDouble secondsBetween(DeviceEvent first, DeviceEvent second) {
    return OptionalDouble.empty();
  }

  /** Says that nobody will ask for the time of an event, unless it is recorded again. */
  default void forgetTime(DeviceEvent event) {}

  /**
   * Blocks until the event is reached. Throws the failure of earlier work in the stream, if any.
   */
  void synchronize(DeviceEvent event);

  /** Blocks until the stream is empty. Throws the failure of work in it, if any. */
  void synchronize(DeviceStream stream);

  /**
   * Copies an element from host layout ({@link TensorShape}) at byte {@code offset} of {@code
   * source} to the device and converts it to the device's layout.
   */
  void upload(
      HostMemory source, long offset, DeviceMemory target, TensorShape shape, DeviceStream stream);

  /** The reverse of {@link #upload}; an uploaded element comes back bit for bit. */
  void download(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream);

  /**
   * As {@link #download}, for a copy that only {@link #restore} and {@link #unpack} read: the
   * element may come as it lies in memory of the device.
   *
   * @return the form of the copy; null is host layout
   */
  default @Nullable Object save(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream) {
    download(source, target, offset, shape, stream);
    return null;
  }

  /** The reverse of {@link #save}; the element lies in memory as it did before. */
  default void restore(
      HostMemory source,
      long offset,
      @Nullable Object form,
      DeviceMemory target,
      TensorShape shape,
      DeviceStream stream) {
    upload(source, offset, target, shape, stream);
  }

  /** Brings a copy of {@link #save} to host layout, on the host. */
  default void unpack(
      HostMemory source,
      long from,
      @Nullable Object form,
      HostMemory target,
      long to,
      TensorShape shape) {
    source.copyTo(from, target, to, shape.bytes());
  }

  /**
   * Flops of contractions that should be launched together, so that launching takes the host less
   * time than the work takes the device; 0 for a device that gains nothing.
   */
  default double flopsOfLaunch() {
    return 0;
  }

  /**
   * The form, as of {@link #save}, in which {@link #restore} takes inputs, whose bytes are those of
   * host layout. A device that keeps inputs as they come copies them in one piece.
   */
  default @Nullable Object formOfInputs() {
    return null;
  }

  /**
   * Whether products are faster where the spin matrix between two nodes is 1, so that nodes are
   * best kept with the gamma matrix in them that their products have before them.
   */
  default boolean prefersGammasInNodes() {
    return false;
  }

  /**
   * Copies an element of another device of the same backend, whose layout it keeps. The copy begins
   * when {@code stream} and, on the other device, {@code otherStream} have passed the work that is
   * in them now; later work in either waits for it. Both devices are used by the calling thread.
   */
  default void copyFrom(
      DeviceMemory target,
      DeviceStream stream,
      Device other,
      DeviceMemory source,
      DeviceStream otherStream,
      TensorShape shape) {
    try (HostMemory between = allocateHost(shape.bytes())) {
      other.download(source, between, 0, shape, otherStream);
      other.synchronize(otherStream);
      upload(between, 0, target, shape, stream);
      synchronize(stream);
    }
  }

  /** Runs one vector pair. The batch may be reused as soon as the call returns. */
  void contract(ContractionBatch batch, DeviceStream stream);

  /**
   * Computes traces into {@code results} (complex doubles, interleaved), which holds them once the
   * stream has passed the call. Equal inputs in equal order give results that are equal bit for
   * bit.
   */
  void trace(List<TraceBlock> blocks, HostMemory results, DeviceStream stream);

  /**
   * Runs a stage of a contraction of pairs of lines. The scratch memory must still hold the results
   * of the earlier stages; it may have been downloaded and uploaded again in between.
   */
  void contractPairs(PairContraction contraction, PairContraction.Stage stage, DeviceStream stream);

  /**
   * Adds components of pair blocks ({@link PairContraction}) or of another meson node into a meson
   * node, which is overwritten. Counts {@code 8·N²} flops for each entry.
   */
  void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream);

  /**
   * Makes a matrix from pairs to pairs of two lines: with {@code Z[k,l,k',l'] = Σ_e factor[e]
   * first[p[e]][k,k'] second[q[e]][l,l']} it is {@code w w' (Z[k,l,k',l'] + s Z[l,k,k',l'] + s'
   * Z[k,l,l',k'] + s s' Z[l,k,l',k'])}, w = 1/2 for k = l, 1 otherwise. Counts {@code 8·N⁴} flops
   * for each entry. Unless a device does better, the host computes it, and the lines and the result
   * are copied: little work beside the product with the matrix, N⁶.
   *
   * @param rows pairs k, l, with the sign s of an exchange
   * @param columns pairs k', l', with s' and as many rows of a strip
   * @param pairs an element of {@link PairPacking#matrixShape}, which is overwritten
   * @param scratch an element of {@link PairPacking#scratchShape} with {@link
   *     PairPacking#FORM_HALVES}
   */
  default void formPairs(
      DeviceMemory first,
      DeviceMemory second,
      LinePairSum sum,
      PairPacking rows,
      PairPacking columns,
      DeviceMemory pairs,
      DeviceMemory scratch,
      DeviceStream stream) {
    int n = rows.extent();
    TensorShape line = TensorShape.mesonNode(n).in(precision());
    TensorShape shape = columns.matrixShape(rows.pairs(), precision());
    onHost(
        List.of(
            new RowWork.Operand(first, line, n),
            new RowWork.Operand(second, line, n),
            new RowWork.Operand(pairs, shape, columns.rows())),
        n,
        HostPairs.form(sum, rows, columns),
        stream);
  }

  /**
   * Closes the second indices of both pairs of a tetraquark with a line: {@code block[c][i][k] =
   * Σ_jl K[i,j,k,l] line[c][l,j]} for the 16 components c of the line. Counts {@code 16 · 8·N⁴}
   * flops. The host computes it as {@link #formPairs}.
   *
   * @param tetraquark K in strips, elements of {@link PairPacking#stripShape}
   * @param block an element of {@link PairContraction#blockShape}, which is overwritten
   * @param scratch an element of {@link PairPacking#scratchShape} with {@link
   *     PairPacking#CLOSE_HALVES}
   */
  default void closePair(
      List<DeviceMemory> tetraquark,
      DeviceMemory line,
      PairPacking packing,
      DeviceMemory block,
      DeviceMemory scratch,
      DeviceStream stream) {
    int n = packing.extent();
    List<RowWork.Operand> operands = new ArrayList<>();
    for (DeviceMemory strip : tetraquark) {
      operands.add(new RowWork.Operand(strip, packing.stripShape(precision()), packing.pairs()));
    }
    operands.add(new RowWork.Operand(line, TensorShape.mesonNode(n).in(precision()), n));
    operands.add(
        new RowWork.Operand(
            block, PairContraction.blockShape(n, PairContraction.LINE_SPINS).in(precision()), n));
    onHost(operands, n, HostPairs.close(packing), stream);
  }

  /**
   * Work of the processor on elements, for steps that are few beside the products around them.
   * Unless a device's memory is the host's, the elements are copied.
   *
   * @param operands elements that are read, and last the one that is overwritten
   */
  default void onHost(
      List<RowWork.Operand> operands, int parts, RowWork work, DeviceStream stream) {
    HostRows.run(this, operands, parts, work, stream);
  }

  /**
   * The calls of BLAS on matrices in this device's memory; empty for a device without them. Their
   * numbers have double precision on every device. A device returns the same object every time.
   */
  default Optional<MatrixOperations> matrices() {
    return Optional.empty();
  }

  /**
   * Fills an element with complex numbers, both parts uniform in [-1, 1), reproducibly from {@code
   * seed}.
   */
  void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream);

  /**
   * Frees the device's own resources. Blocks that the caller did not free are reported as a defect.
   */
  @Override
  void close();
}
