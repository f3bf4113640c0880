/**
 * What stays on the device between which uses, decided for a whole queue, and lower bounds on what
 * must move. Works on accesses alone, without data.
 */
package org.starlingqcd.memhc.retention;
