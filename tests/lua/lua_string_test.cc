// Lua 5.1 with our luaS_newlstr: what its strings are, and that memory errors,
// the garbage collector and the string table behave as in Lua itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "murmuration.h"
#include "tests/in_child.h"
#include "tests/kernel_test.h"
#include "tests/lua/lua_internals.h"

namespace {

// Every byte takes every value, and no two stripes agree.
std::string Pattern(size_t len) {
  std::string bytes(len, '\0');
  for (size_t i = 0; i < len; ++i)
    bytes[i] = static_cast<char>((i * 167 + i / 256 * 13 + 41) % 256);
  return bytes;
}

constexpr size_t kCopyMin = 4096;  // MURMURATION_COPY_MIN
constexpr unsigned char kSecret[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                       8, 9, 10, 11, 12, 13, 14, 15};

// Hashes of Pattern(len), from tests/oracle: no secret, and kSecret.
struct KnownHash {
  size_t len;
  unsigned int hash, secret_hash;
};
constexpr KnownHash kKnownHashes[] = {
    {0, 0x00000000u, 0x1e1430ddu},      {1, 0x4c130374u, 0xec9e1f9eu},
    {2, 0x1302653fu, 0xea207922u},      {3, 0x435f867cu, 0x4c8da25fu},
    {5, 0xf86d65a5u, 0x4fed44f4u},      {31, 0xe3edfe9eu, 0xa8981790u},
    {63, 0x09bc4a67u, 0x3baae0f9u},     {64, 0x79bee0abu, 0xa8ab95e7u},
    {65, 0xd5cf2856u, 0xa97469ebu},     {127, 0xba669475u, 0x6cbf1330u},
    {128, 0xd627965au, 0x93d6f6e7u},    {129, 0x51eec101u, 0xfecc0f4eu},
    {255, 0xd27066f1u, 0x2ea59bb6u},    {256, 0xb6cffaafu, 0x568af2cfu},
    {300, 0x988d6172u, 0xb1a4e046u},    {511, 0x846c23d8u, 0xa9f568ddu},
    {512, 0x3e8cdef7u, 0x39b7fcb4u},    {513, 0xdf5e3c34u, 0x99f26cbeu},
    {4095, 0xf79e2301u, 0x48dd8fe4u},   {4096, 0x0c86116eu, 0x184ee2fcu},
    {4097, 0x23cff516u, 0x1dad2015u},   {102400, 0xb1824770u, 0xeb61312fu},
    {1048576, 0xbe35d729u, 0x0454d274u}};

// An allocator that checks what Lua promises it, counts, and fails on order.
class Allocator {
 public:
  static void* Run(void* self, void* block, size_t old_size, size_t size) {
    return static_cast<Allocator*>(self)->Reallocate(block, old_size, size);
  }

  // Of the attempts from now on fails number first, and those after it too if
  // for_good. 0: none fails.
  void FailFrom(size_t first, bool for_good) {
    attempts_ = 0;
    first_failure_ = first;
    fail_for_good_ = for_good;
  }
  void set_limit(size_t bytes) { limit_ = bytes; }
  bool failed() const { return first_failure_ && attempts_ >= first_failure_; }
  size_t bytes() const { return bytes_; }
  size_t blocks() const { return sizes_.size(); }

 private:
  void* Reallocate(void* block, size_t old_size, size_t size) {
    if (block == nullptr ? old_size != 0 : Size(block) != old_size) {
      ADD_FAILURE() << "Lua gave a wrong old size: " << old_size;
      std::abort();
    }
    if (size == 0) {
      Forget(block);
      std::free(block);
      return nullptr;
    }
    if (size > old_size && MustFail(size - old_size)) return nullptr;
    Forget(block);
    block = std::realloc(block, size);
    if (block == nullptr) std::abort();
    sizes_[block] = size;
    bytes_ += size;
    return block;
  }
  bool MustFail(size_t more) {
    ++attempts_;
    if (bytes_ + more > limit_) return true;
    if (first_failure_ == 0 || attempts_ < first_failure_) return false;
    return fail_for_good_ || attempts_ == first_failure_;
  }
  size_t Size(void* block) const {
    auto found = sizes_.find(block);
    return found == sizes_.end() ? ~size_t{0} : found->second;
  }
  void Forget(void* block) {
    if (block == nullptr) return;
    bytes_ -= sizes_[block];
    sizes_.erase(block);
  }

