#include "simulate/machine/machine_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstdio>

namespace reprise::simulate {
namespace {

// A value as it would stand on a command line.
std::string text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* n = node.as_integer()) return std::to_string(n->get());
  if (const auto* x = node.as_floating_point()) return fmt::format("{}", x->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  std::string out;
  if (const auto* list = node.as_array()) {
    for (const toml::node& one : *list) out += (out.empty() ? "" : " ") + text_of(one);
  }
  return out;
}

// Adds the settings of a table, those of tables within it with the table's name before theirs, if
// they are valid one after the other.
Status collect(Machine& machine, const toml::table& table, const std::string& prefix,
               const std::string& name, std::vector<Setting>& out) {
  for (const auto& [key, node] : table) {
    const std::string full = prefix + std::string(key.str());
    if (node.is_table()) {
      if (Status ok = collect(machine, *node.as_table(), full + ".", name, out); !ok) return ok;
      continue;
    }
    out.push_back({full, text_of(node)});
    if (Status ok = set(machine, out.back()); !ok) {
      return Error{
          fmt::format("{}, line {}: {}", name, node.source().begin.line, ok.error().message)};
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Setting>> parse_settings(const std::string& text, const std::string& name) {
  Machine machine;
  std::vector<Setting> out;
  try {
    const toml::table table = toml::parse(text, name);
    if (Status ok = collect(machine, table, "", name, out); !ok) return ok.error();
  } catch (const toml::parse_error& e) {
    return Error{fmt::format("{}, line {}: {} (a machine is described in TOML)", name,
                             e.source().begin.line, e.description())};
  }
  return out;
}

Result<std::vector<Setting>> read_settings(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return Error{path + " cannot be opened (is it there?); give the file of a machine"};
  std::string text(std::size_t{1} << 20, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const bool is_whole = std::feof(file) != 0;
  std::fclose(file);
  if (!is_whole) return Error{path + " cannot be read whole (machines take less than 1 MB)"};
  return parse_settings(text, path);
}

Result<Machine> parse_machine(const std::string& text, const std::string& name) {
  const auto settings = parse_settings(text, name);
  if (!settings) return settings.error();
  Machine machine;
  for (const Setting& s : *settings) {
    if (Status ok = set(machine, s); !ok) return ok.error();
  }
  return machine;
}

}  // namespace reprise::simulate
