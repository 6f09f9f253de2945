#include <atomic>

#include "lib/dispatch/dispatch.h"
#include "lib/kernels/wide32.h"

namespace {

mmr3_key lua_key = murmuration::PublicKey(0);
// A string may be in a table under lua_key. Read before it is written, so that
// threads do not take the line from each other.
std::atomic<bool> lua_hashed{false};

uint32_t LuaSeed(size_t len) {
  if (!lua_hashed.load(std::memory_order_relaxed))
    lua_hashed.store(true, std::memory_order_relaxed);
  return lua_key.seed ^ static_cast<uint32_t>(len);
}

uint32_t LuaHash(const char* str, size_t len) {
  return murmuration::ActiveKernel().wide32_keyed(
      reinterpret_cast<const unsigned char*>(str), len, LuaSeed(len), &lua_key);
}

uint32_t LuaHashCopy(char* dst, const char* str, size_t len) {
  return murmuration::ActiveKernel().wide32_copy_keyed(
      reinterpret_cast<unsigned char*>(dst),
      reinterpret_cast<const unsigned char*>(str), len, LuaSeed(len), &lua_key);
}

}  // namespace

const mmr3_lua_hash_fn mmr3_lua_hash = LuaHash;
const mmr3_lua_hash_copy_fn mmr3_lua_hash_copy = LuaHashCopy;
const mmr3_key* const mmr3_lua_key = &lua_key;

int mmr3_lua_set_secret(const unsigned char secret[16]) {
  if (lua_hashed.load(std::memory_order_relaxed)) return -1;
  lua_key = mmr3_key_from_secret(secret, 0);
  return 0;
}
