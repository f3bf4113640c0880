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

}  // namespace STARLING_ISA
}  // namespace starling
