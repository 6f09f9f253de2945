// murmuration selftest: known answers on every kernel that runs here.
#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "murmuration.h"
#include "tools/murmuration/algorithm.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

constexpr char kUsage[] = R"(usage: murmuration selftest

Computes known answers on every kernel that this processor supports, in one call
and in pieces. Exit status: 0, or 1 if one is wrong.

  -h, --help  show this text
)";

// The vector files of tests/vectors/, as text.
constexpr char kStandardVectors[] =
#include "murmur3_vectors.inc"
    ;
constexpr char kWide32Vectors[] =
#include "wide32_vectors.inc"
    ;

using Bytes = std::vector<unsigned char>;
using Fields = std::vector<std::string>;

// The rows of a tab-separated text, without comments and the header line.
std::vector<Fields> Rows(const char* text) {
  std::istringstream lines(text);
  std::vector<Fields> rows;
  bool header = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (!header) {
      rows.emplace_back();
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, '\t');)
        rows.back().push_back(field);
    }
    header = false;
  }
  return rows;
}

Bytes FromHex(const std::string& hex) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(
        static_cast<unsigned char>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

struct KnownAnswer {
  const Algorithm* algorithm;
  uint64_t seed;
  Bytes secret;  // 16 bytes, or none for the public function
  Bytes input;
  std::string digest;
};

// Digests in that file are bytes, each word of them little-endian.
std::vector<KnownAnswer> StandardAnswers() {
  std::vector<KnownAnswer> answers;
  for (const Fields& row : Rows(kStandardVectors)) {
    const Algorithm* algorithm = FindAlgorithm(row[0]);
    const size_t word_digits = row[0] == "x64_128" ? 16 : 8;
    std::string digest;
    for (size_t word = 0; word < row[3].size(); word += word_digits)
      for (size_t byte = word_digits; byte != 0; byte -= 2)
        digest += row[3].substr(word + byte - 2, 2);
    answers.push_back({algorithm,
                       std::stoull(row[1], nullptr, 0),
                       {},
                       FromHex(row[2]),
                       digest});
  }
  return answers;
}

// The input of those is a pattern that the head of the file gives.
std::vector<KnownAnswer> Wide32Answers() {
  std::vector<KnownAnswer> answers;
  for (const Fields& row : Rows(kWide32Vectors)) {
    Bytes input(std::stoull(row[0]));
    for (size_t i = 0; i < input.size(); ++i)
      input[i] = static_cast<unsigned char>(i * 131 + 7 + (i >> 8) * 29);
    Bytes secret = FromHex(row[2]);
    if (secret == Bytes(16)) secret.clear();
    answers.push_back({FindAlgorithm("wide32"), std::stoull(row[1], nullptr, 0),
                       secret, input, row[3]});
  }
  return answers;
}

Digest HashInPieces(const KnownAnswer& answer) {
  const auto stream = answer.algorithm->start(answer.seed);
  size_t piece = 1;
  for (size_t done = 0; done < answer.input.size(); done += piece, piece *= 2) {
    piece = std::min(piece, answer.input.size() - done);
    stream->Update(answer.input.data() + done, piece);
  }
  return stream->Finish();
}

Digest HashWithSecret(const KnownAnswer& answer) {
  const mmr3_key key = mmr3_key_from_secret(answer.secret.data(),
                                            static_cast<uint32_t>(answer.seed));
  return {mmr3_wide32_keyed(answer.input.data(), answer.input.size(), &key)};
}

// The digests that are wrong on the active kernel.
size_t CountWrong(const KnownAnswer& answer) {
  size_t wrong = 0;
  const auto check = [&](const char* how, const Digest& digest) {
    const std::string got =
        FormatDigest(*answer.algorithm, digest, DigestForm::kHex);
    if (got == answer.digest) return;
    ++wrong;
    PrintOutput(std::string(mmr3_kernel_name()) + ": " +
                answer.algorithm->name + " of " +
                std::to_string(answer.input.size()) + " bytes " + how +
                ", seed " + std::to_string(answer.seed) + ": " + got +
                " instead of " + answer.digest + "\n");
  };
  if (answer.secret.empty()) {
    check("in one call",
          answer.algorithm->hash(answer.input.data(), answer.input.size(),
                                 answer.seed));
    check("in pieces", HashInPieces(answer));
  } else {
    check("with a secret", HashWithSecret(answer));
  }
  return wrong;
}

}  // namespace

int RunSelftest(int argc, char** argv) {
  static const option kOptions[] = {{"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  for (int c; (c = getopt_long(argc, argv, ":h", kOptions, nullptr)) != -1;) {
    if (c != 'h') return OptionError("selftest", kOptions, c, argv);
    PrintOutput(kUsage);
    return kExitSuccess;
  }
  if (optind != argc) return UsageError("selftest", "selftest takes no file");

  std::vector<KnownAnswer> answers = StandardAnswers();
  for (KnownAnswer& answer : Wide32Answers())
    answers.push_back(std::move(answer));
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  bool good = true;
  for (const char* kernel : kernels) {
    mmr3_use_kernel(kernel);
    size_t wrong = 0;
    for (const KnownAnswer& answer : answers) wrong += CountWrong(answer);
    PrintOutput(Padded(kernel, 9) + (wrong == 0 ? Green("OK") : Red("FAILED")) +
                ", " + std::to_string(answers.size()) + " known answers, " +
                std::to_string(wrong) + " wrong\n");
    good &= wrong == 0;
  }
  return good ? kExitSuccess : kExitFailure;
}
