// Random scripts of string operations in two Lua states: one of a stock
// Lua 5.1, one of a Lua with integrations/lua51, with or without a secret. They
// must print the same, keep their string tables whole and give all memory back.
#include <dlfcn.h>

#include <string>

#include "fuzz_input.h"
#include "lua.h"

namespace {

// ----------------------------------------------------- three Lua libraries

size_t bytes_in_use;

void* Allocate(void*, void* block, size_t old_size, size_t new_size) {
  bytes_in_use += new_size - old_size;
  if (new_size == 0) {
    free(block);
    return nullptr;
  }
  return realloc(block, new_size);
}

// The functions of one of the libraries, loaded so that neither sees the other.
class Lua {
 public:
  // A secret is one library's for as long as it is loaded; nullptr: none.
  explicit Lua(const char* file, const unsigned char* secret = nullptr)
      : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      fprintf(stderr, "cannot load %s: %s\n", file, dlerror());
      abort();
    }
    Find("lua_newstate", newstate_);
    Find("luaL_openlibs", openlibs_);
    Find("luaL_loadbuffer", loadbuffer_);
    Find("lua_pcall", pcall_);
    Find("lua_tolstring", tolstring_);
    Find("lua_close", close_);
    Find("string_table_fault", string_table_fault_);
    if (secret == nullptr) return;
    int (*set_secret)(const unsigned char*);
    Find("mmr3_lua_set_secret", set_secret);
    Check(set_secret(secret) == 0, "secret refused");
  }

  // What the script returns, or how it fails.
  std::string Run(const std::string& script) const {
    Check(bytes_in_use == 0, "memory in use before the state is made");
    lua_State* L = newstate_(Allocate, nullptr);
    openlibs_(L);
    int status = loadbuffer_(L, script.data(), script.size(), "=script");
    if (status == 0) status = pcall_(L, 0, 1, 0);
    size_t len = 0;
    const char* text = tolstring_(L, -1, &len);
    std::string result = std::to_string(status) + " ";
    if (text != nullptr) result.append(text, len);
    const char* fault = string_table_fault_(L);
    Check(fault == nullptr, fault);
    close_(L);
    Check(bytes_in_use == 0, "memory in use after the state is closed");
    return result;
  }

 private:
  template <class Function>
  void Find(const char* name, Function& function) const {
    void* found = dlsym(library_, name);
    if (found == nullptr) {
      fprintf(stderr, "no function %s\n", name);
      abort();
    }
    memcpy(&function, &found, sizeof found);
  }

  void* library_;
  lua_State* (*newstate_)(lua_Alloc, void*);
  void (*openlibs_)(lua_State*);
  int (*loadbuffer_)(lua_State*, const char*, size_t, const char*);
  int (*pcall_)(lua_State*, int, int, int);
  const char* (*tolstring_)(lua_State*, int, size_t*);
  void (*close_)(lua_State*);
  const char* (*string_table_fault_)(lua_State*);
};

// ---------------------------------------------------------------- scripts

