/** JMH benchmarks and comparisons with other programs. */
package org.starlingqcd.benchmarks;
