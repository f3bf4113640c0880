/**
 * Distillation data of any format as blocks: what is there, headers, gamma bases, the order of
 * numbers in a block; and Starling's own format. Other formats live in packages of their own and
 * are found as services.
 */
package org.starlingqcd.hadron.data;
