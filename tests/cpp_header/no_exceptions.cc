// Without exceptions, digests that have no place end the program: built with
// -fno-exceptions -fno-rtti; 0 when abort was called.
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "murmuration.hpp"

int main() {
  const std::vector<std::string> keys(3, "hello");
  std::vector<mmr3::x86_32_digest> digests(3);
  mmr3::x86_32_batch(keys, digests);
  if (digests[2] != 0x248bfa47) return 1;
  digests.pop_back();
  std::signal(SIGABRT, [](int) { std::_Exit(0); });
  mmr3::x86_32_batch(keys, digests);
  return 1;
}
