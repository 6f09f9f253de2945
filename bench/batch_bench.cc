// Batches, long strings and streams against plain loops, as ratios: how many
// times as fast each kernel is as a loop over the one-key function of the same
// build (batches), as the plain loop of bench/plain_murmur3.cc (one string), as
// one call (streams). Rounds are interleaved, a ratio is the median of its
// rounds; 1.00 is equal, below it the kernel is slower.
//
// A processor learns how lengths follow each other if it meets them again and
// again, and is never mispredicted then. So every call has keys of other
// lengths: there are many sets of keys, taken in a random order.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "bench/peers.h"
#include "murmuration.h"

namespace {

constexpr const char* kUsage =
    R"(usage: batch_bench [--rounds N] [--against LIBRARY.so] [TEXT...]

Measures batches of each kernel against a loop over the one-key function, one
string against a plain loop, and streams against one call: how many times as
fast, the median of N rounds (default: 15). TEXT: only rows whose name has it.

  --against LIBRARY.so   another build of the library, as a shared object: the
                         columns are how many times as fast each kernel is here
                         as it is there
)";

using Work = std::function<void()>;

std::vector<std::string> wanted;
int rounds = 15;

// A build of the library: this one, or one that was loaded.
struct Library {
  void* handle = nullptr;  // null: this one
  template <class Function>
  Function* Find(const char* name, Function* here) const {
    if (handle == nullptr) return here;
    void* found = dlsym(handle, name);
    if (found == nullptr) {
      std::fprintf(stderr, "batch_bench: the other library has no %s\n", name);
      std::exit(1);
    }
    Function* function;
    std::memcpy(&function, &found, sizeof function);
    return function;
  }
};
Library other;

#define FIND(library, function) (library).Find(#function, function)

struct Kernel {
  const char* name;
  void Use() const {
    mmr3_use_kernel(name);
    if (other.handle != nullptr) FIND(other, mmr3_use_kernel)(name);
  }
};
std::vector<Kernel> kernels;

