// Memory on NUMA nodes by system calls alone, so that no libnuma is needed.

#ifndef STARLING_MEMORY_NODES_H
#define STARLING_MEMORY_NODES_H

#include <errno.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace starling {

const long NODE_BITS = 1024;
const long HUGE_PAGE = 2L << 20;

// From linux/mempolicy.h. A preferred node that is full gives way to others; a strict binding would let the kernel end the process.
const int PREFERRED = 1;
const int INTERLEAVE = 3;
const int PREFERRED_MANY = 5;

}  // namespace starling

// Maps pages that prefer these nodes. Returns their address, or the negative error number.
static inline long starling_node_map(long bytes, const long* nodes, long count) {
#if defined(__linux__) && defined(SYS_mbind)
  using namespace starling;
  unsigned long mask[NODE_BITS / 64] = {0};
  for (long k = 0; k < count; k++) {
    if (nodes[k] < 0 || nodes[k] >= NODE_BITS) return -EINVAL;
    mask[nodes[k] / 64] |= 1UL << (nodes[k] % 64);
  }
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return -errno;
  long failed = syscall(SYS_mbind, memory, bytes, count == 1 ? PREFERRED : PREFERRED_MANY, mask, NODE_BITS + 1, 0);
  if (failed && count > 1 && errno == EINVAL) {  // before Linux 5.15
    failed = syscall(SYS_mbind, memory, bytes, INTERLEAVE, mask, NODE_BITS + 1, 0);
  }
  if (failed) {
    const int error = errno;
    munmap(memory, bytes);
    return -error;
  }
#ifdef MADV_HUGEPAGE
  if (bytes >= HUGE_PAGE) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return reinterpret_cast<long>(memory);
#else
  return -ENOSYS;
#endif
}

static inline void starling_node_unmap(long address, long bytes) {
#ifdef __linux__
  munmap(reinterpret_cast<void*>(address), bytes);
#endif
}

#endif
