// murmuration info: what the library found and chose here.
#include <getopt.h>
#include <sys/utsname.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/dispatch/cpu.h"
#include "lib/dispatch/select.h"
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

// As the system calls the processor; "unknown" where it has no name for it.
std::string ProcessorName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.compare(0, 10, "model name") == 0) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  return "unknown";
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

ordered_json Collect() {
  const FeatureSet features = DetectFeatures();
  const std::string chosen = mmr3_kernel_name();
  const char* forced = getenv("MURMURATION_KERNEL");
  ordered_json info = {{"version", mmr3_version()},
                       {"processor", ProcessorName()},
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
         {"supported", Supports(features, kernel)},
         {"needs", FeatureNames(kernel.required)},
         {"missing", FeatureNames(kernel.required & ~features)}});
  }
  return info;
}

std::string Join(const ordered_json& names) {
  std::string joined;
  for (const auto& name : names)
    joined += (joined.empty() ? "" : " ") + name.get<std::string>();
  return joined.empty() ? "none" : joined;
}

std::string Text(const ordered_json& info, const char* key) {
  return info.at(key).get<std::string>();
}

void Print(const ordered_json& info) {
  printf("version    %s\n", Text(info, "version").c_str());
  printf("processor  %s, %s\n", Text(info, "processor").c_str(),
         Text(info, "architecture").c_str());
  printf("features   %s\n", Join(info.at("features")).c_str());
  for (const auto& kernel : info.at("kernels")) {
    const std::string name = Text(kernel, "name");
    const std::string verdict = !kernel.at("supported")
                                    ? "lacks " + Join(kernel.at("missing"))
                                : name == info.at("chosen") ? Green("chosen")
                                                            : "supported";
    printf("kernel     %-8s%s\n", name.c_str(), verdict.c_str());
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
