// Programs are not trusted: whatever is done to their text, they are read or refused, and what is
// read runs or is refused, within bounds of time and memory.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "conceptual/execute/fake_machine.hpp"

namespace reprise::conceptual {
namespace {

constexpr int kRounds = 20000;
constexpr std::size_t kMostOperations = 300;
constexpr std::int64_t kRanks = 3;

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(REPRISE_PROGRAMS)) {
    if (entry.path().extension() != ".ncptl") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

// Bytes are changed, words are taken out, doubled or replaced by those of another program.
std::string mutated(std::string text, const std::vector<std::string>& all,
                    std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  const auto word = [&](const std::string& of) {
    const std::size_t at = of.find(' ', below(of.size()));
    if (at == std::string::npos) return std::pair(std::size_t{0}, std::size_t{0});
    return std::pair(at, std::min(of.find(' ', at + 1), of.size()) - at);
  };
  for (std::size_t edits = 1 + below(5); edits > 0; --edits) {
    const auto [at, size] = word(text);
    const std::string& other = all[below(all.size())];
    const auto [from, length] = word(other);
    switch (below(5)) {
      case 0: text[below(text.size())] = static_cast<char>(random()); break;
      case 1: text.erase(at, size); break;
      case 2: text.insert(at, text.substr(at, size)); break;
      case 3: text.replace(at, size, other.substr(from, length)); break;
      case 4: text.insert(below(text.size()), 1, "(){}-9K,."[below(9)]); break;
    }
    if (text.empty()) return text;
  }
  return text;
}

TEST(Mutations, AreReadOrRefused) {
  const std::vector<std::string> all = seeds();
  ASSERT_FALSE(all.empty());
  std::mt19937_64 random(1);
  int ran = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = mutated(all[random() % all.size()], all, random);
    const auto program = parse_program(text, "p");
    if (!program) {
      EXPECT_TRUE(program.error().message.starts_with("p:")) << text;
      continue;
    }
    const auto arguments = parse_arguments(*program, {}, kRanks);
    if (!arguments) continue;
    FakeMachine machine(round % kRanks, kRanks, kMostOperations);
    try {
      run_on(*program, *arguments, machine);
    } catch (const Problem&) {
    } catch (const TooMuch&) {
    }
    ++ran;
  }
  EXPECT_GT(ran, kRounds / 100);
}

}  // namespace
}  // namespace reprise::conceptual