  std::map<void*, size_t> sizes_;
  size_t bytes_ = 0;
  size_t limit_ = ~size_t{0};
  size_t attempts_ = 0;
  size_t first_failure_ = 0;
  bool fail_for_good_ = false;
};

// A lua_State with the libraries, on an Allocator.
class Lua {
 public:
  Lua() : state_(lua_newstate(Allocator::Run, &allocator_)) {
    luaL_openlibs(state_);
    lua_checkstack(state_, 500);  // more than any test pushes
  }
  ~Lua() {
    allocator_.FailFrom(0, false);
    lua_close(state_);
    EXPECT_EQ(allocator_.bytes(), 0u) << "leaked";
    EXPECT_EQ(allocator_.blocks(), 0u) << "leaked";
  }
  Lua(const Lua&) = delete;
  Lua& operator=(const Lua&) = delete;

  lua_State* state() { return state_; }
  Allocator& allocator() { return allocator_; }

  // Leaves the string on the stack.
  TString* Push(const std::string& bytes) {
    lua_pushlstring(state_, bytes.data(), bytes.size());
    return Top();
  }
  TString* Top() { return rawtsvalue(state_->top - 1); }

  // "" or the error's message.
  std::string Run(const char* script) {
    std::string message;
    if (luaL_loadstring(state_, script) != 0 ||
        lua_pcall(state_, 0, 0, 0) != 0) {
      const char* text = lua_tostring(state_, -1);
      message = text == nullptr ? "(no message)" : text;
      lua_pop(state_, 1);
    }
    return message;
  }

