package org.starlingqcd.backend;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

  @Override
  public void get(int component, int row, double[] numbers, int at) {
    both(component, row, numbers, at, false);
  }

  @Override
  public void put(int component, int row, double[] numbers, int at) {
    both(component, row, numbers, at, true);
  }

  private void both(int component, int row, double[] numbers, int at, boolean put) {
    int n = operand.columns();
    int real = operand.shape().precision().realBytes();
    long place = component * operand.shape().componentSize() + (long) row * n;
    ByteBuffer mixed = host.bytes(2L * real * place, 2 * real * n).order(ByteOrder.nativeOrder());
    for (int k = 0; k < 2 * n; k++) {
      int number = at + k % 2 * n + k / 2;
      if (real == Double.BYTES && put) {
        mixed.putDouble(real * k, numbers[number]);
      } else if (real == Double.BYTES) {
        numbers[number] = mixed.getDouble(real * k);
      } else if (put) {
        mixed.putFloat(real * k, (float) numbers[number]);
      } else {
        numbers[number] = mixed.getFloat(real * k);
      }
    }
  }
}
