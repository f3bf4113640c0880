/** Products, traces and spin sums as sequences of library calls. Nothing here names a vendor. */
package org.starlingqcd.backend.gpu.launch;