 private:
  Allocator allocator_;
  lua_State* state_;
};

// Every string is in the chain of its hash, with the hash of its bytes, once.
void CheckStringTable(lua_State* L) {
  const stringtable& table = G(L)->strt;
  std::set<std::string> seen;
  size_t count = 0;
  for (int i = 0; i < table.size; ++i) {
    for (GCObject* o = table.hash[i]; o != nullptr; o = o->gch.next) {
      const TString* ts = rawgco2ts(o);
      const std::string bytes(getstr(ts), ts->tsv.len);
      ++count;
      ASSERT_EQ(o->gch.tt, LUA_TSTRING);
      ASSERT_EQ(getstr(ts)[bytes.size()], '\0');
      ASSERT_EQ(ts->tsv.hash, mmr3_lua_hash(bytes.data(), bytes.size()));
      ASSERT_EQ(lmod(ts->tsv.hash, table.size), i);
      ASSERT_TRUE(seen.insert(bytes).second) << "a string is there twice";
    }
  }
  EXPECT_EQ(count, table.nuse);
}

// What Lua counted is what the allocator gave.
void CheckAccount(Lua& lua) {
  EXPECT_EQ(G(lua.state())->totalbytes, lua.allocator().bytes());
}

// A secret is set before the first hash. GoogleTest runs suites of such a name
// before all others, and each part is a process of its own.
class LuaSecretDeathTest : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(LuaSecretDeathTest);

TEST_P(LuaSecretDeathTest, ChangesEveryHash) {
  InChild([] {
    ASSERT_EQ(mmr3_lua_set_secret(kSecret), 0);
    Lua lua;
    for (const KnownHash& known : kKnownHashes) {
      TString* ts = lua.Push(Pattern(known.len));
      EXPECT_EQ(ts->tsv.hash, known.secret_hash) << known.len;
      EXPECT_EQ(lua.Push(Pattern(known.len)), ts);
    }
    EXPECT_EQ(lua.Run("local t = {} t['k' .. 1] = 2 assert(t.k1 == 2)"), "");
    CheckStringTable(lua.state());
  });
}

// Even when no library is open and no string is long.
TEST_P(LuaSecretDeathTest, IsRefusedOnceAStateExists) {
  InChild([] {
    ASSERT_EQ(mmr3_lua_set_secret(kSecret), 0);
    Allocator allocator;
    lua_State* L = lua_newstate(Allocator::Run, &allocator);
    const mmr3_key before = *mmr3_lua_key;
    const unsigned char none[16] = {};
    EXPECT_EQ(mmr3_lua_set_secret(none), -1);
    EXPECT_EQ(std::memcmp(mmr3_lua_key, &before, sizeof before), 0);
    CheckStringTable(L);
    lua_close(L);
  });
}

class LuaStringTest : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(LuaStringTest);

TEST_P(LuaStringTest, StoresTheKnownHash) {
  Lua lua;
  for (const KnownHash& known : kKnownHashes)
    EXPECT_EQ(lua.Push(Pattern(known.len))->tsv.hash, known.hash) << known.len;
  EXPECT_EQ(lua.Push("hello")->tsv.hash, 0x7b258471u);
  EXPECT_EQ(lua.Push("redis.call")->tsv.hash, 0x89734787u);
  CheckStringTable(lua.state());
}

TEST_P(LuaStringTest, EqualStringsAreOneObject) {
  Lua lua;
  for (size_t len : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65},
                     size_t{511}, size_t{512}, size_t{513}, kCopyMin - 1,
                     kCopyMin, kCopyMin + 1, size_t{102400}, size_t{1048576}}) {
    const std::string bytes = Pattern(len);
    TString* first = lua.Push(bytes);
    ASSERT_EQ(first->tsv.len, len);
    EXPECT_EQ(std::memcmp(getstr(first), bytes.data(), len + 1), 0) << len;
    EXPECT_EQ(first->tsv.reserved, 0);
    // A hit after a new string, and hits after hits.
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(lua.Push(std::string(bytes)), first) << len;
    EXPECT_TRUE(lua_rawequal(lua.state(), -1, -2));
    if (len != 0) {
      std::string other = bytes;
      other[len - 1] = static_cast<char>(other[len - 1] ^ 1);
      EXPECT_NE(lua.Push(other), first) << len;
      other = bytes;
      other[len / 2] = static_cast<char>(other[len / 2] ^ 0x80);
      EXPECT_NE(lua.Push(other), first) << len;
    }
    lua_settop(lua.state(), 0);
  }
  CheckStringTable(lua.state());
  CheckAccount(lua);
}

// A large string that is made again is looked up under the hash of the last one
// before it is hashed: others of its length, other states and collections must
// not be taken in by that.
TEST_P(LuaStringTest, LastStringAgain) {
  Lua lua, other_state;
  for (size_t len : {kCopyMin, kCopyMin + 1, size_t{102400}}) {
    const std::string bytes = Pattern(len);
    std::string twin = bytes;
    twin[len - 1] = static_cast<char>(twin[len - 1] ^ 1);
    TString* first = lua.Push(bytes);
    for (int round = 0; round < 4; ++round) {
      EXPECT_EQ(lua.Push(bytes), first);
      TString* second = lua.Push(twin);
      EXPECT_NE(second, first);
      EXPECT_EQ(std::string(getstr(second), len), twin);
      EXPECT_EQ(lua.Push(twin), second);
      EXPECT_EQ(lua.Push(bytes), first);
      TString* elsewhere = other_state.Push(bytes);
      EXPECT_NE(elsewhere, first);
      EXPECT_EQ(elsewhere->tsv.hash, first->tsv.hash);
      EXPECT_EQ(lua.Push(bytes), first);
      lua_settop(lua.state(), 1);
      lua_settop(other_state.state(), 0);
    }
    const unsigned int hash = first->tsv.hash;
    lua_settop(lua.state(), 0);
    lua_gc(lua.state(), LUA_GCCOLLECT, 0);
    TString* again = lua.Push(bytes);
    EXPECT_EQ(again->tsv.hash, hash);
    EXPECT_EQ(std::string(getstr(again), len), bytes);
    EXPECT_EQ(lua.Push(bytes), again);
    lua_settop(lua.state(), 0);
  }
  CheckStringTable(lua.state());
}

