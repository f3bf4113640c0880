/** The HIP backend: HIP runtime and hipBLAS through JavaCPP. */
package org.starlingqcd.backend.hip;
