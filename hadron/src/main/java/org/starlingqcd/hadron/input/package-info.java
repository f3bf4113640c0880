/** Where the inputs of a queue come from and how long they stay in host memory. */
package org.starlingqcd.hadron.input;
