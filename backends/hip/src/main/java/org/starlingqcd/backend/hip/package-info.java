/**
 * AMD GPUs through the HIP runtime and hipBLAS of ROCm 5, 6 or 7. The binding is a JavaCPP preset
 * whose library is built where a C++ compiler is present; the ROCm libraries are looked up at run
 * time. The part shared with other vendors is in {@code org.starlingqcd.backend.gpu}.
 */
package org.starlingqcd.backend.hip;
