/**
 * Arrays that are coherent between the host and a device, behind calls of BLAS (AbdulWahab et al.'s
 * SemCache): what is on the device stays there, results come back when somebody reads them. Nothing
 * here knows physics or files.
 */
package org.starlingqcd.arrays;
