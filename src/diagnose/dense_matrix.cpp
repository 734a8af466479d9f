// The matrix of messages with a number for each pair of ranks, as files for other programs.
#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "base/output_file.hpp"
#include "diagnose/messages.hpp"

namespace reprise::diagnose {
namespace {

// NumPy's format, version 1.0: the header is padded so that data begins at a multiple of 64 bytes.
std::string npy_header(std::uint64_t ranks) {
  constexpr std::size_t kAlignment = 64, kBeforeText = 10;
  static_assert(std::endian::native == std::endian::little, "'<u8' is what is written");
  std::string text =
      fmt::format("{{'descr': '<u8', 'fortran_order': False, 'shape': ({0}, {0}), }}", ranks);
  text.append(kAlignment - (kBeforeText + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(text.size() % 256);
  out += static_cast<char>(text.size() / 256);
  return out + text;
}

void write_row(OutputFile& to, const std::vector<std::uint64_t>& row, bool is_npy) {
  if (is_npy) {
    to.write({reinterpret_cast<const char*>(row.data()), row.size() * sizeof row[0]});
    return;
  }
  std::string line;
  for (const std::uint64_t n : row) fmt::format_to(std::back_inserter(line), "{},", n);
  line.back() = '\n';
  to.write(line);
}

}  // namespace

Status write_dense(const Messages& messages, std::uint64_t ranks, Quantity quantity,
                   const std::string& path) {
  OutputFile file(path);
  const bool is_npy = path.ends_with(".npy");
  if (is_npy) file.write(npy_header(ranks));
  auto next = messages.pairs.begin();
  for (std::uint64_t from = 0; from < ranks; ++from) {
    std::vector<std::uint64_t> row(ranks);
    for (; next != messages.pairs.end() && next->from == from; ++next)
      row[next->to] = quantity == Quantity::bytes ? next->bytes : next->messages;
    write_row(file, row, is_npy);
  }
  return file.close();
}

}  // namespace reprise::diagnose
