// What recorders load when a run ends, and call with bytes: their own code needs no disassembler.
#include <cstdlib>
#include <cstring>
#include <exception>

#include "code/read_code.hpp"

// Reads a call path table (CallpathTable::encode), followed by the MPI function that is called at
// each of its paths (text; empty: several, or not known). Returns where the paths lie in the code
// (trace::encode_code), in memory to free(); null if there is no memory or the input is damaged.
extern "C" __attribute__((visibility("default"))) unsigned char* reprise_read_code(
    const unsigned char* table, std::size_t size, std::size_t* size_out) {
  try {
    reprise::ByteReader in(table, size);
    const auto callpaths = reprise::compress::CallpathTable::decode(in);
    reprise::compress::FunctionOfPath functions;
    callpaths.for_each_path([&](std::uint64_t path, const auto&) {
      if (std::string function = in.text(); !function.empty()) functions[path] = function;
    });
    if (in.failed()) return nullptr;
    reprise::ByteWriter out;
    reprise::trace::encode_code(out, reprise::code::read_code(callpaths, functions));
    auto* bytes = static_cast<unsigned char*>(std::malloc(out.size()));
    if (bytes) std::memcpy(bytes, out.bytes().data(), out.size());
    *size_out = out.size();
    return bytes;
  } catch (const std::exception&) {
    return nullptr;
  }
}