TEST_P(LuaStringTest, ZeroBytesCount) {
  Lua lua;
  for (size_t len : {size_t{8}, size_t{200}, kCopyMin + 4}) {
    const std::string zeros(len, '\0');
    EXPECT_EQ(lua.Push(zeros), lua.Push(zeros));
    EXPECT_NE(lua.Push(zeros), lua.Push(zeros + '\0'));
    std::string late = zeros;
    late[len - 1] = 'x';
    EXPECT_NE(lua.Push(late), lua.Push(zeros));
    EXPECT_EQ(lua.Push(late)->tsv.len, len);
  }
  CheckStringTable(lua.state());
}

// Different strings of one hash, made by running MurmurHash3 backwards.
constexpr uint32_t kMul1 = 0xcc9e2d51u, kMul2 = 0x1b873593u;
uint32_t RotateLeft(uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}
uint32_t Inverse(uint32_t odd) {
  uint32_t inverse = odd;  // right in 3 bits; each step doubles them
  for (int i = 0; i < 4; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
uint32_t Mix(uint32_t word) { return RotateLeft(word * kMul1, 15) * kMul2; }
uint32_t Unmix(uint32_t mixed) {
  return RotateLeft(mixed * Inverse(kMul2), 17) * Inverse(kMul1);
}
uint32_t Round(uint32_t state, uint32_t word) {
  return RotateLeft(state ^ Mix(word), 13) * 5 + 0xe6546b64u;
}
// The word that takes a state to another.
uint32_t WordBetween(uint32_t from, uint32_t to) {
  return Unmix(from ^ RotateLeft((to - 0xe6546b64u) * Inverse(5), 19));
}
uint32_t LoadWord(const std::string& bytes, size_t at) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i)
    word |= uint32_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return word;
}
void StoreWord(std::string& bytes, size_t at, uint32_t word) {
  for (size_t i = 0; i < 4; ++i)
    bytes[at + i] = static_cast<char>(word >> 8 * i);
}

TEST_P(LuaStringTest, EqualHashesAndLengthsAreNotEqualStrings) {
  Lua lua;
  for (size_t len : {size_t{60}, size_t{600}, size_t{100000}}) {
    const std::string bytes = Pattern(len);
    // The next word of the same lane takes back the difference in its top bit.
    const size_t next = len < 64 ? 4 : 512;
    std::string twin = bytes;
    StoreWord(twin, 8, Unmix(Mix(LoadWord(twin, 8)) ^ 0x00040000u));
    StoreWord(twin, 8 + next,
              Unmix(Mix(LoadWord(twin, 8 + next)) ^ 0x80000000u));
    TString* one = lua.Push(bytes);
    TString* other = lua.Push(twin);
    ASSERT_EQ(one->tsv.hash, other->tsv.hash) << len;
    EXPECT_NE(one, other);
    EXPECT_EQ(lua.Push(bytes), one);
    EXPECT_EQ(lua.Push(twin), other);
    EXPECT_EQ(std::memcmp(getstr(other), twin.data(), len + 1), 0);
  }
}

TEST_P(LuaStringTest, PrefixOfEqualHashIsNotTheString) {
  Lua lua;
  const uint32_t word = 0x6c6c6568u;
  std::string prefix(4, '\0'), longer(8, '\0');
  StoreWord(prefix, 0, word);
  StoreWord(longer, 0, word);
  // Both end in the finalizer of state ^ length.
  const uint32_t wanted = Round(4, word) ^ 4 ^ 8;
  StoreWord(longer, 4, WordBetween(Round(8, word), wanted));
  TString* one = lua.Push(longer);
  TString* other = lua.Push(prefix);
  ASSERT_EQ(one->tsv.hash, other->tsv.hash);
  EXPECT_NE(one, other);
  EXPECT_EQ(other->tsv.len, 4u);
}

