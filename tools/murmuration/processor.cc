#include "tools/murmuration/processor.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace {

// ----------------------------------------------------------------------- x86

// Vendor, family, models and steppings of a microarchitecture, first to last.
// The first row that holds a processor counts.
constexpr struct {
  const char* vendor;
  uint32_t family, first_model, last_model, first_stepping, last_stepping;
  const char* name;
} kMicroarchitectures[] = {
    {"GenuineIntel", 6, 0x0f, 0x0f, 0, 15, "Core"},
    {"GenuineIntel", 6, 0x16, 0x16, 0, 15, "Core"},
    {"GenuineIntel", 6, 0x17, 0x17, 0, 15, "Penryn"},
    {"GenuineIntel", 6, 0x1d, 0x1d, 0, 15, "Penryn"},
    {"GenuineIntel", 6, 0x1a, 0x1a, 0, 15, "Nehalem"},
    {"GenuineIntel", 6, 0x1e, 0x1f, 0, 15, "Nehalem"},
    {"GenuineIntel", 6, 0x2e, 0x2e, 0, 15, "Nehalem"},
    {"GenuineIntel", 6, 0x25, 0x25, 0, 15, "Westmere"},
    {"GenuineIntel", 6, 0x2c, 0x2c, 0, 15, "Westmere"},
    {"GenuineIntel", 6, 0x2f, 0x2f, 0, 15, "Westmere"},
    {"GenuineIntel", 6, 0x2a, 0x2a, 0, 15, "Sandy Bridge"},
    {"GenuineIntel", 6, 0x2d, 0x2d, 0, 15, "Sandy Bridge"},
    {"GenuineIntel", 6, 0x3a, 0x3a, 0, 15, "Ivy Bridge"},
    {"GenuineIntel", 6, 0x3e, 0x3e, 0, 15, "Ivy Bridge"},
    {"GenuineIntel", 6, 0x3c, 0x3c, 0, 15, "Haswell"},
    {"GenuineIntel", 6, 0x3f, 0x3f, 0, 15, "Haswell"},
    {"GenuineIntel", 6, 0x45, 0x46, 0, 15, "Haswell"},
    {"GenuineIntel", 6, 0x3d, 0x3d, 0, 15, "Broadwell"},
    {"GenuineIntel", 6, 0x47, 0x47, 0, 15, "Broadwell"},
    {"GenuineIntel", 6, 0x4f, 0x4f, 0, 15, "Broadwell"},
    {"GenuineIntel", 6, 0x56, 0x56, 0, 15, "Broadwell"},
    {"GenuineIntel", 6, 0x4e, 0x4e, 0, 15, "Skylake"},
    {"GenuineIntel", 6, 0x5e, 0x5e, 0, 15, "Skylake"},
    {"GenuineIntel", 6, 0x55, 0x55, 0, 4, "Skylake-X"},
    {"GenuineIntel", 6, 0x55, 0x55, 5, 7, "Cascade Lake"},
    {"GenuineIntel", 6, 0x55, 0x55, 10, 11, "Cooper Lake"},
    {"GenuineIntel", 6, 0x8e, 0x8e, 0, 9, "Kaby Lake"},
    {"GenuineIntel", 6, 0x9e, 0x9e, 0, 9, "Kaby Lake"},
    {"GenuineIntel", 6, 0x8e, 0x8e, 10, 10, "Coffee Lake"},
    {"GenuineIntel", 6, 0x8e, 0x8e, 11, 12, "Whiskey Lake"},
    {"GenuineIntel", 6, 0x9e, 0x9e, 10, 13, "Coffee Lake"},
    {"GenuineIntel", 6, 0xa5, 0xa6, 0, 15, "Comet Lake"},
    {"GenuineIntel", 6, 0x66, 0x66, 0, 15, "Cannon Lake"},
    {"GenuineIntel", 6, 0x6a, 0x6a, 0, 15, "Ice Lake"},
    {"GenuineIntel", 6, 0x6c, 0x6c, 0, 15, "Ice Lake"},
    {"GenuineIntel", 6, 0x7d, 0x7e, 0, 15, "Ice Lake"},
    {"GenuineIntel", 6, 0x9d, 0x9d, 0, 15, "Ice Lake"},
    {"GenuineIntel", 6, 0xa7, 0xa7, 0, 15, "Rocket Lake"},
    {"GenuineIntel", 6, 0x8c, 0x8d, 0, 15, "Tiger Lake"},
    {"GenuineIntel", 6, 0x8f, 0x8f, 0, 15, "Sapphire Rapids"},
    {"GenuineIntel", 6, 0xcf, 0xcf, 0, 15, "Emerald Rapids"},
    {"GenuineIntel", 6, 0xad, 0xae, 0, 15, "Granite Rapids"},
    {"GenuineIntel", 6, 0x97, 0x97, 0, 15, "Alder Lake"},
    {"GenuineIntel", 6, 0x9a, 0x9a, 0, 15, "Alder Lake"},
    {"GenuineIntel", 6, 0xb7, 0xb7, 0, 15, "Raptor Lake"},
    {"GenuineIntel", 6, 0xba, 0xba, 0, 15, "Raptor Lake"},
    {"GenuineIntel", 6, 0xbf, 0xbf, 0, 15, "Raptor Lake"},
    {"GenuineIntel", 6, 0xaa, 0xaa, 0, 15, "Meteor Lake"},
    {"GenuineIntel", 6, 0xac, 0xac, 0, 15, "Meteor Lake"},
    {"GenuineIntel", 6, 0xb5, 0xb5, 0, 15, "Arrow Lake"},
    {"GenuineIntel", 6, 0xc5, 0xc6, 0, 15, "Arrow Lake"},
    {"GenuineIntel", 6, 0xbd, 0xbd, 0, 15, "Lunar Lake"},
    {"GenuineIntel", 6, 0xcc, 0xcc, 0, 15, "Panther Lake"},
    {"GenuineIntel", 6, 0xaf, 0xaf, 0, 15, "Crestmont"},
    {"GenuineIntel", 6, 0xb6, 0xb6, 0, 15, "Crestmont"},
    {"GenuineIntel", 6, 0xdd, 0xdd, 0, 15, "Darkmont"},
    {"GenuineIntel", 6, 0xbe, 0xbe, 0, 15, "Gracemont"},
    {"GenuineIntel", 6, 0x86, 0x86, 0, 15, "Tremont"},
    {"GenuineIntel", 6, 0x96, 0x96, 0, 15, "Tremont"},
    {"GenuineIntel", 6, 0x9c, 0x9c, 0, 15, "Tremont"},
    {"GenuineIntel", 6, 0x7a, 0x7a, 0, 15, "Goldmont Plus"},
    {"GenuineIntel", 6, 0x5c, 0x5c, 0, 15, "Goldmont"},
    {"GenuineIntel", 6, 0x5f, 0x5f, 0, 15, "Goldmont"},
    {"GenuineIntel", 6, 0x4c, 0x4c, 0, 15, "Airmont"},
    {"GenuineIntel", 6, 0x75, 0x75, 0, 15, "Airmont"},
    {"GenuineIntel", 6, 0x37, 0x37, 0, 15, "Silvermont"},
    {"GenuineIntel", 6, 0x4a, 0x4a, 0, 15, "Silvermont"},
    {"GenuineIntel", 6, 0x4d, 0x4d, 0, 15, "Silvermont"},
    {"GenuineIntel", 6, 0x57, 0x57, 0, 15, "Knights Landing"},
    {"GenuineIntel", 6, 0x85, 0x85, 0, 15, "Knights Mill"},
    {"AuthenticAMD", 0x15, 0x00, 0x01, 0, 15, "Bulldozer"},
    {"AuthenticAMD", 0x15, 0x02, 0x02, 0, 15, "Piledriver"},
    {"AuthenticAMD", 0x15, 0x10, 0x1f, 0, 15, "Piledriver"},
    {"AuthenticAMD", 0x15, 0x30, 0x3f, 0, 15, "Steamroller"},
    {"AuthenticAMD", 0x15, 0x60, 0x7f, 0, 15, "Excavator"},
    {"AuthenticAMD", 0x16, 0x00, 0x0f, 0, 15, "Jaguar"},
    {"AuthenticAMD", 0x16, 0x30, 0x3f, 0, 15, "Puma"},
    {"AuthenticAMD", 0x17, 0x08, 0x08, 0, 15, "Zen+"},
    {"AuthenticAMD", 0x17, 0x18, 0x18, 0, 15, "Zen+"},
    {"AuthenticAMD", 0x17, 0x00, 0x2f, 0, 15, "Zen"},
    {"AuthenticAMD", 0x17, 0x50, 0x5f, 0, 15, "Zen"},
    {"AuthenticAMD", 0x17, 0x30, 0x4f, 0, 15, "Zen 2"},
    {"AuthenticAMD", 0x17, 0x60, 0x7f, 0, 15, "Zen 2"},
    {"AuthenticAMD", 0x17, 0x90, 0x98, 0, 15, "Zen 2"},
    {"AuthenticAMD", 0x17, 0xa0, 0xaf, 0, 15, "Zen 2"},
    {"AuthenticAMD", 0x19, 0x00, 0x0f, 0, 15, "Zen 3"},
    {"AuthenticAMD", 0x19, 0x20, 0x5f, 0, 15, "Zen 3"},
    {"AuthenticAMD", 0x19, 0x10, 0x1f, 0, 15, "Zen 4"},
    {"AuthenticAMD", 0x19, 0x60, 0xaf, 0, 15, "Zen 4"},
    {"AuthenticAMD", 0x1a, 0x00, 0x2f, 0, 15, "Zen 5"},
    {"AuthenticAMD", 0x1a, 0x40, 0x4f, 0, 15, "Zen 5"},
    {"AuthenticAMD", 0x1a, 0x60, 0x7f, 0, 15, "Zen 5"},
    {"AuthenticAMD", 0x1a, 0x50, 0x5f, 0, 15, "Zen 6"},
    {"AuthenticAMD", 0x1a, 0x80, 0xaf, 0, 15, "Zen 6"},
    {"AuthenticAMD", 0x1a, 0xc0, 0xcf, 0, 15, "Zen 6"},
    {"HygonGenuine", 0x18, 0x00, 0x0f, 0, 15, "Dhyana"},
};

