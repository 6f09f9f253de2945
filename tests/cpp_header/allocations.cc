// Counts what a program allocates. A file of its own: where g++ sees both
// sides, it warns of a mismatch that is none.
#include <cstdlib>
#include <new>

extern size_t allocations;
size_t allocations;

void* operator new(size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
