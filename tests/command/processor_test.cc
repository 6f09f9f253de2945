// What a processor is, from words and texts of real and made-up ones.
// Signatures of x86 processors are those that their vendors publish; texts have
// the form of Linux's /proc/cpuinfo.
#include "tools/murmuration/processor.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace {

using Leaves = std::map<std::pair<uint32_t, uint32_t>, CpuidWords>;

constexpr uint64_t kAvxEnabled = 0x7;
constexpr uint64_t kAvx512Enabled = 0xe7;

uint32_t Word(const std::string& text, size_t at) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4 && at + i < text.size(); ++i)
    word |= uint32_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
  return word;
}

// Leaves of a processor with that vendor, signature (eax of leaf 1) and brand.
Leaves Made(const std::string& vendor, uint32_t signature,
            const std::string& brand = "") {
  Leaves leaves;
  leaves[{0, 0}] = {7, Word(vendor, 0), Word(vendor, 8), Word(vendor, 4)};
  leaves[{1, 0}] = {signature, 0, 0, 0};
  leaves[{0x80000000, 0}] = {0x80000004, 0, 0, 0};
  leaves[{0x80000001, 0}] = {0, 0, 0, 0};
  for (uint32_t i = 0; i < 3; ++i)
    leaves[{0x80000002 + i, 0}] = {Word(brand, 16 * i), Word(brand, 16 * i + 4),
                                   Word(brand, 16 * i + 8),
                                   Word(brand, 16 * i + 12)};
  return leaves;
}

// A processor answers every question: with those words, or with rubbish that
// must not have been asked for.
Processor Read(const Leaves& leaves, uint64_t xcr0 = kAvx512Enabled) {
  return ProcessorFromCpuid(
      [&](uint32_t leaf, uint32_t subleaf) {
        const auto found = leaves.find({leaf, subleaf});
        return found != leaves.end() ? found->second
                                     : CpuidWords{~0u, ~0u, ~0u, ~0u};
      },
      xcr0);
}

bool Has(const Processor& processor, const std::string& flag) {
  for (const std::string& each : processor.flags)
    if (each == flag) return true;
  return false;
}

TEST(Cpuid, SignaturesOfRealProcessors) {
  const struct {
    const char* vendor;
    uint32_t signature, family, model, stepping;
    const char* microarchitecture;
  } processors[] = {
      {"GenuineIntel", 0x000006fb, 6, 15, 11, "Core"},
      {"GenuineIntel", 0x000106a5, 6, 26, 5, "Nehalem"},
      {"GenuineIntel", 0x000206a7, 6, 42, 7, "Sandy Bridge"},
      {"GenuineIntel", 0x000306c3, 6, 60, 3, "Haswell"},
      {"GenuineIntel", 0x000406f1, 6, 79, 1, "Broadwell"},
      {"GenuineIntel", 0x00050654, 6, 85, 4, "Skylake-X"},
      {"GenuineIntel", 0x00050657, 6, 85, 7, "Cascade Lake"},
      {"GenuineIntel", 0x0005065b, 6, 85, 11, "Cooper Lake"},
      {"GenuineIntel", 0x000906ea, 6, 158, 10, "Coffee Lake"},
      {"GenuineIntel", 0x000606a6, 6, 106, 6, "Ice Lake"},
      {"GenuineIntel", 0x000806f8, 6, 143, 8, "Sapphire Rapids"},
      {"GenuineIntel", 0x000c06f2, 6, 207, 2, "Emerald Rapids"},
      {"GenuineIntel", 0x000a06d1, 6, 173, 1, "Granite Rapids"},
      {"GenuineIntel", 0x00090672, 6, 151, 2, "Alder Lake"},
      {"AuthenticAMD", 0x00600f12, 21, 1, 2, "Bulldozer"},
      {"AuthenticAMD", 0x00800f12, 23, 1, 2, "Zen"},
      {"AuthenticAMD", 0x00800f82, 23, 8, 2, "Zen+"},
      {"AuthenticAMD", 0x00830f10, 23, 49, 0, "Zen 2"},
      {"AuthenticAMD", 0x00a00f11, 25, 1, 1, "Zen 3"},
      {"AuthenticAMD", 0x00a20f12, 25, 33, 2, "Zen 3"},
      {"AuthenticAMD", 0x00a10f11, 25, 17, 1, "Zen 4"},
      {"AuthenticAMD", 0x00aa0f02, 25, 160, 2, "Zen 4"},
      {"AuthenticAMD", 0x00b00f21, 26, 2, 1, "Zen 5"},
      {"AuthenticAMD", 0x00b40f40, 26, 68, 0, "Zen 5"},
      {"HygonGenuine", 0x00900f02, 24, 0, 2, "Dhyana"},
  };
  for (const auto& row : processors) {
    SCOPED_TRACE(row.microarchitecture);
    const Processor read = Read(Made(row.vendor, row.signature));
    EXPECT_EQ(read.vendor, row.vendor);
    EXPECT_EQ(read.family, row.family);
    EXPECT_EQ(read.model, row.model);
    EXPECT_EQ(read.stepping, row.stepping);
    EXPECT_EQ(read.variant, std::nullopt);
    EXPECT_EQ(read.microarchitecture, row.microarchitecture);
  }
}