// Parts of XCR0: the registers that the system saves for a process.
constexpr uint64_t kYmm = 0x6;
constexpr uint64_t kZmm = 0xe6;

// In the order in which they came; enabled only with all of those registers.
constexpr struct {
  const char* name;
  uint32_t leaf, subleaf;
  uint32_t CpuidWords::*word;
  unsigned bit;
  uint64_t registers;
} kFlags[] = {
    {"hypervisor", 1, 0, &CpuidWords::ecx, 31, 0},
    {"sse2", 1, 0, &CpuidWords::edx, 26, 0},
    {"pni", 1, 0, &CpuidWords::ecx, 0, 0},
    {"ssse3", 1, 0, &CpuidWords::ecx, 9, 0},
    {"sse4_1", 1, 0, &CpuidWords::ecx, 19, 0},
    {"sse4_2", 1, 0, &CpuidWords::ecx, 20, 0},
    {"popcnt", 1, 0, &CpuidWords::ecx, 23, 0},
    {"aes", 1, 0, &CpuidWords::ecx, 25, 0},
    {"pclmulqdq", 1, 0, &CpuidWords::ecx, 1, 0},
    {"erms", 7, 0, &CpuidWords::ebx, 9, 0},
    {"fsrm", 7, 0, &CpuidWords::edx, 4, 0},
    {"abm", 0x80000001, 0, &CpuidWords::ecx, 5, 0},
    {"bmi1", 7, 0, &CpuidWords::ebx, 3, 0},
    {"bmi2", 7, 0, &CpuidWords::ebx, 8, 0},
    {"xop", 0x80000001, 0, &CpuidWords::ecx, 11, kYmm},
    {"avx", 1, 0, &CpuidWords::ecx, 28, kYmm},
    {"f16c", 1, 0, &CpuidWords::ecx, 29, kYmm},
    {"fma", 1, 0, &CpuidWords::ecx, 12, kYmm},
    {"avx2", 7, 0, &CpuidWords::ebx, 5, kYmm},
    {"vaes", 7, 0, &CpuidWords::ecx, 9, kYmm},
    {"vpclmulqdq", 7, 0, &CpuidWords::ecx, 10, kYmm},
    {"avx_vnni", 7, 1, &CpuidWords::eax, 4, kYmm},
    {"avx512f", 7, 0, &CpuidWords::ebx, 16, kZmm},
    {"avx512cd", 7, 0, &CpuidWords::ebx, 28, kZmm},
    {"avx512bw", 7, 0, &CpuidWords::ebx, 30, kZmm},
    {"avx512dq", 7, 0, &CpuidWords::ebx, 17, kZmm},
    {"avx512vl", 7, 0, &CpuidWords::ebx, 31, kZmm},
    {"avx512ifma", 7, 0, &CpuidWords::ebx, 21, kZmm},
    {"avx512vbmi", 7, 0, &CpuidWords::ecx, 1, kZmm},
    {"avx512_vpopcntdq", 7, 0, &CpuidWords::ecx, 14, kZmm},
    {"avx512_vnni", 7, 0, &CpuidWords::ecx, 11, kZmm},
    {"avx512_vbmi2", 7, 0, &CpuidWords::ecx, 6, kZmm},
    {"avx512_bitalg", 7, 0, &CpuidWords::ecx, 12, kZmm},
    {"avx512_vp2intersect", 7, 0, &CpuidWords::edx, 8, kZmm},
    {"avx512_bf16", 7, 1, &CpuidWords::eax, 5, kZmm},
    {"avx512_fp16", 7, 0, &CpuidWords::edx, 23, kZmm},
};

