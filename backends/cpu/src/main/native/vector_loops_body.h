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

typedef double Eight __attribute__((vector_size(64)));
typedef double AnyEight __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long Places __attribute__((vector_size(64)));

inline __attribute__((always_inline)) void transpose_eight(Eight* r) {
  const Places even = {0, 8, 2, 10, 4, 12, 6, 14}, odd = {1, 9, 3, 11, 5, 13, 7, 15};
  const Places low_pairs = {0, 1, 8, 9, 4, 5, 12, 13}, high_pairs = {2, 3, 10, 11, 6, 7, 14, 15};
  const Places low_half = {0, 1, 2, 3, 8, 9, 10, 11}, high_half = {4, 5, 6, 7, 12, 13, 14, 15};
  Eight a[8], b[8];
  for (int k = 0; k < 8; k += 2) {
    a[k] = __builtin_shuffle(r[k], r[k + 1], even);
    a[k + 1] = __builtin_shuffle(r[k], r[k + 1], odd);
  }
  for (int k = 0; k < 8; k += 4)
    for (int c = 0; c < 2; c++) {
      b[k + c] = __builtin_shuffle(a[k + c], a[k + c + 2], low_pairs);
      b[k + c + 2] = __builtin_shuffle(a[k + c], a[k + c + 2], high_pairs);
    }
  for (int c = 0; c < 4; c++) {
    r[c] = __builtin_shuffle(b[c], b[c + 4], low_half);
    r[c + 4] = __builtin_shuffle(b[c], b[c + 4], high_half);
  }
}

// Of one plane of a matrix, the entries of eight rows k … over the diagonal less those under it, in columns l …, which are past the rows.
inline __attribute__((always_inline)) void less_transposed(const double* plane, long n, long k, long l, Eight* difference) {
  Eight under[8];
  for (int c = 0; c < 8; c++) under[c] = *reinterpret_cast<const AnyEight*>(plane + (l + c) * n + k);
  transpose_eight(under);
  for (int c = 0; c < 8; c++) difference[c] = *reinterpret_cast<const AnyEight*>(plane + (k + c) * n + l) - under[c];
}

// The entries of `count` matrices over the diagonal less those under it, row by row, in planes. With `three`, given are the real products
// re·re', im·im', (re + im)·(re' + im'), and made are the real part, the imaginary part and their sum; otherwise two planes are kept as they are.
inline void keep_half(const double* from, long stride_from, long count, long n, bool three, double* to, long stride_to) {
  for (long i = 0; i < count; i++, from += n * n, to += n * (n - 1) / 2) {
    for (long k0 = 0; k0 < n; k0 += 8) {
      const long l0 = k0 + 8 <= n ? k0 + 8 : n;
      const long blocks = k0 + 8 <= n ? (n - l0) / 8 : 0;
      for (long b = 0; b < blocks; b++) {
        const long l = l0 + 8 * b;
        Eight re[8], im[8];
        less_transposed(from, n, k0, l, re);
        less_transposed(from + stride_from, n, k0, l, im);
        if (three) {
          Eight sum[8];
          less_transposed(from + 2 * stride_from, n, k0, l, sum);
          for (int c = 0; c < 8; c++) {
            const long k = k0 + c;
            *reinterpret_cast<AnyEight*>(to + 2 * stride_to + k * (2 * n - k - 1) / 2 + l - k - 1) = sum[c] - im[c] - im[c];
            const Eight real = re[c] - im[c];
            im[c] = sum[c] - im[c] - re[c];
            re[c] = real;
          }
        }
        for (int c = 0; c < 8; c++) {
          const long k = k0 + c;
          double* place = to + k * (2 * n - k - 1) / 2 + l - k - 1;
          *reinterpret_cast<AnyEight*>(place) = re[c];
          *reinterpret_cast<AnyEight*>(place + stride_to) = im[c];
        }
      }
      // On the diagonal, and where there are not eight columns left.
      for (long k = k0; k < l0; k++) {
        for (long l = k + 1; l < n; l++) {
          if (l == l0 && blocks > 0) {
            l += 8 * blocks;
            if (l >= n) break;
          }
          double* place = to + k * (2 * n - k - 1) / 2 + l - k - 1;
          const double a = from[k * n + l] - from[l * n + k];
          const double b = from[stride_from + k * n + l] - from[stride_from + l * n + k];
          if (three) {
            const double c = from[2 * stride_from + k * n + l] - from[2 * stride_from + l * n + k];
            place[0] = a - b;
            place[stride_to] = c - b - a;
            place[2 * stride_to] = c - b - b;
          } else {
            place[0] = a;
            place[stride_to] = b;
          }
        }
      }
    }
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
