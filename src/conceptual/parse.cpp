#include "conceptual/parse.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <type_traits>
#include <variant>

#include "conceptual/read/parser.hpp"
#include "conceptual/read/resolve.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::uintmax_t kMaxFile = std::uintmax_t{64} << 20;  // [bytes]

std::optional<Position> find_backend(const Statement& statement);

std::optional<Position> find_backend(const Body& body) {
  return body ? find_backend(*body) : std::nullopt;
}

// The first statement that only the original compiler supports.
std::optional<Position> find_backend(const Statement& statement) {
  return std::visit(
      [&](const auto& s) -> std::optional<Position> {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Backend>) {
          return statement.at;
        } else if constexpr (std::is_same_v<S, Sequence>) {
          for (const Statement& inner : s.statements) {
            if (const auto at = find_backend(inner)) return at;
          }
          return std::nullopt;
        } else if constexpr (std::is_same_v<S, If>) {
          const auto at = find_backend(s.then);
          return at ? at : find_backend(s.otherwise);
        } else if constexpr (requires { s.body; }) {
          return find_backend(s.body);
        } else {
          return std::nullopt;
        }
      },
      statement.what);
}

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
    return Error{file + " is not a coNCePTuaL program (it has more than 64 MiB); check its name"};
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in && !in.eof())
    return Error{file + " cannot be read (" + std::strerror(errno) + "); check its name"};
  return parse_program(text, file);
}

Status check_executable(const Program& program) {
  for (const Statement& s : program.statements) {
    const std::optional<Position> at = find_backend(s);
    if (!at) continue;
    return Error{describe(
        program.file,
        {*at,
         "BACKEND statements are C code for the C+MPI back end of coNCePTuaL's own compiler "
         "(reprise does not compile C); use that compiler, or generate the program without "
         "--exact"})};
  }
  return {};
}

}  // namespace reprise::conceptual