// The bytes of the words in memory, up to the first zero, without the spaces
// that brands are padded with.
std::string Characters(const std::vector<uint32_t>& words) {
  std::string text;
  for (uint32_t word : words)
    for (unsigned shift = 0; shift != 32; shift += 8)
      text += static_cast<char>(word >> shift);
  text.erase(std::min(text.size(), text.find('\0')));
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string Microarchitecture(const Processor& processor) {
  for (const auto& row : kMicroarchitectures)
    if (processor.vendor == row.vendor && processor.family == row.family &&
        processor.model >= row.first_model &&
        processor.model <= row.last_model &&
        processor.stepping >= row.first_stepping &&
        processor.stepping <= row.last_stepping)
      return row.name;
  return "";
}

// ----------------------------------------------------------------------- ARM

constexpr struct {
  uint32_t code;
  const char* name;
} kArmImplementers[] = {
    {0x41, "ARM"},     {0x42, "Broadcom"},  {0x43, "Cavium"},
    {0x46, "Fujitsu"}, {0x48, "HiSilicon"}, {0x4e, "NVIDIA"},
    {0x50, "APM"},     {0x51, "Qualcomm"},  {0x53, "Samsung"},
    {0x61, "Apple"},   {0x6d, "Microsoft"}, {0x70, "Phytium"},
    {0xc0, "Ampere"},
};

constexpr struct {
  uint32_t implementer, part;
  const char* name;
} kArmCores[] = {
    {0x41, 0xb76, "ARM1176"},      {0x41, 0xc05, "Cortex-A5"},
    {0x41, 0xc07, "Cortex-A7"},    {0x41, 0xc08, "Cortex-A8"},
    {0x41, 0xc09, "Cortex-A9"},    {0x41, 0xc0d, "Cortex-A12"},
    {0x41, 0xc0e, "Cortex-A17"},   {0x41, 0xc0f, "Cortex-A15"},
    {0x41, 0xd01, "Cortex-A32"},   {0x41, 0xd02, "Cortex-A34"},
    {0x41, 0xd03, "Cortex-A53"},   {0x41, 0xd04, "Cortex-A35"},
    {0x41, 0xd05, "Cortex-A55"},   {0x41, 0xd06, "Cortex-A65"},
    {0x41, 0xd07, "Cortex-A57"},   {0x41, 0xd08, "Cortex-A72"},
    {0x41, 0xd09, "Cortex-A73"},   {0x41, 0xd0a, "Cortex-A75"},
    {0x41, 0xd0b, "Cortex-A76"},   {0x41, 0xd0c, "Neoverse N1"},
    {0x41, 0xd0d, "Cortex-A77"},   {0x41, 0xd0e, "Cortex-A76AE"},
    {0x41, 0xd40, "Neoverse V1"},  {0x41, 0xd41, "Cortex-A78"},
    {0x41, 0xd42, "Cortex-A78AE"}, {0x41, 0xd44, "Cortex-X1"},
    {0x41, 0xd46, "Cortex-A510"},  {0x41, 0xd47, "Cortex-A710"},
    {0x41, 0xd48, "Cortex-X2"},    {0x41, 0xd49, "Neoverse N2"},
    {0x41, 0xd4a, "Neoverse E1"},  {0x41, 0xd4b, "Cortex-A78C"},
    {0x41, 0xd4c, "Cortex-X1C"},   {0x41, 0xd4d, "Cortex-A715"},
    {0x41, 0xd4e, "Cortex-X3"},    {0x41, 0xd4f, "Neoverse V2"},
    {0x41, 0xd80, "Cortex-A520"},  {0x41, 0xd81, "Cortex-A720"},
    {0x41, 0xd82, "Cortex-X4"},    {0x41, 0xd83, "Neoverse V3AE"},
    {0x41, 0xd84, "Neoverse V3"},  {0x41, 0xd85, "Cortex-X925"},
    {0x41, 0xd87, "Cortex-A725"},  {0x41, 0xd8e, "Neoverse N3"},
    {0x42, 0x516, "ThunderX2"},    {0x43, 0x0a1, "ThunderX"},
    {0x43, 0x0af, "ThunderX2"},    {0x46, 0x001, "A64FX"},
    {0x48, 0xd01, "TSV110"},       {0x4e, 0x003, "Denver 2"},
    {0x4e, 0x004, "Carmel"},       {0x50, 0x000, "X-Gene"},
    {0x51, 0x001, "Oryon"},        {0x51, 0xc00, "Falkor"},
    {0x51, 0xc01, "Saphira"},      {0x61, 0x022, "Icestorm"},
    {0x61, 0x023, "Firestorm"},    {0x61, 0x024, "Icestorm"},
    {0x61, 0x025, "Firestorm"},    {0x61, 0x028, "Icestorm"},
    {0x61, 0x029, "Firestorm"},    {0x61, 0x032, "Blizzard"},
    {0x61, 0x033, "Avalanche"},    {0x6d, 0xd49, "Azure Cobalt 100"},
    {0xc0, 0xac3, "Ampere-1"},     {0xc0, 0xac4, "Ampere-1a"},
};

// 0x.. for what is not in the table.
std::string ArmImplementer(uint32_t code) {
  for (const auto& row : kArmImplementers)
    if (row.code == code) return row.name;
  char text[11];
  snprintf(text, sizeof text, "0x%02x", static_cast<unsigned>(code));
  return text;
}

std::string ArmCore(uint32_t implementer, uint32_t part) {
  for (const auto& row : kArmCores)
    if (row.implementer == implementer && row.part == part) return row.name;
  return "";
}

// ------------------------------------------------------- text of the system

std::string Trim(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

// Decimal, or hexadecimal after 0x.
std::optional<uint32_t> Number(const std::string& text) {
  const bool hexadecimal = text.compare(0, 2, "0x") == 0;
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const unsigned long long value =
      strtoull(text.c_str(), &end, hexadecimal ? 16 : 10);
  if (*end != '\0' || value > UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(value);
}

std::vector<std::string> Split(std::string text, char separator) {
  std::replace(text.begin(), text.end(), separator, ' ');
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words),
          std::istream_iterator<std::string>()};
}

// Every value that a key of /proc/cpuinfo has, in order.
using Fields = std::map<std::string, std::vector<std::string>>;

Fields ParseCpuinfo(const std::string& text) {
  Fields fields;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos)
      fields[Trim(line.substr(0, colon))].push_back(
          Trim(line.substr(colon + 1)));
  }
  return fields;
}

