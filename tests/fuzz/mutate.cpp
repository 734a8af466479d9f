// Runs a fuzz target without a fuzzing engine: mutates the given files for some seconds. Coverage
// is left to libFuzzer (preset `fuzz`); this runs everywhere, with the compiler at hand.
//
//   mutate SECONDS SEED_FILE...
//
// Begins with the files as they are: `mutate 0 last-input.bin` repeats a crash. What is being tried
// is in last-input.bin.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "seeds.hpp"
#include "trace/file/file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes mutated(Bytes bytes, const std::vector<Bytes>& seeds, std::mt19937_64& random) {
  const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t edits = 1 + below(8); edits > 0; --edits) {
    const std::size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        if (!bytes.empty()) bytes[at] ^= static_cast<std::uint8_t>(1u << below(8));
        break;
      case 2: bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), 0xff); break;
      case 3:
        if (!bytes.empty()) bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 4: bytes.resize(at); break;
      case 5: {
        const Bytes& other = seeds[below(seeds.size())];
        const std::size_t from = below(other.size());
        const std::size_t n = below(std::min<std::size_t>(32, other.size() - from) + 1);
        const auto begin = other.begin() + static_cast<std::ptrdiff_t>(from);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), begin,
                     begin + static_cast<std::ptrdiff_t>(n));
        break;
      }
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: mutate SECONDS SEED_FILE...\n", stderr), 2;
  std::vector<Bytes> seeds;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    Bytes data{std::istreambuf_iterator<char>(file), {}};
    // Behind the checksum a mutation reaches the decoder.
    constexpr auto kAll = reprise::trace::Accept::scalable_too;
    if (const auto trace = reprise::trace::decode_trace(data, argv[i], kAll)) {
      seeds.push_back(reprise::trace::encode_body(*trace));
      if (!trace->sections.empty()) {  // many of the inputs, since there is one such seed
        for (int again = 0; again < 8; ++again) seeds.push_back(seeds.back());
        continue;
      }
      seeds.push_back(reprise::part_of(*trace, 0));
      seeds.push_back(reprise::part_of(*trace, trace->streams() - 1));
    }
    seeds.push_back(std::move(data));
  }
  std::random_device device;
  const std::uint64_t seed = device();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);  // what crashes prints no more
  std::mt19937_64 random(seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[1]));
  for (const Bytes& input : seeds) LLVMFuzzerTestOneInput(input.data(), input.size());
  std::uint64_t runs = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs) {
    const Bytes input = mutated(seeds[random() % seeds.size()], seeds, random);
    std::ofstream("last-input.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), std::ssize(input));
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%llu inputs, none crashed\n", static_cast<unsigned long long>(runs));
  return 0;
}