TEST_P(LuaStringTest, StringsOfAnyKernelAreFound) {
  Lua lua;
  std::vector<TString*> made;
  const std::vector<size_t> sizes = {100, 200, 5000, 100000};
  for (size_t len : sizes) made.push_back(lua.Push(Pattern(len)));
  const char* names[16];
  const size_t count = mmr3_kernels(names, 16);
  for (size_t k = 0; k < count; ++k) {
    ASSERT_EQ(mmr3_use_kernel(names[k]), 0);
    for (size_t i = 0; i < sizes.size(); ++i)
      EXPECT_EQ(lua.Push(Pattern(sizes[i])), made[i]) << names[k];
  }
}

// ------------------------------------------------------ garbage collection

TEST_P(LuaStringTest, CollectionInStepsKeepsWhatIsAlive) {
  Lua lua;
  EXPECT_EQ(lua.Run(R"(
    local kept, text = {}, {}
    for i = 1, 300 do
      local s = string.rep(string.char(i % 251 + 1, i % 7), 60 * i) .. i
      if i % 3 == 0 then kept[i] = s end
      collectgarbage("step", i % 11)
      local again = string.rep(string.char(i % 251 + 1, i % 7), 60 * i) .. i
      assert(again == s)
    end
    for i = 3, 300, 3 do
      assert(kept[i] == string.rep(string.char(i % 251 + 1, i % 7), 60 * i) .. i)
    end
    kept = nil
    collectgarbage() collectgarbage()
    assert(collectgarbage("count") < 1024)
  )"),
            "");
  CheckStringTable(lua.state());
  CheckAccount(lua);
}

// A string that no one refers to any more, in a chain that is not swept yet,
// must come back to life when it is made again.
TEST_P(LuaStringTest, DeadStringComesBackToLife) {
  for (size_t len : {size_t{100}, size_t{1000}, size_t{100000}}) {
    Lua lua;
    lua_State* L = lua.state();
    global_State* g = G(L);
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCSETSTEPMUL, 1);
    // One in the table's last quarter, which is swept last.
    std::string bytes = Pattern(len);
    for (int i = 0; lmod(mmr3_lua_hash(bytes.data(), len), g->strt.size) <
                    g->strt.size / 4 * 3;
         ++i)
      std::memcpy(&bytes[len / 2], &i, sizeof i);
    TString* string = lua.Push(bytes);
    GCObject* object = obj2gco(string);
    lua_pop(L, 1);
    // The slot of the stack would keep it alive.
    lua_pushnil(L);
    lua_pop(L, 1);
    int steps = 0;
    while (!(g->gcstate == GCSsweepstring && isdead(g, object))) {
      lua_gc(L, LUA_GCSTEP, 0);
      ASSERT_LT(++steps, 1000000);
    }
    ASSERT_LT(g->sweepstrgc, lmod(string->tsv.hash, g->strt.size));
    EXPECT_EQ(lua.Push(bytes), string);
    EXPECT_FALSE(isdead(g, object));
    lua_gc(L, LUA_GCCOLLECT, 0);
    EXPECT_EQ(lua.Push(bytes), string);
    EXPECT_EQ(std::memcmp(getstr(string), bytes.data(), len + 1), 0);
    CheckStringTable(L);
    CheckAccount(lua);
  }
}

TEST_P(LuaStringTest, TableGrowsAsInLua) {
  Lua lua;
  lua_State* L = lua.state();
  lua_newtable(L);
  for (int i = 1; i <= 3000; ++i) {
    lua.Push(Pattern(300 + static_cast<size_t>(i)));
    lua_rawseti(L, -2, i);
    ASSERT_LE(G(L)->strt.nuse, static_cast<lu_int32>(G(L)->strt.size));
  }
  EXPECT_GE(G(L)->strt.size, 4096);
  CheckStringTable(L);
}

// ------------------------------------------------------------ memory errors