// The time of this thread alone: other work on the machine does not count.
double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double Seconds(const Work& work, int repeats) {
  const double start = Now();
  for (int i = 0; i < repeats; ++i) work();
  return Now() - start;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

bool IsWanted(const std::string& name) {
  if (wanted.empty()) return true;
  for (const std::string& text : wanted)
    if (name.find(text) != std::string::npos) return true;
  return false;
}

// One row: what `plain` needs for each of `items`, and the ratio of each
// kernel's `work` to it, or to `work` of the other library.
void Row(const std::string& name, size_t items, const Work& plain,
         const std::function<Work(const Library&)>& make) {
  if (!IsWanted(name)) return;
  const Work work = make(Library());
  const Work reference = other.handle != nullptr ? make(other) : plain;
  constexpr double kSecondsEach = 0.002;
  int repeats = 1;
  while (Seconds(plain, repeats) < kSecondsEach) repeats *= 2;
  std::vector<double> cycles;
  std::vector<std::vector<double>> ratios(kernels.size());
  for (int round = 0; round < rounds; ++round) {
    const double clock = MeasureClock();
    cycles.push_back(Seconds(plain, repeats) * clock / repeats / double(items));
    for (size_t k = 0; k < kernels.size(); ++k) {
      kernels[k].Use();
      // Twice each, since the clock changes within a round.
      double before = Seconds(reference, repeats);
      double taken = Seconds(work, repeats);
      taken += Seconds(work, repeats);
      before += Seconds(reference, repeats);
      ratios[k].push_back(before / taken);
    }
  }
  std::printf("%-34s %9.1f", name.c_str(), Median(cycles));
  for (const auto& of_kernel : ratios) std::printf(" %8.2f", Median(of_kernel));
  std::printf("\n");
  std::fflush(stdout);
}

void Header(const char* what) {
  std::printf("\n%-34s %9s", what, "cycles");
  for (const Kernel& kernel : kernels) std::printf(" %8s", kernel.name);
  std::printf("\n");
}

std::mt19937_64 Random() { return std::mt19937_64(1); }

std::vector<unsigned char> Pattern(size_t len) {
  std::vector<unsigned char> bytes(len);
  std::mt19937_64 random = Random();
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

struct X86_32 {
  using Seed = uint32_t;
  using Word = uint32_t;
  static constexpr size_t kWords = 1;
  static constexpr const char* kName = "x86_32";
  static void One(const void* data, size_t len, Seed seed, Word* out) {
    *out = mmr3_x86_32(data, len, seed);
  }
};

struct X86_128 {
  using Seed = uint32_t;
  using Word = uint32_t;
  static constexpr size_t kWords = 4;
  static constexpr const char* kName = "x86_128";
  static constexpr auto One = mmr3_x86_128;
};

struct X64_128 {
  using Seed = uint64_t;
  using Word = uint64_t;
  static constexpr size_t kWords = 2;
  static constexpr const char* kName = "x64_128";
  static constexpr auto One = mmr3_x64_128;
};

template <class V>
struct Functions;
#define FUNCTIONS(NAME, VARIANT)                                   \
  template <>                                                      \
  struct Functions<VARIANT> {                                      \
    decltype(&mmr3_##NAME##_batch) batch;                          \
    decltype(&mmr3_##NAME##_batch_fixed) fixed;                    \
    decltype(&mmr3_##NAME##_batch_offsets32) offsets32;            \
    decltype(&mmr3_##NAME##_seeds) seeds;                          \
    explicit Functions(const Library& library)                     \
        : batch(FIND(library, mmr3_##NAME##_batch)),               \
          fixed(FIND(library, mmr3_##NAME##_batch_fixed)),         \
          offsets32(FIND(library, mmr3_##NAME##_batch_offsets32)), \
          seeds(FIND(library, mmr3_##NAME##_seeds)) {}             \
  };
FUNCTIONS(x86_32, X86_32)
FUNCTIONS(x86_128, X86_128)
FUNCTIONS(x64_128, X64_128)

template <class V>
std::string Name(const char* shape, const std::string& lengths, size_t n) {
  return std::string(V::kName) + " " + shape + " " + lengths +
         " n=" + std::to_string(n);
}

template <class V>
void Fixed(size_t key_len, size_t stride, size_t n) {
  std::string lengths = std::to_string(key_len);
  if (stride != key_len) lengths += "/" + std::to_string(stride);
  const std::string name = Name<V>("fixed", lengths, n);
  if (!IsWanted(name)) return;
  const std::vector<unsigned char> bytes = Pattern(stride * n + key_len);
  std::vector<typename V::Word> out(n * V::kWords);
  Row(
      name, n,
      [&] {
        for (size_t i = 0; i < n; ++i)
          V::One(bytes.data() + i * stride, key_len, 1, &out[i * V::kWords]);
      },
      [&](const Library& library) {
        return [&, functions = Functions<V>(library)] {
          functions.fixed(bytes.data(), key_len, ptrdiff_t(stride), n, 1,
                          out.data());
        };
      });
}

// The sets of keys of a row, in the order in which calls take them.
class Order {
 public:
  explicit Order(size_t sets) : order_(8 * sets) {
    std::mt19937_64 random = Random();
    for (size_t& set : order_) set = random() % sets;
  }
  size_t Next() {
    at_ = (at_ + 1) % order_.size();
    return order_[at_];
  }

 private:
  std::vector<size_t> order_;
  size_t at_ = 0;
};

struct KeySet {
  std::vector<size_t> lens;
  std::vector<int32_t> offsets;
  std::vector<const void*> keys;
};

// Keys of lengths from min to max, in random order. Cold ones lie anywhere in
// memory that no cache holds, hot ones one after the other, every set in the
// same bytes.
template <class V>
void Mixed(size_t min, size_t max, size_t n, bool cold = false) {
  const std::string lengths = std::to_string(min) + "-" + std::to_string(max);
  const std::string name = Name<V>(cold ? "cold" : "pointers", lengths, n);
  const std::string offsets_name = Name<V>("offsets", lengths, n);
  if (!IsWanted(name) && (cold || !IsWanted(offsets_name))) return;
  constexpr size_t kColdBytes = size_t{1} << 29;
  // 64 sets of 1024 keys, or as many keys; cold ones 2048 sets, a third of a
  // GB.
  const size_t sets = std::max<size_t>(64, 64 * 1024 / n) * (cold ? 32 : 1);
  std::mt19937_64 random = Random();
  static std::vector<unsigned char> cold_bytes;
  if (cold) cold_bytes.resize(kColdBytes + 65536, 0x5a);
  const std::vector<unsigned char> hot_bytes = Pattern(max * n);
  const std::vector<unsigned char>& bytes = cold ? cold_bytes : hot_bytes;
  std::vector<KeySet> all(sets);
  for (KeySet& set : all) {
    set.offsets = {0};
    for (size_t i = 0; i < n; ++i) {
      const size_t len = min + random() % (max - min + 1);
      set.lens.push_back(len);
      set.keys.push_back(bytes.data() + (cold ? random() % kColdBytes
                                              : size_t(set.offsets.back())));
      set.offsets.push_back(set.offsets.back() + int32_t(len));
    }
  }
  std::vector<typename V::Word> out(n * V::kWords);
  Order plain_order(sets), order(sets);
  Row(
      name, n,
      [&] {
        const KeySet& set = all[plain_order.Next()];
        for (size_t i = 0; i < n; ++i)
          V::One(set.keys[i], set.lens[i], 1, &out[i * V::kWords]);
      },
      [&](const Library& library) {
        return [&, functions = Functions<V>(library)] {
          const KeySet& set = all[order.Next()];
          functions.batch(set.keys.data(), set.lens.data(), n, 1, out.data());
        };
      });
  if (cold) return;
  Row(
      offsets_name, n,
      [&] {
        const KeySet& set = all[plain_order.Next()];
        for (size_t i = 0; i < n; ++i)
          V::One(bytes.data() + set.offsets[i], set.lens[i], 1,
                 &out[i * V::kWords]);
      },
      [&](const Library& library) {
        return [&, functions = Functions<V>(library)] {
          const KeySet& set = all[order.Next()];
          functions.offsets32(bytes.data(), set.offsets.data(), n, 1,
                              out.data());
        };
      });
}

template <class V>
void Seeds(size_t len, size_t n) {
  const std::vector<unsigned char> bytes = Pattern(len);
  std::vector<typename V::Seed> seeds(n);
  for (size_t i = 0; i < n; ++i) seeds[i] = typename V::Seed(i * 77);
  std::vector<typename V::Word> out(n * V::kWords);
  Row(
      Name<V>("seeds", std::to_string(len), n), n,
      [&] {
        for (size_t i = 0; i < n; ++i)
          V::One(bytes.data(), len, seeds[i], &out[i * V::kWords]);
      },
      [&](const Library& library) {
        return [&, functions = Functions<V>(library)] {
          functions.seeds(bytes.data(), len, seeds.data(), n, out.data());
        };
      });
}

template <class V>
void Batches() {
  Header("batches, against one at a time");
  constexpr size_t kMany = 4096;
  for (size_t key_len : {4, 8, 16}) Fixed<V>(key_len, key_len, kMany);
  for (size_t key_len : {8, 16}) Fixed<V>(key_len, 40, kMany);
  for (size_t key_len : {1, 3, 5, 12, 20, 36, 64, 100, 256})
    Fixed<V>(key_len, key_len, kMany);
  Mixed<V>(8, 8, 1024);
  Mixed<V>(20, 20, 1024);
  Mixed<V>(1, 15, 1024);
  Mixed<V>(1, 64, 1024);
  Mixed<V>(64, 1024, 1024);
  Mixed<V>(0, 8192, 256);
  Mixed<V>(1, 15, 1024, true);
  Mixed<V>(1, 64, 1024, true);
  Mixed<V>(64, 1024, 1024, true);
  for (size_t len : {4, 8, 20, 100, 1000}) Seeds<V>(len, 1024);
  for (size_t n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256}) {
    Fixed<V>(8, 8, n);
    Fixed<V>(16, 16, n);
    Fixed<V>(33, 33, n);
    Mixed<V>(1, 64, n);
    Mixed<V>(64, 1024, n);
    Seeds<V>(8, n);
    Seeds<V>(100, n);
  }
}

// What the rows can be believed to: a loop against the same loop.
void Control() {
  Header("the loop against itself");
  const std::vector<unsigned char> bytes = Pattern(8 * 4096);
  const Work loop = [&] {
    uint32_t all = 0;
    for (size_t i = 0; i < 4096; ++i)
      all ^= mmr3_x86_32(bytes.data() + 8 * i, 8, 1);
    volatile uint32_t sink = all;
    (void)sink;
  };
  Library saved = other;
  other = {};
  Row("control: equal code", 4096, loop, [&](const Library&) { return loop; });
  other = saved;
}

volatile uint64_t sink;

void OneString() {
  Header("one string, against a plain loop");
  const std::vector<unsigned char> bytes = Pattern(100000);
  for (size_t len :
       {16, 40, 100, 256, 500, 512, 700, 1000, 4096, 10000, 100000}) {
    const std::string lengths = " one " + std::to_string(len);
    Row(
        "x86_32" + lengths, 1,
        [&] { sink = PlainX86_32(bytes.data(), len, 1); },
        [&](const Library& library) {
          return [&, one = FIND(library, mmr3_x86_32)] {
            sink = one(bytes.data(), len, 1);
          };
        });
    Row(
        "x64_128" + lengths, 1,
        [&] { sink = PlainX64_128(bytes.data(), len, 1); },
        [&](const Library& library) {
          return [&, one = FIND(library, mmr3_x64_128)] {
            uint64_t out[2];
            one(bytes.data(), len, 1, out);
            sink = out[0];
          };
        });
    Row(
        "x86_128" + lengths, 1,
        [&] { sink = PlainX86_128(bytes.data(), len, 1); },
        [&](const Library& library) {
          return [&, one = FIND(library, mmr3_x86_128)] {
            uint32_t out[4];
            one(bytes.data(), len, 1, out);
            sink = out[0];
          };
        });
  }
}

template <class State, class Seed, class One, class Init, class Update,
          class Digest>
void Stream(const char* name, State state, Seed seed, const One& one,
            const Init& init, const Update& update, const Digest& digest) {
  constexpr size_t kLength = size_t{1} << 20;
  const std::vector<unsigned char> bytes = Pattern(kLength);
  for (size_t piece : {size_t{65536}, size_t{65531}, size_t{1000}})
    Row(
        std::string(name) + " stream of " + std::to_string(piece), 1,
        [&] { one(bytes.data(), kLength); },
        [&](const Library& library) {
          return [&, piece, init = init(library), update = update(library)] {
            init(&state, seed);
            for (size_t at = 0; at < kLength; at += piece)
              update(&state, bytes.data() + at, std::min(piece, kLength - at));
            digest(&state);
          };
        });
}

#define FINDER(function) \
  [](const Library& library) { return FIND(library, function); }

void Streams() {
  Header("streams of 1 MB, against one call");
  Stream(
      "x86_32", mmr3_x86_32_state(), 1u,
      [](const void* data, size_t len) { sink = mmr3_x86_32(data, len, 1); },
      FINDER(mmr3_x86_32_init), FINDER(mmr3_x86_32_update),
      [](const mmr3_x86_32_state* s) { sink = mmr3_x86_32_digest(s); });
  Stream(
      "x86_128", mmr3_x86_128_state(), 1u,
      [](const void* data, size_t len) {
        uint32_t out[4];
        mmr3_x86_128(data, len, 1, out);
        sink = out[0];
      },
      FINDER(mmr3_x86_128_init), FINDER(mmr3_x86_128_update),
      [](const mmr3_x86_128_state* s) {
        uint32_t out[4];
        mmr3_x86_128_digest(s, out);
        sink = out[0];
      });
  Stream(
      "x64_128", mmr3_x64_128_state(), uint64_t{1},
      [](const void* data, size_t len) {
        uint64_t out[2];
        mmr3_x64_128(data, len, 1, out);
        sink = out[0];
      },
      FINDER(mmr3_x64_128_init), FINDER(mmr3_x64_128_update),
      [](const mmr3_x64_128_state* s) {
        uint64_t out[2];
        mmr3_x64_128_digest(s, out);
        sink = out[0];
      });
  Stream(
      "wide32", mmr3_wide32_state(), 1u,
      [](const void* data, size_t len) { sink = mmr3_wide32(data, len, 1); },
      FINDER(mmr3_wide32_init), FINDER(mmr3_wide32_update),
      [](const mmr3_wide32_state* s) { sink = mmr3_wide32_digest(s); });
}

[[noreturn]] void WrongUsage(const std::string& what) {
  std::fprintf(stderr, "batch_bench: %s; see --help\n", what.c_str());
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (argument == "--rounds" || argument == "--against") {
      if (++i == argc) WrongUsage(argument + " wants a value");
      if (argument == "--rounds") {
        rounds = std::atoi(argv[i]);
        if (rounds < 1) WrongUsage("--rounds wants a number from 1");
      } else {
        other.handle = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        if (other.handle == nullptr) {
          std::fprintf(stderr, "batch_bench: %s\n", dlerror());
          return 1;
        }
      }
    } else if (argument[0] == '-') {
      WrongUsage("unknown option " + argument);
    } else {
      wanted.push_back(argument);
    }
  }
  std::vector<const char*> names(mmr3_kernels(nullptr, 0));
  mmr3_kernels(names.data(), names.size());
  for (const char* name : names) kernels.push_back({name});
  Control();
  Batches<X86_32>();
  Batches<X64_128>();
  Batches<X86_128>();
  OneString();
  Streams();
}
