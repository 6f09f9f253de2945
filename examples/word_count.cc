// Counts the words of standard input in a hash table whose keys strangers
// choose: a random key keeps them from choosing words that collide.
#include <cstring>
#include <iostream>
#include <murmuration.hpp>
#include <string>
#include <unordered_map>

struct KeyedHash {
  mmr3_key key;
  size_t operator()(const std::string& word) const {
    return mmr3::wide32(word, key);
  }
};

int main() {
  KeyedHash hash;
  if (const int error = mmr3_key_random(&hash.key)) {
    std::cerr << "word_count: no random key: " << strerror(error) << '\n';
    return 1;
  }
  std::unordered_map<std::string, unsigned long, KeyedHash> counts(0, hash);
  for (std::string word; std::cin >> word;) ++counts[word];
  for (const auto& [word, count] : counts)
    std::cout << count << ' ' << word << '\n';
}
