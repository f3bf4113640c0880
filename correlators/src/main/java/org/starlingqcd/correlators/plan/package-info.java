/** Definitions planned together, and what a plan costs, for reports. */
package org.starlingqcd.correlators.plan;