// The first value that one of these keys has.
std::string First(const Fields& fields,
                  std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = fields.find(key);
    if (found != fields.end() && !found->second.front().empty())
      return found->second.front();
  }
  return "";
}

Processor ArmFromFields(const Fields& fields) {
  const auto implementer = Number(First(fields, {"CPU implementer"}));
  Processor processor;
  if (implementer) processor.vendor = ArmImplementer(*implementer);
  processor.family = Number(First(fields, {"CPU architecture"}));
  processor.model = Number(First(fields, {"CPU part"}));
  processor.variant = Number(First(fields, {"CPU variant"}));
  processor.stepping = Number(First(fields, {"CPU revision"}));
  processor.flags = Split(First(fields, {"Features"}), ' ');
  if (implementer && processor.model)
    processor.microarchitecture = ArmCore(*implementer, *processor.model);
  // Cores of several kinds are common.
  std::vector<std::string> cores;
  for (const std::string& part : fields.at("CPU part")) {
    const auto number = Number(part);
    const std::string core =
        number && implementer ? ArmCore(*implementer, *number) : "";
    if (!core.empty() &&
        std::find(cores.begin(), cores.end(), core) == cores.end())
      cores.push_back(core);
  }
  for (const std::string& core : cores)
    processor.name += (processor.name.empty() ? "" : " and ") + core;
  if (processor.name.empty())
    processor.name = First(fields, {"model name", "Processor"});
  return processor;
}

