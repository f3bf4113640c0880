/** Distillation data: files, headers, gamma bases, the order of numbers in a block. */
package org.starlingqcd.hadron.data;
