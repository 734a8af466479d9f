#include "conceptual/parse.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "conceptual/parser.hpp"
#include "conceptual/resolve.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::uintmax_t kMaxFile = std::uintmax_t{64} << 20;  // [bytes]

}  // namespace

Result<Program> parse_program(std::string_view text, const std::string& file) {
  try {
    Program out = Parser(tokens_of(text)).program();
    resolve(out);
    out.file = file;
    out.source = text;
    return out;
  } catch (const Problem& p) {
    return Error{describe(file, p)};
  }
}

Result<Program> read_program(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return Error{file + " cannot be read (" + error.message() + "); check its name"};
  if (size > kMaxFile)
    return Error{file + " is no coNCePTuaL program (it has more than 64 MiB); check its name"};
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in && !in.eof())
    return Error{file + " cannot be read (" + std::strerror(errno) + "); check its name"};
  return parse_program(text, file);
}

}  // namespace reprise::conceptual