#if !defined(__x86_64__) && !defined(__i386__)
std::string ReadFile(const char* name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}
#endif

}  // namespace

Processor ProcessorFromCpuid(
    const std::function<CpuidWords(uint32_t leaf, uint32_t subleaf)>& cpuid,
    uint64_t xcr0) {
  const CpuidWords basic = cpuid(0, 0), extended = cpuid(0x80000000, 0);
  const auto read = [&](uint32_t leaf, uint32_t subleaf) {
    // A processor without extended leaves answers with anything.
    const bool present =
        leaf < 0x80000000 ? leaf <= basic.eax
                          : (extended.eax >> 31) != 0 && leaf <= extended.eax;
    return present ? cpuid(leaf, subleaf) : CpuidWords{0, 0, 0, 0};
  };

  Processor processor;
  processor.vendor = Characters({basic.ebx, basic.edx, basic.ecx});
  std::vector<uint32_t> brand;
  for (uint32_t leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
    const CpuidWords words = read(leaf, 0);
    brand.insert(brand.end(), {words.eax, words.ebx, words.ecx, words.edx});
  }
  processor.name = Characters(brand);

  const uint32_t signature = read(1, 0).eax;
  uint32_t family = signature >> 8 & 0xf, model = signature >> 4 & 0xf;
  if (family == 0xf) family += signature >> 20 & 0xff;
  if (family >= 6) model |= signature >> 12 & 0xf0;
  processor.family = family;
  processor.model = model;
  processor.stepping = signature & 0xf;
  processor.microarchitecture = Microarchitecture(processor);

  for (const auto& flag : kFlags) {
    // Sub-leaves of leaf 7: its eax is the last one.
    if (flag.subleaf != 0 && flag.subleaf > read(flag.leaf, 0).eax) continue;
    if ((read(flag.leaf, flag.subleaf).*flag.word >> flag.bit & 1) != 0 &&
        (xcr0 & flag.registers) == flag.registers)
      processor.flags.push_back(flag.name);
  }
  return processor;
}

