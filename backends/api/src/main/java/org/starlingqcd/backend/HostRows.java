package org.starlingqcd.backend;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of a copy of an element on the host. */
record HostRows(RowWork.Operand operand, HostMemory host) implements RowWork.Rows {
  /** {@link Device#onHost} with copies. */
  static void run(
      Device device, List<RowWork.Operand> operands, int parts, RowWork work, DeviceStream stream) {
    List<HostMemory> copies = new ArrayList<>();
    try {
      List<RowWork.Rows> rows = new ArrayList<>();
      int last = operands.size() - 1;
      for (int k = 0; k <= last; k++) {
        RowWork.Operand operand = operands.get(k);
        copies.add(device.allocateHost(operand.shape().bytes()));
        rows.add(new HostRows(operand, copies.get(k)));
        if (k < last) {
          device.download(operand.memory(), copies.get(k), 0, operand.shape(), stream);
        }
      }
      device.synchronize(stream);
      IntStream.range(0, parts).parallel().forEach(part -> work.run(part, rows));
      RowWork.Operand target = operands.get(last);
      device.upload(copies.get(last), 0, target.memory(), target.shape(), stream);
      device.synchronize(stream);
    } finally {
      copies.forEach(HostMemory::close);
    }
  }

  private long place(int component, int row) {
    return component * operand.shape().componentSize() + (long) row * operand.columns();
  }

  private FloatBuffer floats(long place) {
    int bytes = 2 * Float.BYTES * operand.columns();
    return host.bytes(2 * Float.BYTES * place, bytes)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }

  @Override
  public void get(int component, int row, double[] numbers, int at) {
    int n = operand.columns();
    long place = place(component, row);
    double[] mixed = new double[2 * n];
    if (operand.shape().precision() == Precision.DOUBLE) {
      host.get(2 * place, mixed, 0, 2 * n);
    } else {
      FloatBuffer floats = floats(place);
      for (int k = 0; k < 2 * n; k++) {
        mixed[k] = floats.get(k);
      }
    }
    for (int k = 0; k < n; k++) {
      numbers[at + k] = mixed[2 * k];
      numbers[at + n + k] = mixed[2 * k + 1];
    }
  }

  @Override
  public void put(int component, int row, double[] numbers, int at) {
    int n = operand.columns();
    long place = place(component, row);
    double[] mixed = new double[2 * n];
    for (int k = 0; k < n; k++) {
      mixed[2 * k] = numbers[at + k];
      mixed[2 * k + 1] = numbers[at + n + k];
    }
    if (operand.shape().precision() == Precision.DOUBLE) {
      host.put(2 * place, mixed, 0, 2 * n);
    } else {
      FloatBuffer floats = floats(place);
      for (int k = 0; k < 2 * n; k++) {
        floats.put(k, (float) mixed[k]);
      }
    }
  }
}