TEST(Cpuid, TheSameNameOfTwoGenerations) {
  const Processor zen4 = Read(Made("AuthenticAMD", 0x00a10f11, "AMD EPYC"));
  const Processor zen5 = Read(Made("AuthenticAMD", 0x00b00f21, "AMD EPYC"));
  EXPECT_EQ(zen4.name, "AMD EPYC");
  EXPECT_EQ(zen5.name, "AMD EPYC");
  EXPECT_EQ(Identity(zen4),
            "AuthenticAMD, family 25, model 17, stepping 1 (Zen 4)");
  EXPECT_EQ(Identity(zen5),
            "AuthenticAMD, family 26, model 2, stepping 1 (Zen 5)");
}

TEST(Cpuid, UnknownProcessorsHaveNumbersOnly) {
  // A vendor of nobody, a model of the future, a stepping between two rows.
  for (const Leaves& leaves :
       {Made("MadeUpVendor", 0x000c06f2), Made("GenuineIntel", 0x00ff0f5a),
        Made("GenuineIntel", 0x00050658)}) {
    const Processor read = Read(leaves);
    EXPECT_EQ(read.microarchitecture, "");
    EXPECT_TRUE(read.family.has_value());
    EXPECT_TRUE(ToJson(read).at("microarchitecture").is_null());
  }
}

TEST(Cpuid, FamiliesAndModelsOfOldProcessors) {
  // The extended model counts from family 6 on, the extended family from 15 on.
  const Processor pentium = Read(Made("GenuineIntel", 0x00f0052c));
  EXPECT_EQ(pentium.family, 5u);
  EXPECT_EQ(pentium.model, 2u);
  EXPECT_EQ(pentium.stepping, 12u);
  EXPECT_EQ(Read(Made("GenuineIntel", 0x00000f29)).family, 15u);
}

TEST(Cpuid, BrandsAreTrimmedAndOfAnyLength) {
  const std::string longest(47, 'x'), full(48, 'y');
  EXPECT_EQ(Read(Made("GenuineIntel", 0, "   Padded(R) 1  ")).name,
            "Padded(R) 1");
  EXPECT_EQ(Read(Made("GenuineIntel", 0, "")).name, "");
  EXPECT_EQ(Read(Made("GenuineIntel", 0, std::string(48, ' '))).name, "");
  EXPECT_EQ(Read(Made("GenuineIntel", 0, longest)).name, longest);
  EXPECT_EQ(Read(Made("GenuineIntel", 0, full)).name, full);
}

TEST(Cpuid, LeavesThatAreNotThereAreNotAskedFor) {
  // Read() answers those with ones: every flag would be set.
  Leaves leaves = Made("GenuineIntel", 0x00000683);
  leaves[{0, 0}].eax = 1;
  leaves[{0x80000000, 0}].eax = 0;
  leaves.erase({0x80000001, 0});
  const Processor pentium3 = Read(leaves);
  EXPECT_EQ(pentium3.name, "");
  EXPECT_TRUE(pentium3.flags.empty());

  // A leaf 7 without sub-leaf 1, and no leaf 0x80000001.
  leaves[{0, 0}].eax = 7;
  leaves[{7, 0}] = {0, 1u << 5, 0, 0};
  const Processor read = Read(leaves);
  EXPECT_TRUE(Has(read, "avx2"));
  EXPECT_EQ(read.flags.size(), 1u);

  leaves[{7, 0}].eax = 1;
  leaves[{7, 1}] = {1u << 5, 0, 0, 0};
  EXPECT_TRUE(Has(Read(leaves), "avx512_bf16"));
}

