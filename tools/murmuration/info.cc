// murmuration info: what the library found and chose here.
#include <getopt.h>
#include <sys/utsname.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lib/dispatch/cpu.h"
#include "lib/dispatch/select.h"
#include "tools/murmuration/processor.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

using nlohmann::ordered_json;
using namespace murmuration;

constexpr char kUsage[] = R"(usage: murmuration info [--json]

Prints this processor, the features found, the kernels compiled in, which of
them it supports, and which one was chosen and why.

      --json  as one JSON object
  -h, --help  show this text
)";

constexpr struct {
  FeatureSet bit;
  const char* name;
} kFeatureNames[] = {
    {kSse2, "sse2"},         {kSse3, "sse3"},         {kSsse3, "ssse3"},
    {kSse41, "sse4.1"},      {kSse42, "sse4.2"},      {kAvx, "avx"},
    {kAvx2, "avx2"},         {kLzcnt, "lzcnt"},       {kBmi1, "bmi1"},
    {kBmi2, "bmi2"},         {kFma, "fma"},           {kF16c, "f16c"},
    {kAvx512F, "avx512f"},   {kAvx512Vl, "avx512vl"}, {kAvx512Dq, "avx512dq"},
    {kAvx512Bw, "avx512bw"}, {kAvx512Cd, "avx512cd"},
    {kAvx512Vbmi2, "avx512vbmi2"}, {kNeon, "neon"},
};

std::vector<std::string> FeatureNames(FeatureSet features) {
  std::vector<std::string> names;
  for (const auto& feature : kFeatureNames)
    if (features & feature.bit) names.push_back(feature.name);
  return names;
}

// Whom a kernel is for, by its name.
constexpr struct {
  const char* kernel;
  const char* description;
} kDescriptions[] = {
    {"avx512", "512-bit vectors: Ice Lake, Zen 4 and later"},
    {"avx512vl", "256-bit vectors: Skylake-X and Cascade Lake"},
    {"avx2", "256-bit vectors: Haswell, Zen and later"},
    {"sse4", "128-bit vectors: Nehalem, Bulldozer and later"},
    {"neon", "128-bit vectors: ARM with Advanced SIMD"},
    {"scalar", "no vectors: any processor"},
};

std::string Description(const std::string& kernel) {
  for (const auto& row : kDescriptions)
    if (kernel == row.kernel) return row.description;
  return "not described";
}

std::string Architecture() {
  struct utsname names;
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string Reason(const std::string& chosen, const char* forced,
                   FeatureSet features) {
  const std::string best =
      SelectKernel(kCompiledKernels, features, nullptr).name;
  if (forced == nullptr) return "the best that this processor supports";
  const std::string override = std::string("MURMURATION_KERNEL=") + forced;
  if (chosen == forced) return "forced by " + override + "; without it " + best;
  return "the best that this processor supports; " + override +
         " is ignored: no kernel of that name is supported here";
}

template <class Value>
ordered_json OrNull(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json OrNull(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json ToJson(const Processor& processor) {
  return {{"vendor", OrNull(processor.vendor)},
          {"name", processor.name.empty() ? "unknown" : processor.name},
          {"family", OrNull(processor.family)},
          {"model", OrNull(processor.model)},
          {"variant", OrNull(processor.variant)},
          {"stepping", OrNull(processor.stepping)},
          {"microarchitecture", OrNull(processor.microarchitecture)},
          {"flags", processor.flags}};
}

ordered_json Collect() {
  const FeatureSet features = DetectFeatures();
  const std::string chosen = mmr3_kernel_name();
  const char* forced = getenv("MURMURATION_KERNEL");
  ordered_json info = {{"version", mmr3_version()},
                       {"processor", ToJson(ReadProcessor())},
                       {"architecture", Architecture()},
                       {"features", FeatureNames(features)},
                       {"kernels", ordered_json::array()},
                       {"chosen", chosen},
                       {"reason", Reason(chosen, forced, features)},
                       {"override", nullptr}};
  if (forced != nullptr) info["override"] = forced;
  for (size_t i = 0; i < kCompiledKernels.size; ++i) {
    const Kernel& kernel = kCompiledKernels.rows[i];
    info["kernels"].push_back(
        {{"name", kernel.name},
         {"description", Description(kernel.name)},
         {"supported", Supports(features, kernel)},
         {"needs", FeatureNames(kernel.required)},
         {"missing", FeatureNames(kernel.required & ~features)}});
  }
  return info;
}

std::string Text(const ordered_json& object, const char* key) {
  const ordered_json& value = object.at(key);
  return value.is_null() ? "unknown" : value.get<std::string>();
}

// A line of names after a label, broken where a terminal ends.
void PrintNames(const std::string& label, const ordered_json& names) {
  constexpr size_t kColumns = 80;
  std::string line = label;
  for (const auto& item : names) {
    const std::string name = item.get<std::string>();
    if (line.size() + name.size() > kColumns) {
      printf("%.*s\n", static_cast<int>(line.size() - 1), line.c_str());
      line.assign(label.size(), ' ');
    }
    line += name + " ";
  }
  if (names.empty()) line += "none ";
  printf("%.*s\n", static_cast<int>(line.size() - 1), line.c_str());
}

// Vendor, numbers and microarchitecture, as far as they are known.
std::string Identity(const ordered_json& processor) {
  std::string identity = Text(processor, "vendor");
  for (const char* key : {"family", "model", "variant", "stepping"})
    if (!processor.at(key).is_null())
      identity += std::string(", ") + key + " " +
                  std::to_string(processor.at(key).get<uint32_t>());
  if (!processor.at("microarchitecture").is_null())
    identity += " (" + Text(processor, "microarchitecture") + ")";
  return identity;
}

void Print(const ordered_json& info) {
  const ordered_json& processor = info.at("processor");
  printf("version    %s\n", Text(info, "version").c_str());
  printf("processor  %s, %s\n", Text(processor, "name").c_str(),
         Text(info, "architecture").c_str());
  printf("           %s\n", Identity(processor).c_str());
  PrintNames("flags      ", processor.at("flags"));
  PrintNames("features   ", info.at("features"));
  for (const auto& kernel : info.at("kernels")) {
    const std::string name = Text(kernel, "name");
    const bool supported = kernel.at("supported").get<bool>();
    const std::string verdict = !supported ? "unsupported "
                                : name == info.at("chosen")
                                    ? Green("chosen      ")
                                    : "supported   ";
    printf("kernel     %-9s%s%s\n", name.c_str(), verdict.c_str(),
           Text(kernel, "description").c_str());
    if (!supported)
      PrintNames(std::string(20, ' ') + "lacks ", kernel.at("missing"));
  }
  printf("why        %s\n", Text(info, "reason").c_str());
}

}  // namespace

int RunInfo(int argc, char** argv) {
  enum { kJson = 256 };
  static const option kOptions[] = {{"json", no_argument, nullptr, kJson},
                                    {"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  bool json = false;
  for (int c; (c = getopt_long(argc, argv, "h", kOptions, nullptr)) != -1;)
    switch (c) {
      case kJson:
        json = true;
        break;
      case 'h':
        fputs(kUsage, stdout);
        return kExitSuccess;
      default:
        return SeeHelp("info");
    }
  if (optind != argc) return UsageError("info", "info takes no file");
  const ordered_json info = Collect();
  if (json)
    // Bytes of the environment that are no UTF-8 are replaced.
    puts(info.dump(2, ' ', false, ordered_json::error_handler_t::replace)
             .c_str());
  else
    Print(info);
  return FlushOutput() ? kExitSuccess : kExitFailure;
}
