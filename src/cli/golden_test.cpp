// Programs and commands in, output out: each file in goldens/ holds traces as text and what
// commands say about them. REPRISE_UPDATE_GOLDENS=1 writes down what they say now.
//
//   == NAME             a trace follows (analyze/program_text.hpp); commands find it under this
//   name
//   == $ show NAME      what `reprise show NAME` prints follows, stdout before stderr
//   == [1] $ diff A B   with this exit status
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyze/program_text.hpp"
#include "cli/command.hpp"
#include "trace/file/file.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct Section {
  std::string head, body;
};

std::vector<Section> read_sections(const fs::path& file) {
  std::vector<Section> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== ")) {
      out.push_back({line.substr(3), {}});
    } else if (!out.empty()) {
      out.back().body += line + "\n";
    }
  }
  return out;
}

// The size of a file depends on the compressor's version.
std::string without_sizes(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("file  ") || line.find("\"file_bytes\"") != std::string::npos ||
        line.find("\"calls_per_byte\"") != std::string::npos) {
      continue;
    }
    out += line + "\n";
  }
  return out;
}

// Runs the command in a section's head; returns the section as it should be.
Section run_section(const Section& section) {
  const std::string command = section.head.substr(section.head.find("$ ") + 2);
  std::istringstream words("reprise " + command);
  std::vector<std::string> all;
  for (std::string w; words >> w;) all.push_back(w);
  std::vector<const char*> argv;
  for (const std::string& w : all) argv.push_back(w.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run_reprise(static_cast<int>(argv.size()), argv.data());
  std::fflush(stdout);
  const std::string out = testing::internal::GetCapturedStdout();
  if (command.find("--json") != std::string::npos && status != 2) {
    EXPECT_TRUE(nlohmann::json::accept(out)) << command << " prints no JSON document";
  }
  const std::string output = out + testing::internal::GetCapturedStderr();
  return {(status ? "[" + std::to_string(status) + "] $ " : "$ ") + command, without_sizes(output)};
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, SaysTheSame) {
  const fs::path file = fs::path(REPRISE_GOLDENS) / GetParam();
  std::vector<Section> sections = read_sections(file);
  ASSERT_FALSE(sections.empty()) << file << " has no section";
  const fs::path folder =
      fs::path(testing::TempDir()) / ("reprise-golden-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::current_path(folder);
  const bool update = std::getenv("REPRISE_UPDATE_GOLDENS") != nullptr;
  for (Section& s : sections) {
    if (s.head.find("$ ") == std::string::npos) {
      ASSERT_TRUE(trace::write_trace(analyze::parse_program(s.body), s.head));
      continue;
    }
    const Section now = run_section(s);
    if (update) {
      s = now;
    } else {
      EXPECT_EQ(now.head + "\n" + now.body, s.head + "\n" + s.body);
    }
  }
  fs::current_path("/");
  fs::remove_all(folder);
  if (!update) return;
  std::ofstream out(file);
  for (const Section& s : sections) out << "== " << s.head << "\n" << s.body;
}

std::vector<std::string> goldens() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(REPRISE_GOLDENS))
    out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(goldens()), [](const auto& i) {
  std::string name = i.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace reprise::cli
