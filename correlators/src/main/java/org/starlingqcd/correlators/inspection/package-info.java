/** The contents of data and result files, what is missing from them, and whether they are sound. */
package org.starlingqcd.correlators.inspection;
