// What an explained program says is what the trace has: of goldens, recorded and random traces.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "analyze/program_text.hpp"
#include "program/check.hpp"
#include "trace/file/file.hpp"

namespace reprise::program {
namespace {

using analyze::parse_program;

// The traces in the golden files of the command.
TEST(Build, IsExactForTheGoldens) {
  for (const auto& file : std::filesystem::directory_iterator(REPRISE_GOLDENS)) {
    std::ifstream in(file.path());
    std::string line, name, text;
    const auto check = [&] {
      SCOPED_TRACE(file.path().filename().string() + " " + name);
      if (!name.empty()) expect_exact(parse_program(text));
      name.clear();
      text.clear();
    };
    while (std::getline(in, line)) {
      if (!line.starts_with("== ")) {
        text += line + "\n";
        continue;
      }
      check();
      if (line.find("$ ") == std::string::npos) name = line.substr(3);
    }
    check();
  }
}

// Traces of REPRISE_TRACES, a folder, if it is given.
TEST(Build, IsExactForRecordedTraces) {
  const char* folder = std::getenv("REPRISE_TRACES");
  if (!folder) GTEST_SKIP() << "REPRISE_TRACES is not set";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".reprise") continue;
    SCOPED_TRACE(entry.path().string());
    const auto trace = trace::read_trace(entry.path().string());
    if (trace) expect_exact(*trace);
  }
}

// A number, or one for each execution, or for each stream.
std::string random_value(std::uint64_t ranks, std::int64_t most) {
  const auto number = [&] { return std::to_string(*rc::gen::inRange<std::int64_t>(0, most)); };
  const auto series = [&]() -> std::string {
    if (*rc::gen::inRange(0, 3) != 0) return number();
    std::string out = "{";
    for (int k = *rc::gen::inRange(1, 5); k > 0; --k) out += number() + " ";
    return out + "...}";
  };
  switch (*rc::gen::inRange(0, 4)) {
    case 0: {
      std::string out = "[";
      for (std::uint64_t r = 0; r < ranks; ++r) out += (r ? " " : "") + series();
      return out + "]";
    }
    case 1: return series();
    default: return number();
  }
}

// A function of several calls, which is called at one place after the other.
std::string random_function(std::uint64_t ranks, const std::string& indent,
                            const std::string& place) {
  const auto call = [&](const std::string& inner, const std::string& at, const std::string& trips) {
    const std::string peer = *rc::gen::element<std::string>("rank+1", "rank-1", "0");
    return inner + trips + ": MPI_Send count=" + random_value(ranks, 5) +
           " datatype=MPI_INT dest=" + peer + " tag=7" + place + at + "\n";
  };
  const auto sum = [&](const std::string& inner, const std::string& at) {
    return call(inner, at + " > sum d.c:1", "1") + call(inner, at + " > sum d.c:2", "1");
  };
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return sum(indent, " > trade c.c:1");
    case 1:
      return sum(indent, " > trade c.c:1") + indent + "3:\n" +
             call(indent + "  ", " > trade c.c:2", random_value(ranks, 2)) +
             call(indent + "  ", " > trade c.c:3", "1");
    default:
      return call(indent, " > solve e.c:1", random_value(ranks, 2)) + indent + "2:\n" +
             call(indent + "  ", " > solve e.c:2", "1") +
             sum(indent + "  ", " > solve e.c:3 > trade c.c:1");
  }
}

std::string random_body(std::uint64_t ranks, int depth, int& line) {
  std::string out;
  for (int items = *rc::gen::inRange(1, 4); items > 0; --items) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    const std::string trips = random_value(ranks, *rc::gen::element(2, 4));
    if (depth < 3 && *rc::gen::inRange(0, 3) == 0) {
      out += indent + trips + ":\n" + random_body(ranks, depth + 1, line);
      continue;
    }
    if (*rc::gen::inRange(0, 2) == 0) {
      out += random_function(ranks, indent, " @ main a.c:" + std::to_string(++line));
      continue;
    }
    const std::string function = *rc::gen::element<std::string>("trade", "sum", "");
    const std::string inner =
        function.empty() ? ""
                         : " > " + function + " b.c:" + std::to_string(*rc::gen::inRange(1, 4));
    const std::string peer = *rc::gen::element<std::string>(
        "rank+1", "rank-1", "rank^1", random_value(ranks, static_cast<std::int64_t>(ranks)));
    out += indent + trips + ": MPI_Send count=" + random_value(ranks, 5) +
           " datatype=MPI_INT dest=" + peer + " tag=" + random_value(ranks, 3) +
           " @ main a.c:" + std::to_string(++line) + inner + "\n";
  }
  return out;
}

RC_GTEST_PROP(Build, IsExactForRandomPrograms, ()) {
  const auto ranks = static_cast<std::uint64_t>(*rc::gen::inRange(1, 10));
  int line = 0;
  const std::string text = "ranks " + std::to_string(ranks) + "\n" + random_body(ranks, 0, line);
  RC_LOG() << text;
  RC_ASSERT(is_exact(parse_program(text), 2000));
}

}  // namespace
}  // namespace reprise::program