TEST(Cpuid, FlagsWithoutTheirRegistersAreLeftOut) {
  Leaves leaves = Made("GenuineIntel", 0x000606a6);
  leaves[{1, 0}].ecx = 1u << 28 | 1u << 20 | 1u << 31;
  leaves[{7, 0}] = {0, 1u << 5 | 1u << 16, 1u << 6, 0};
  const auto flags = [&](uint64_t xcr0) { return Read(leaves, xcr0).flags; };
  EXPECT_EQ(flags(0), (std::vector<std::string>{"hypervisor", "sse4_2"}));
  EXPECT_EQ(flags(kAvxEnabled),
            (std::vector<std::string>{"hypervisor", "sse4_2", "avx", "avx2"}));
  EXPECT_EQ(flags(kAvx512Enabled),
            (std::vector<std::string>{"hypervisor", "sse4_2", "avx", "avx2",
                                      "avx512f", "avx512_vbmi2"}));
  // The masks of AVX-512 without the upper halves of its registers.
  EXPECT_EQ(flags(0x27), flags(kAvxEnabled));
}

// ----------------------------------------------------------------------- ARM

std::string Core(int number, const char* implementer, const char* variant,
                 const char* part, const char* revision) {
  return "processor\t: " + std::to_string(number) +
         "\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd evtstrm crc32 cpuid\n"
         "CPU implementer\t: " +
         implementer + "\nCPU architecture: 8\nCPU variant\t: " + variant +
         "\nCPU part\t: " + part + "\nCPU revision\t: " + revision + "\n\n";
}

TEST(Cpuinfo, OneKindOfArmCore) {
  const Processor read =
      ProcessorFromCpuinfo(Core(0, "0x41", "0x3", "0xd0c", "1") +
                           Core(1, "0x41", "0x3", "0xd0c", "1"));
  EXPECT_EQ(read.vendor, "ARM");
  EXPECT_EQ(read.name, "Neoverse N1");
  EXPECT_EQ(read.microarchitecture, "Neoverse N1");
  EXPECT_EQ(read.family, 8u);
  EXPECT_EQ(read.model, 0xd0cu);
  EXPECT_EQ(read.variant, 3u);
  EXPECT_EQ(read.stepping, 1u);
  EXPECT_EQ(read.flags, (std::vector<std::string>{"fp", "asimd", "evtstrm",
                                                  "crc32", "cpuid"}));
  EXPECT_EQ(Identity(read),
            "ARM, family 8, model 3340, variant 3, stepping 1 (Neoverse N1)");
}

TEST(Cpuinfo, TwoKindsOfArmCores) {
  const Processor read =
      ProcessorFromCpuinfo(Core(0, "0x41", "0x0", "0xd03", "4") +
                           Core(1, "0x41", "0x0", "0xd03", "4") +
                           Core(2, "0x41", "0x0", "0xd09", "2"));
  EXPECT_EQ(read.name, "Cortex-A53 and Cortex-A73");
  EXPECT_EQ(read.microarchitecture, "Cortex-A53");
}

TEST(Cpuinfo, AnArmCoreThatNobodyKnows) {
  const Processor read =
      ProcessorFromCpuinfo(Core(0, "0x99", "0xa", "0x123", "5"));
  EXPECT_EQ(read.vendor, "0x99");
  EXPECT_EQ(read.name, "");
  EXPECT_EQ(read.microarchitecture, "");
  EXPECT_EQ(read.model, 0x123u);
  EXPECT_EQ(read.variant, 10u);
}

TEST(Cpuinfo, Arm32NamesTheArchitectureOnly) {
  const std::string text =
      "processor\t: 0\nmodel name\t: ARMv7 Processor rev 5 "
      "(v7l)\nFeatures\t: half thumb neon vfpv4\n"
      "CPU implementer\t: 0x41\nCPU architecture: 7\n"
      "CPU variant\t: 0x0\nCPU part\t: ";
  EXPECT_EQ(ProcessorFromCpuinfo(text + "0xc07\nCPU revision\t: 5\n").name,
            "Cortex-A7");
  EXPECT_EQ(ProcessorFromCpuinfo(text + "0xfff\nCPU revision\t: 5\n").name,
            "ARMv7 Processor rev 5 (v7l)");
}

