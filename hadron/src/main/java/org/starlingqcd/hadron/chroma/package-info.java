/**
 * Data of Chroma: SDB files (the container filedb of USQCD, versions 5 and 6) and S3T files of
 * superbblas. What is written for other programs is written here too.
 */
package org.starlingqcd.hadron.chroma;
