package org.starlingqcd.hadron.execute;

/**
 * Work and time of executing one or several queues. Kernels run asynchronously: the seconds of a
 * stage are those that passed on the device, waits for inputs included, and 0 where the device
 * keeps no time; {@code waitSeconds} is the calling thread's wait for the last kernels.
 *
 * @param work what was computed
 * @param blocksRead input blocks loaded
 * @param bytesRead their bytes
 * @param readSeconds time for which the calling thread waited for data
 * @param buildSeconds the device's time for the nodes
 * @param contractSeconds the device's time for the products
 * @param traceSeconds the device's time for the traces
 * @param copySeconds the device's time for copies, which go on beside kernels
 * @param stallSeconds the part of the stages' time in which kernels waited for copies
 * @param waitSeconds wait for the device at the end
 * @param wallSeconds total elapsed time
 */
public record ExecutionStatistics(
    QueueWork work,
    long blocksRead,
    long bytesRead,
    double readSeconds,
    double buildSeconds,
    double contractSeconds,
    double traceSeconds,
    double copySeconds,
    double stallSeconds,
    double waitSeconds,
    double wallSeconds) {
  /** Nothing done yet. */
  public static final ExecutionStatistics ZERO =
      new ExecutionStatistics(QueueWork.NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The same with another elapsed time. */
  ExecutionStatistics lasting(double seconds) {
    return new ExecutionStatistics(
        work,
        blocksRead,
        bytesRead,
        readSeconds,
        buildSeconds,
        contractSeconds,
        traceSeconds,
        copySeconds,
        stallSeconds,
        waitSeconds,
        seconds);
  }

  /** The sum with another. */
  public ExecutionStatistics plus(ExecutionStatistics other) {
    return new ExecutionStatistics(
        work.plus(other.work),
        blocksRead + other.blocksRead,
        bytesRead + other.bytesRead,
        readSeconds + other.readSeconds,
        buildSeconds + other.buildSeconds,
        contractSeconds + other.contractSeconds,
        traceSeconds + other.traceSeconds,
        copySeconds + other.copySeconds,
        stallSeconds + other.stallSeconds,
        waitSeconds + other.waitSeconds,
        wallSeconds + other.wallSeconds);
  }
}