Processor ProcessorFromCpuinfo(const std::string& text) {
  const Fields fields = ParseCpuinfo(text);
  if (fields.count("CPU part") != 0) return ArmFromFields(fields);
  Processor processor;
  if (fields.count("cpu family") != 0) return processor;  // an x86 processor's
  processor.vendor = First(fields, {"vendor_id", "mvendorid"});
  processor.name =
      First(fields, {"model name", "Model Name", "cpu model", "uarch", "cpu"});
  // POWER: "POWER9, altivec supported".
  processor.name.erase(
      std::min(processor.name.size(), processor.name.find(", ")));
  // s390x: "version = FF,  identification = 0133E8,  machine = 2964".
  const std::string line = First(fields, {"processor 0"});
  const size_t machine = line.find("machine = ");
  if (processor.name.empty() && machine != std::string::npos)
    processor.name = "machine " + line.substr(machine + strlen("machine = "));
  processor.flags = Split(First(fields, {"features", "Features"}), ' ');
  // RISC-V: "rv64imafdc_zicsr".
  if (processor.flags.empty())
    processor.flags = Split(First(fields, {"isa"}), '_');
  return processor;
}

Processor ProcessorFromMidr(uint64_t midr) {
  const auto implementer = static_cast<uint32_t>(midr >> 24 & 0xff);
  Processor processor;
  processor.vendor = ArmImplementer(implementer);
  processor.family = 8;  // as Linux writes it for all of 64 bits
  processor.model = static_cast<uint32_t>(midr >> 4 & 0xfff);
  processor.variant = static_cast<uint32_t>(midr >> 20 & 0xf);
  processor.stepping = static_cast<uint32_t>(midr & 0xf);
  processor.microarchitecture = ArmCore(implementer, *processor.model);
  processor.name = processor.microarchitecture;
  return processor;
}

