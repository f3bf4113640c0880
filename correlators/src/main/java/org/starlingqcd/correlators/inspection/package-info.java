/** What a data or result file holds, what it lacks, and whether it is sound. Reads files only. */
package org.starlingqcd.correlators.inspection;