// s[0] to s[7] are strings, t a table that has strings as keys. show() says of
// a string what tells it from others; nothing depends on addresses, the order
// of pairs or the amount of memory, which differ rightly.
const char kPrelude[] = R"(
local s, t, out = {}, {}, {}
for i = 0, 7 do s[i] = "" end
local function put(x) out[#out + 1] = tostring(x) end
local function show(x)
  local sum = 0
  for i = 1, #x, 1 + math.floor(#x / 61) do sum = (sum * 31 + x:byte(i)) % 65521 end
  put(#x .. ":" .. sum)
end
local function keep(i, x) if #x <= 40000 then s[i] = x end show(s[i]) end
local function times(x, n) return x:rep(math.min(n, math.floor(40000 / (#x + 1)))) end
)";

std::string Literal(FuzzInput& fuzz, size_t len) {
  std::string text = "\"";
  for (size_t i = 0; i < len; ++i) {
    char escape[8];
    snprintf(escape, sizeof escape, "\\%03d", fuzz.Byte());
    text += escape;
  }
  return text + "\"";
}

std::string Script(FuzzInput& fuzz) {
  const int lengths[] = {1,   32,  63,   64,   65,   127,  128,  511,
                         512, 513, 1024, 4095, 4096, 4097, 8192, 20000};
  const char* gsubs[] = {
      R"("%w+", "<%0>")", R"(".", "%0%0")",
      R"("%W", "")",      R"x("()", "-")x",
      R"("..", t)",       R"("%z", function() return s[0] end)"};
  const char* collectors[] = {
      R"("collect")",       R"("step", 1)",         R"("step", 100)",
      R"("stop")",          R"("restart")",         R"("setpause", 100)",
      R"("setpause", 400)", R"("setstepmul", 100)", R"("setstepmul", 900)"};
  std::string script = kPrelude;
  for (int operations = 0; fuzz.left() != 0 && operations < 150; ++operations) {
    const uint8_t operation = fuzz.Byte();
    const uint8_t slots = fuzz.Byte();
    const std::string a = std::to_string(slots & 7);
    const std::string b = std::to_string(slots >> 3 & 7);
    const std::string sa = "s[" + a + "]", sb = "s[" + b + "]";
    const auto keep = [&](const std::string& value) {
      script += "keep(" + a + ", " + value + ")\n";
    };
    const auto put = [&](const std::string& value) {
      script += "put(" + value + ")\n";
    };
    switch (operation % 20) {
      case 0:
        keep(Literal(fuzz, fuzz.Byte() % 24));
        break;
      case 1:
        keep(sa + " .. " + sb);
        break;
      case 2:
        keep("times(" + sb + ", " + std::to_string(fuzz.Byte()) + ")");
        break;
      case 3:
      case 4:
        keep("times(" + Literal(fuzz, 1) + ", " +
             std::to_string(lengths[slots >> 3 & 15]) + ")");
        break;
      case 5:
        keep(sb + ":sub(" + std::to_string(fuzz.Take<int16_t>()) + ", " +
             std::to_string(fuzz.Take<int16_t>()) + ")");
        break;
      case 6:
        keep(sb + (fuzz.Byte() & 1 ? ":upper()" : ":reverse()"));
        break;
      case 7:
        keep("(" + sb + ":sub(1, 5000):gsub(" + gsubs[fuzz.Byte() % 6] + "))");
        break;
      case 8:
        keep("('%q'):format(" + sb + ":sub(1, 9000))");
        break;
      case 9:
        keep("table.concat(s, " + sb + ":sub(1, 40))");
        break;
      case 10:
      case 11:
        script += "t[" + sa + "] = " + std::to_string(fuzz.Byte()) + "\n";
        break;
      case 12:
        put("t[" + sa + "]");
        break;
      case 13:
        put(sa + " == " + sb);
        break;
      case 14:
        script += std::string("collectgarbage(") + collectors[fuzz.Byte() % 9] +
                  ")\n";
        break;
      case 15:
        put("loadstring('return ' .. ('%q'):format(" + sa + "))() == " + sa);
        break;
      case 16:
        keep("string.char(" + sb + ":byte(1, 200))");
        break;
      case 17:
        put(sa + ":find(" + sb + ", 1, true)");
        break;
      case 18:
        script +=
            "do local n, sum = 0, 0 for k, v in pairs(t) do n = n + 1 "
            "sum = sum + #k * 7 + v end put(n) put(sum) end\n";
        break;
      case 19:
        script += fuzz.Byte() & 1 ? sa + " = ''\n" : std::string("t = {}\n");
        break;
    }
  }
  return script + "return table.concat(out, '\\n')";
}

constexpr unsigned char kSecret[16] = {0x24, 0x3f, 0x6a, 0x88, 0x85, 0xa3,
                                       0x08, 0xd3, 0x13, 0x19, 0x8a, 0x2e,
                                       0x03, 0x70, 0x73, 0x44};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  static const Lua stock(MURMURATION_LUA_STOCK);
  static const Lua without_secret(MURMURATION_LUA_OURS);
  static const Lua with_secret(MURMURATION_LUA_OURS_AGAIN, kSecret);
  FuzzInput fuzz(input, size);
  const Lua& ours = fuzz.Byte() & 1 ? with_secret : without_secret;
  const std::string script = Script(fuzz);
  const std::string expected = stock.Run(script);
  const std::string result = ours.Run(script);
  if (result != expected)
    fprintf(stderr, "%s\n-- stock\n%s\n-- with Murmuration\n%s\n",
            script.c_str(), expected.c_str(), result.c_str());
  Check(result == expected, "the two states differ");
  return 0;
}
