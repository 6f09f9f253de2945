// murmuration info: what the library found and chose here.
#include <getopt.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/dispatch/cpu.h"
#include "lib/dispatch/select.h"
#include "tools/murmuration/processor.h"
#include "tools/murmuration/quote.h"
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
    {kSse2, "sse2"},         {kSse3, "sse3"},
    {kSsse3, "ssse3"},       {kSse41, "sse4.1"},
    {kSse42, "sse4.2"},      {kAvx, "avx"},
    {kAvx2, "avx2"},         {kLzcnt, "lzcnt"},
    {kBmi1, "bmi1"},         {kBmi2, "bmi2"},
    {kFma, "fma"},           {kF16c, "f16c"},
    {kAvx512F, "avx512f"},   {kAvx512Vl, "avx512vl"},
    {kAvx512Dq, "avx512dq"}, {kAvx512Bw, "avx512bw"},
    {kAvx512Cd, "avx512cd"}, {kAvx512Vbmi2, "avx512vbmi2"},
    {kNeon, "neon"},
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
    {"avx512vl", "256-bit vectors: Skylake-X to Cooper Lake"},
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

std::string Reason(const std::string& chosen, const char* forced,
                   FeatureSet features) {
  const std::string best =
      SelectKernel(kCompiledKernels, features, nullptr).name;
  if (forced == nullptr) return "the best that this processor supports";
  const std::string override = "MURMURATION_KERNEL=" + Quote(forced);
  if (chosen == forced) return "forced by " + override + "; without it " + best;
  return "the best that this processor supports; " + override +
         " is ignored: no kernel of that name is supported here";
}

ordered_json Collect(const Processor& processor) {
  const FeatureSet features = DetectFeatures();
  const std::string chosen = mmr3_kernel_name();
  const char* forced = getenv("MURMURATION_KERNEL");
  ordered_json info = {{"version", mmr3_version()},
                       {"processor", ToJson(processor)},
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
  return object.at(key).get<std::string>();
}

// A line of names after a label, broken where a terminal ends.
std::string NamesLine(const std::string& label, const ordered_json& names) {
  constexpr size_t kColumns = 80;
  std::string text, line = label;
  for (const auto& item : names) {
    const std::string name = item.get<std::string>();
    if (line.size() + 1 + name.size() > kColumns) {
      text += line + "\n";
      line.assign(label.size(), ' ');
    }
    line += " " + name;
  }
  return text + line + (names.empty() ? " none\n" : "\n");
}

std::string Format(const ordered_json& info, const Processor& processor) {
  constexpr size_t kLabel = 11, kKernel = 9, kVerdict = 12;
  std::string text =
      Padded("version", kLabel) + Text(info, "version") + "\n" +
      Padded("processor", kLabel) + processor.name + ", " +
      Text(info, "architecture") + "\n" + Padded("", kLabel) +
      Identity(processor) + "\n" +
      NamesLine(Padded("flags", kLabel - 1), processor.flags) +
      NamesLine(Padded("features", kLabel - 1), info.at("features"));
  for (const auto& kernel : info.at("kernels")) {
    const bool supported = kernel.at("supported").get<bool>();
    const bool chosen = kernel.at("name") == info.at("chosen");
    const std::string verdict = Padded(!supported ? "unsupported"
                                       : chosen   ? "chosen"
                                                  : "supported",
                                       kVerdict);
    text += Padded("kernel", kLabel) + Padded(Text(kernel, "name"), kKernel) +
            (chosen ? Green(verdict) : verdict) + Text(kernel, "description") +
            "\n";
    if (!supported)
      text += NamesLine(Padded("", kLabel + kKernel) + "lacks",
                        kernel.at("missing"));
  }
  return text + Padded("why", kLabel) + Text(info, "reason") + "\n";
}

}  // namespace

int RunInfo(int argc, char** argv) {
  enum { kJson = 256 };
  static const option kOptions[] = {{"json", no_argument, nullptr, kJson},
                                    {"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  bool json = false;
  for (int c; (c = getopt_long(argc, argv, ":h", kOptions, nullptr)) != -1;)
    switch (c) {
      case kJson:
        json = true;
        break;
      case 'h':
        PrintOutput(kUsage);
        return kExitSuccess;
      default:
        return OptionError("info", kOptions, c, argv);
    }
  if (optind != argc) return UsageError("info", "info takes no file");
  const Processor processor = ReadProcessor();
  const ordered_json info = Collect(processor);
  // Bytes of the environment that are no UTF-8 are replaced.
  PrintOutput(
      json ? info.dump(2, ' ', false, ordered_json::error_handler_t::replace) +
                 "\n"
           : Format(info, processor));
  return kExitSuccess;
}