// Strings of every size class, new and known, through concatenation, gsub,
// string.rep and tables.
const char* const kScript = R"(
  local t = {}
  for _, n in ipairs{10, 60, 70, 500, 520, 1000, 4095, 4096, 5000, 20000} do
    local s = string.rep("ab", n / 2)
    t[s] = n
    assert(t[string.rep("ab", n / 2)] == n)
    local u = s .. n
    t[#t + 1] = u .. u
    assert(u .. u == t[#t])
    t[#t + 1] = string.gsub(s, "b", "cd")
    assert(string.sub(s .. "x", 1, -2) == s)
  end
)";

class OutOfMemoryTest : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Failing, OutOfMemoryTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                           return info.param ? "FromThereOn" : "Once";
                         });

TEST_P(OutOfMemoryTest, EveryAllocationOfAScript) {
  const bool for_good = GetParam();
  size_t errors = 0;
  size_t number = 1;
  for (bool failed = true; failed; ++number) {
    ASSERT_LT(number, 100000u);
    Lua lua;
    ASSERT_EQ(luaL_loadstring(lua.state(), kScript), 0);
    lua.allocator().FailFrom(number, for_good);
    const int status = lua_pcall(lua.state(), 0, 0, 0);
    failed = lua.allocator().failed();
    lua.allocator().FailFrom(0, false);
    if (status != 0) {
      ++errors;
      ASSERT_TRUE(failed) << lua_tostring(lua.state(), -1);
      ASSERT_EQ(status, LUA_ERRMEM) << lua_tostring(lua.state(), -1);
      ASSERT_STREQ(lua_tostring(lua.state(), -1), "not enough memory");
    }
    CheckAccount(lua);
    CheckStringTable(lua.state());
    ASSERT_EQ(lua.Run(kScript), "") << "unusable after failure " << number;
    if (HasFatalFailure()) return;
    RecordProperty("allocations", static_cast<int>(number));
  }
  // Only memory for a copy that was not needed may fail unnoticed: a few times
  // at the end of the script, or now and then when the next attempt succeeds.
  EXPECT_GT(errors, 50u);
  if (for_good) {
    EXPECT_GE(errors + 5, number);
  }
}

TEST(LuaMemoryTest, KnownStringNeedsNoMemory) {
  for (size_t len : {size_t{100}, size_t{1000}, kCopyMin, size_t{100000}}) {
    Lua lua;
    lua_gc(lua.state(), LUA_GCSTOP, 0);
    const std::string bytes = Pattern(len);
    TString* known = lua.Push(bytes);
    lua.allocator().FailFrom(1, true);
    EXPECT_EQ(lua.Push(bytes), known) << len;
    lua.allocator().FailFrom(0, false);
    CheckAccount(lua);
  }
}

TEST(LuaMemoryTest, ErrorInTheMiddleReachesPcall) {
  Lua lua;
  lua.allocator().set_limit(8 << 20);
  EXPECT_EQ(lua.Run(R"(
    local ok, message = pcall(string.rep, string.rep("x", 1000000), 2000000000)
    assert(not ok and message == "not enough memory")
    local s = string.rep("y", 2000000)
    ok, message = pcall(function() return s .. "1" .. s .. s .. s end)
    assert(not ok and message == "not enough memory")
    assert(#string.rep("z", 1000000) == 1000000)
  )"),
            "");
  CheckAccount(lua);
}

// No byte may be read: the address is none.
int PushTooLong(lua_State* L) {
  const size_t len = *static_cast<size_t*>(lua_touserdata(L, 1));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): no pointer to anything is meant
  lua_pushlstring(L, reinterpret_cast<const char*>(uintptr_t{16}), len);
  return 1;
}

TEST(LuaMemoryTest, ImpossibleLengthIsLuasOwnError) {
  Lua lua;
  lua_State* L = lua.state();
  for (size_t len : {~size_t{0}, ~size_t{0} - 1, ~size_t{0} - 2,
                     ~size_t{0} - 2 - sizeof(TString)}) {
    lua_pushcfunction(L, PushTooLong);
    lua_pushlightuserdata(L, &len);
    ASSERT_EQ(lua_pcall(L, 1, 1, 0), LUA_ERRRUN) << len;
    EXPECT_STREQ(lua_tostring(L, -1), "memory allocation error: block too big");
    lua_pop(L, 1);
  }
  CheckAccount(lua);
}

TEST(LuaThreadTest, StatesOfSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      Lua lua;
      EXPECT_EQ(lua.Run(kScript), "");
      EXPECT_EQ(lua.Run(kScript), "");
      CheckStringTable(lua.state());
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
