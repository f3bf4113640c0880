package org.starlingqcd.backend.hip;

/** Descriptions of status codes. */
final class HipStatus {
  /** Names of hipblasStatus_t in order; older releases have no function that returns them. */
  private static final String[] BLAS_NAMES = {
    "HIPBLAS_STATUS_SUCCESS",
    "HIPBLAS_STATUS_NOT_INITIALIZED",
    "HIPBLAS_STATUS_ALLOC_FAILED",
    "HIPBLAS_STATUS_INVALID_VALUE",
    "HIPBLAS_STATUS_MAPPING_ERROR",
    "HIPBLAS_STATUS_EXECUTION_FAILED",
    "HIPBLAS_STATUS_INTERNAL_ERROR",
    "HIPBLAS_STATUS_NOT_SUPPORTED",
    "HIPBLAS_STATUS_ARCH_MISMATCH",
    "HIPBLAS_STATUS_HANDLE_IS_NULLPTR",
    "HIPBLAS_STATUS_INVALID_ENUM",
    "HIPBLAS_STATUS_UNKNOWN"
  };

  private HipStatus() {}

  /** The runtime's name and description of an error. */
  static String runtime(int error) {
    return error + " " + HipBinding.errorName(error) + ", " + HipBinding.errorString(error);
  }

  /** hipBLAS's name for a status. */
  static String blas(int status) {
    String words = HipBinding.blasStatus(status);
    if (words == null || words.isEmpty()) {
      words = status >= 0 && status < BLAS_NAMES.length ? BLAS_NAMES[status] : "unknown status";
    }
    return status + " " + words;
  }
}
