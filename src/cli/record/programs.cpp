#include "cli/record/programs.hpp"

#include <elf.h>
#include <fmt/core.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {

bool can_run(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// The dynamic loader that this program was started with.
std::string own_loader() {
  std::string found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type == PT_INTERP)
            *static_cast<std::string*>(out) =
                reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
        }
        return 1;  // the program itself comes first
      },
      &found);
  return found;
}

}  // namespace

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string quoted_if_needed(const std::string& word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("._/+-=:,@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return is_plain ? word : quoted(word);
}

std::string why_no_program_in(const std::vector<std::string>& words) {
  std::error_code error;
  std::vector<std::string> folders;  // the ranks may be started in any of them
  for (const std::string& word : words) {
    if (fs::is_directory(word, error)) folders.push_back(word + "/");
  }
  const auto is_program = [&](const std::string& word) {
    return !find_program(word).empty() ||
           std::ranges::any_of(folders, [&](const auto& f) { return can_run(f + word); });
  };
  if (std::ranges::any_of(words, is_program)) return {};
  const auto reason = [&](const std::string& word) -> std::string {
    if (word.starts_with('-') || word.find('=') != std::string::npos ||
        fs::is_directory(word, error))
      return {};
    if (word.find('/') == std::string::npos)
      return can_run("./" + word) ? fmt::format("{0} is not in PATH, but ./{0} is there", word)
                                  : "";
    return word + (fs::exists(word, error) ? " is not executable" : " does not exist");
  };
  std::string doubtful;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string why = reason(words[i]);
    if (why.empty()) continue;
    if (i == 0 || !words[i - 1].starts_with('-')) return why;
    // What belongs to an option is a list of hosts, a file with all programs, or the like.
    if (doubtful.empty() && !fs::exists(words[i], error)) doubtful = why;
  }
  return doubtful;
}

std::string find_program(const std::string& word) {
  if (word.empty()) return {};
  if (word.find('/') != std::string::npos) return can_run(word) ? word : std::string();
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder = rest.substr(0, colon);
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + word;
    if (can_run(candidate)) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

bool is_binary(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  char magic[SELFMAG];
  return file.read(magic, SELFMAG) &&
         std::string_view(magic, SELFMAG) == std::string_view(ELFMAG, SELFMAG);
}

bool is_static(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  // A library has no entry that it could be run at.
  if (header.e_entry == 0 || header.e_phentsize != sizeof(Elf64_Phdr)) return false;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return false;
    if (part.p_type == PT_INTERP) return false;
  }
  return true;
}

bool contains(const std::string& path, std::string_view text) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return bytes.find(text) != std::string::npos;
}

// The loader is asked, and not the program, which a loader of another kind would start. It lists no
// program of another kind.
std::string needed_libraries(const std::string& program) {
  const std::string loader = own_loader();
  if (loader.empty()) return {};
  const std::string command = quoted(loader) + " --list " + quoted(program) + " 2>/dev/null";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return {};
  std::string out;
  char buffer[4096];
  while (std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  ::pclose(pipe);
  return out;
}

}  // namespace reprise::cli
