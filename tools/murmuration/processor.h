// What a processor is: more than its name, which two generations may share
// where a hypervisor shortens it.
#ifndef MURMURATION_TOOLS_MURMURATION_PROCESSOR_H_
#define MURMURATION_TOOLS_MURMURATION_PROCESSOR_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

struct Processor {
  // An empty text or no number is what nobody tells; the name is "unknown"
  // then. On ARM the vendor is the implementer, family the architecture, model
  // the part, stepping the revision; the variant is ARM's alone.
  std::string vendor;             // "GenuineIntel", "AuthenticAMD", "ARM"
  std::string name;               // the brand; on ARM, of every kind of core
  std::string microarchitecture;  // "Zen 4", "Neoverse N1"
  std::optional<uint32_t> family, model, variant, stepping;
  // As Linux writes them. On x86 those that decide about speed here: vectors,
  // bits, fast copies, a hypervisor; none that the system has not enabled.
  std::vector<std::string> flags;
};

// Of this machine.
Processor ReadProcessor();

// What the system calls the architecture: "x86_64".
std::string Architecture();

// Vendor, numbers and microarchitecture, as far as they are known, for people.
std::string Identity(const Processor& processor);

// An object with the members as keys, null for what is not known.
nlohmann::ordered_json ToJson(const Processor& processor);

// The rest are pure functions of what a processor or system has said.

struct CpuidWords {
  uint32_t eax, ebx, ecx, edx;
};
// x86: asked for the leaves that leaf 0 and leaf 0x80000000 say it has, only.
// xcr0 is the register of that name, 0 where there is none.
Processor ProcessorFromCpuid(
    const std::function<CpuidWords(uint32_t leaf, uint32_t subleaf)>& cpuid,
    uint64_t xcr0);

// Any other: the text of /proc/cpuinfo. Tells nothing from an x86 processor's,
// which an emulator may show of its host.
Processor ProcessorFromCpuinfo(const std::string& text);

// 64-bit ARM: the register MIDR_EL1.
Processor ProcessorFromMidr(uint64_t midr);

#endif  // MURMURATION_TOOLS_MURMURATION_PROCESSOR_H_
