#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "convert/paraver/import.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"

namespace reprise::convert::paraver {
namespace {

// A message between calls that block, one between those that do not, collectives with roots and
// call paths.
constexpr const char* kSound =
    "#Paraver (28/11/2026 at 04:33):1000_ns:1(2):1:2(1:1,1:1),2\n"
    "c:1:1:2:1:2\n"
    "c:1:2:1:1\n"
    "1:1:1:1:1:0:100:1\n"
    "2:1:1:1:1:100:50000003:31:70000001:3:80000001:5\n"
    "2:2:1:2:1:100:50000003:31\n"
    "2:1:1:1:1:200:50000003:0\n"
    "2:2:1:2:1:200:50000003:0\n"
    "2:2:1:2:1:300:50000001:4\n"
    "2:2:1:2:1:310:50000001:0\n"
    "2:1:1:1:1:400:50000001:1:70000001:4:80000001:6:70000002:3:80000002:5\n"
    "3:1:1:1:1:400:450:2:1:2:1:310:600:40:7\n"
    "2:1:1:1:1:450:50000001:0\n"
    "2:2:1:2:1:500:50000001:5\n"
    "2:2:1:2:1:600:50000001:0\n"
    "2:1:1:1:1:620:50000002:7:50100001:0:50100002:24:50100004:1\n"
    "2:1:1:1:1:630:50000002:0\n"
    "2:2:1:2:1:620:50000002:7:50100001:24:50100002:0:50100004:1:50100003:1\n"
    "2:2:1:2:1:630:50000002:0\n"
    "2:1:1:1:1:640:50000001:2\n"
    "2:2:1:2:1:640:50000001:3\n"
    "3:2:1:2:1:640:650:1:1:1:1:640:660:8:1\n"
    "2:2:1:2:1:650:50000001:0\n"
    "2:1:1:1:1:660:50000001:0\n"
    "2:2:1:2:1:670:50000001:6\n"
    "2:2:1:2:1:680:50000001:0\n";
constexpr const char* kConfiguration =
    "EVENT_TYPE\n9    50000001    MPI Point-to-point\nVALUES\n1   MPI_Send\n0   Outside MPI\n\n"
    "EVENT_TYPE\n0    70000001    Caller at level 1\n0    70000002    Caller at level 2\nVALUES\n"
    "0   End\n3   main [main]\n4   sol [solve(int)]\n\n"
    "EVENT_TYPE\n0    80000001    Caller line at level 1\nVALUES\n"
    "0   End\n5   a.c:12 [src/a.c:12, app]\n6   40 (b.c, app)\n";

// What damage and malice write in the place of a number.
constexpr const char* kBadNumbers[] = {"0",
                                       "1",
                                       "2",
                                       "3",
                                       "-1",
                                       "",
                                       "x",
                                       "31",
                                       "50000002",
                                       "2147483648",
                                       "4294967295",
                                       "4611686018427387904",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "18446744073709551615",
                                       "99999999999999999999"};

enum class Edit { number, byte, cut, erase_line, repeat_line, move_line };

std::string lines_edited(const std::string& text, Edit edit, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
  const std::string line = text.substr(begin, end - begin);
  std::string rest = text.substr(0, begin) + text.substr(end);
  switch (edit) {
    case Edit::repeat_line: return rest.insert(begin, line + line);
    case Edit::move_line:
      return rest.insert(*rc::gen::inRange<std::size_t>(0, rest.size() + 1), line);
    default: return rest;
  }
}

std::string number_replaced(const std::string& text, std::size_t at) {
  constexpr const char* kDigits = "0123456789";
  const std::size_t begin = text.find_first_of(kDigits, at);
  if (begin == std::string::npos) return text;
  const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
  return text.substr(0, begin) +
         *rc::gen::elementOf(
             std::vector<std::string>(std::begin(kBadNumbers), std::end(kBadNumbers))) +
         text.substr(end);
}

// The text with up to `most` things wrong.
std::string damaged(std::string text, int most) {
  for (int left = *rc::gen::inRange(0, most + 1); left > 0 && !text.empty(); --left) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    // Numbers are what a reader believes.
    const Edit edit = *rc::gen::weightedElement<Edit>({{6, Edit::number},
                                                       {2, Edit::byte},
                                                       {1, Edit::cut},
                                                       {1, Edit::erase_line},
                                                       {1, Edit::repeat_line},
                                                       {1, Edit::move_line}});
    if (edit == Edit::number) {
      text = number_replaced(text, at);
    } else if (edit == Edit::byte) {
      text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
    } else if (edit == Edit::cut) {
      text.resize(at);
    } else {
      text = lines_edited(text, edit, at);
    }
  }
  return text;
}

// A damaged trace is refused with its name, or becomes a trace that can be written, read and
// walked, of no more calls than its lines can tell of.
RC_GTEST_PROP(ParaverDamage, IsRefusedOrBounded, ()) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("reprise-damage-" + std::to_string(::getpid())))
          .string();
  const std::string text = damaged(kSound, 4);
  std::ofstream(path + ".prv", std::ios::binary) << text;
  std::ofstream(path + ".pcf", std::ios::binary) << damaged(kConfiguration, 2);
  ImportSettings settings;
  settings.scratch = path + ".sorting";
  const auto trace = import_trace(path + ".prv", settings);
  std::filesystem::remove(path + ".prv");
  std::filesystem::remove(path + ".pcf");
  if (!trace) {
    RC_ASSERT(trace.error().message.starts_with(path + ".prv"));
    return;
  }
  RC_ASSERT(trace->streams() <= text.size());
  std::uint64_t calls = 0;
  for (std::uint64_t stream = 0; stream < trace->streams(); ++stream) {
    trace::Cursor cursor(*trace, stream);
    while (calls <= text.size() && cursor.next()) ++calls;
    RC_ASSERT(!cursor.damaged());
  }
  RC_ASSERT(calls <= text.size());
  const auto written = trace::encode_trace(*trace);
  RC_ASSERT(static_cast<bool>(written));
  RC_ASSERT(static_cast<bool>(trace::decode_trace(*written, "the trace")));
}

}  // namespace
}  // namespace reprise::convert::paraver
