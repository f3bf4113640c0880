package org.starlingqcd.correlators.result;

/**
 * What one configuration and source give: the unit of work, of durability and of resuming. The
 * arrays are handed over and not changed afterwards.
 *
 * @param configuration number of the configuration
 * @param source source time
 * @param correlator {@code [dt][i][j]}, interleaved complex
 * @param times the times of the one-point functions, ascending; none when they are not computed
 * @param onePoint {@code [time][i]}, interleaved complex
 */
@SuppressWarnings("ArrayRecordComponent") // bulk numbers; never compared as a record
public record ResultUnit(
    int configuration, int source, double[] correlator, int[] times, double[] onePoint) {}