TEST(Midr, IsWhatTheTextSays) {
  // What the registers of a Cortex-A53 r0p4, an A64FX and a Neoverse N1 r3p1
  // hold.
  EXPECT_EQ(Identity(ProcessorFromMidr(0x410fd034)),
            "ARM, family 8, model 3331, variant 0, stepping 4 (Cortex-A53)");
  EXPECT_EQ(Identity(ProcessorFromMidr(0x461f0010)),
            "Fujitsu, family 8, model 1, variant 1, stepping 0 (A64FX)");
  const Processor read = ProcessorFromMidr(0x413fd0c1);
  const Processor text =
      ProcessorFromCpuinfo(Core(0, "0x41", "0x3", "0xd0c", "1"));
  EXPECT_EQ(Identity(read), Identity(text));
  EXPECT_EQ(read.name, text.name);
}

// ------------------------------------------------------------------- others

TEST(Cpuinfo, OtherArchitectures) {
  const struct {
    const char *text, *vendor, *name, *first_flag;
  } systems[] = {
      {"vendor_id       : IBM/S390\n# processors    : 1\n"
       "features\t: esan3 zarch stfle msa\n"
       "processor 0: version = FF,  identification = 0133E8,  machine = 8561\n",
       "IBM/S390", "machine 8561", "esan3"},
      {"processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: "
       "2200.0MHz\nrevision\t: 2.2 (pvr 004e 1202)\n",
       "", "POWER9", nullptr},
      {"processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc_zicsr_zifencei\n"
       "mmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\nmvendorid\t: 0x489\n",
       "0x489", "sifive,u74-mc", "rv64imafdc"},
      {"system type\t\t: generic-loongson-machine\nprocessor\t\t: 0\n"
       "CPU Family\t\t: Loongson-64bit\nModel Name\t\t: Loongson-3A5000\n"
       "Features\t\t: cpucfg lam ual\n",
       "", "Loongson-3A5000", "cpucfg"},
      {"", "", "", nullptr},
      {"no colon\n: no key\nempty :\n\n", "", "", nullptr},
  };
  for (const auto& system : systems) {
    SCOPED_TRACE(system.text);
    const Processor read = ProcessorFromCpuinfo(system.text);
    EXPECT_EQ(read.vendor, system.vendor);
    EXPECT_EQ(read.name, system.name);
    EXPECT_EQ(read.flags.empty(), system.first_flag == nullptr);
    if (!read.flags.empty()) {
      EXPECT_EQ(read.flags.front(), system.first_flag);
    }
  }
}

TEST(Cpuinfo, TellsNothingFromTheHostOfAnEmulator) {
  const Processor read = ProcessorFromCpuinfo(
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
      "model\t\t: 207\nmodel name\t: Intel(R) Xeon(R) Processor\n"
      "flags\t\t: fpu sse2 avx512f\n");
  EXPECT_EQ(read.vendor, "");
  EXPECT_EQ(read.name, "");
  EXPECT_TRUE(read.flags.empty());
}

TEST(Cpuinfo, NumbersThatAreNone) {
  for (const char* part : {"", "0x", "zz", "0xzz", "99999999999999999999"}) {
    SCOPED_TRACE(part);
    EXPECT_EQ(ProcessorFromCpuinfo(Core(0, "0x41", "0x0", part, "0")).model,
              std::nullopt);
  }
}

TEST(ToJson, HasEveryKeyAndNullForWhatIsNotKnown) {
  const auto json = ToJson(Processor{});
  for (const char* key : {"vendor", "name", "family", "model", "variant",
                          "stepping", "microarchitecture"})
    EXPECT_TRUE(json.at(key).is_null()) << key;
  EXPECT_TRUE(json.at("flags").is_array());
  EXPECT_EQ(ToJson(Read(Made("GenuineIntel", 0x000c06f2))).at("model"), 207);
}

TEST(ThisMachine, HasAName) { EXPECT_NE(ReadProcessor().name, ""); }

}  // namespace
