// Memory between two pages that no access survives.
#ifndef MURMURATION_TESTS_GUARDED_BUFFER_H_
#define MURMURATION_TESTS_GUARDED_BUFFER_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

class GuardedBuffer {
 public:
  // At least min_size usable bytes; both ends border on a guard page.
  explicit GuardedBuffer(size_t min_size) {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_ = (min_size + page_ - 1) / page_ * page_;
    void* map = mmap(nullptr, size_ + 2 * page_, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) abort();
    map_ = static_cast<unsigned char*>(map);
    if (mprotect(begin(), size_, PROT_READ | PROT_WRITE) != 0) abort();
  }
  ~GuardedBuffer() { munmap(map_, size_ + 2 * page_); }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  unsigned char* begin() { return map_ + page_; }
  unsigned char* end() { return begin() + size_; }

 private:
  size_t page_;
  size_t size_;
  unsigned char* map_;
};

#endif  // MURMURATION_TESTS_GUARDED_BUFFER_H_