namespace {

Processor ReadWhatIsKnown() {
#if defined(__x86_64__) || defined(__i386__)
  const auto cpuid = [](uint32_t leaf, uint32_t subleaf) {
    CpuidWords words = {0, 0, 0, 0};
    __cpuid_count(leaf, subleaf, words.eax, words.ebx, words.ecx, words.edx);
    return words;
  };
  if (__get_cpuid_max(0, nullptr) == 0) return {};
  uint64_t xcr0 = 0;
  constexpr uint32_t kOsxsave = 1u << 27;
  if ((cpuid(1, 0).ecx & kOsxsave) != 0) {
    uint32_t low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    xcr0 = uint64_t{high} << 32 | low;
  }
  return ProcessorFromCpuid(cpuid, xcr0);
#else
  const Processor processor = ProcessorFromCpuinfo(ReadFile("/proc/cpuinfo"));
#if defined(__aarch64__)
  // Under an emulator that file may be its host's; the register is right.
  constexpr unsigned long kHwcapCpuid = 1ul << 11;
  if (processor.vendor.empty() && (getauxval(AT_HWCAP) & kHwcapCpuid) != 0) {
    uint64_t midr = 0;
    __asm__("mrs %0, midr_el1" : "=r"(midr));
    return ProcessorFromMidr(midr);
  }
#endif
  return processor;
#endif
}

nlohmann::ordered_json OrNull(const std::optional<uint32_t>& value) {
  return value ? nlohmann::ordered_json(*value) : nullptr;
}

nlohmann::ordered_json OrNull(const std::string& text) {
  return text.empty() ? nullptr : nlohmann::ordered_json(text);
}

}  // namespace

Processor ReadProcessor() {
  Processor processor = ReadWhatIsKnown();
  if (processor.name.empty()) processor.name = "unknown";
  return processor;
}

std::string Architecture() {
  struct utsname names;
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string Identity(const Processor& processor) {
  const struct {
    const char* name;
    const std::optional<uint32_t>& value;
  } numbers[] = {{"family", processor.family},
                 {"model", processor.model},
                 {"variant", processor.variant},
                 {"stepping", processor.stepping}};
  std::string identity =
      processor.vendor.empty() ? "unknown vendor" : processor.vendor;
  for (const auto& number : numbers)
    if (number.value)
      identity +=
          std::string(", ") + number.name + " " + std::to_string(*number.value);
  if (!processor.microarchitecture.empty())
    identity += " (" + processor.microarchitecture + ")";
  return identity;
}

nlohmann::ordered_json ToJson(const Processor& processor) {
  return {{"vendor", OrNull(processor.vendor)},
          {"name", OrNull(processor.name)},
          {"family", OrNull(processor.family)},
          {"model", OrNull(processor.model)},
          {"variant", OrNull(processor.variant)},
          {"stepping", OrNull(processor.stepping)},
          {"microarchitecture", OrNull(processor.microarchitecture)},
          {"flags", processor.flags}};
}
