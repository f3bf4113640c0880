// Included once for each set of vector instructions, which STARLING_ISA names: no include guard.

namespace starling {
namespace STARLING_ISA {

// Of three real products re·re', im·im', (re + im)·(re' + im') that lie `stride` numbers apart: the real part, the imaginary part, their sum.
inline void finish_three(double* planes, long stride, long count) {
  double* __restrict re = planes;
  double* __restrict im = planes + stride;
  double* __restrict sum = planes + 2 * stride;
  for (long i = 0; i < count; i++) {
    const double a = re[i];
    const double b = im[i];
    const double c = sum[i];
    re[i] = a - b;
    im[i] = c - b - a;
    sum[i] = c - b - b;
  }
}

// The entries of a matrix over the diagonal less those under it, row by row.
inline void keep_half(const double* from, long n, double* to) {
  for (long k = 0; k < n; k++) {
    for (long l = k + 1; l < n; l++) *to++ = from[k * n + l] - from[l * n + k];
  }
}

// The entries over the diagonals of `count` matrices, in planes of real parts, imaginary parts and their sum.
inline void upper_triangles(const double* from, long stride_from, long count, long n, bool third, double* to, long stride_to) {
  for (long i = 0; i < count; i++) {
    for (long k = 0; k < n; k++) {
      const double* re = from + (i * n + k) * n;
      const double* im = re + stride_from;
      for (long l = k + 1; l < n; l++) {
        const long place = l - k - 1;
        to[place] = re[l];
        to[stride_to + place] = im[l];
        if (third) to[2 * stride_to + place] = re[l] + im[l];
      }
      to += n - k - 1;
    }
  }
}

// Adds two runs of numbers.
inline void sum_of(const double* x, const double* y, long count, double* to) {
  for (long i = 0; i < count; i++) to[i] = x[i] + y[i];
}

}  // namespace STARLING_ISA
}  // namespace starling
