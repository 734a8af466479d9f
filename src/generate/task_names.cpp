#include "generate/task_names.hpp"

#include <algorithm>
#include <cctype>

namespace reprise::generate {
namespace {

constexpr std::size_t kShort = 24;                      // of a text that needs no name [characters]
constexpr std::size_t kMaxText = std::size_t{1} << 22;  // of one that is written out [characters]

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The text with each of its words replaced.
std::string with_words(std::string_view text,
                       const std::function<std::string(const std::string&)>& replacement) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (!std::isalpha(static_cast<unsigned char>(text[i]))) {
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_part(text[end])) ++end;
    out += replacement(std::string(text.substr(i, end - i)));
    i = end;
  }
  return out;
}

}  // namespace

bool uses(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

std::string TaskNames::name_of(const std::string& text) {
  if (text.size() <= kShort) return text;
  const auto found = known_.find(text);
  if (found != known_.end()) return found->second;
  Named named{text, names_in(text), {}, {}};
  with_words(text, [&](const std::string& word) {
    if (!number_.contains(word)) named.variables.insert(word);
    return word;
  });
  for (const std::size_t n : named.names)
    named.variables.insert(named_[n].variables.begin(), named_[n].variables.end());
  named_.push_back(std::move(named));
  std::string name = "k" + std::to_string(named_.size());
  number_.emplace(name, named_.size() - 1);
  known_.emplace(text, name);
  return name;
}

std::vector<std::size_t> TaskNames::names_in(const std::string& text) const {
  std::vector<std::size_t> out;
  with_words(text, [&](const std::string& word) {
    if (const auto known = number_.find(word); known != number_.end()) out.push_back(known->second);
    return word;
  });
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Each name is gone into once for each task that asks, however many stand for it.
std::string TaskNames::name_for_task(std::size_t number, const std::string& task) {
  const auto known = named_[number].of_task.find(task);
  if (known != named_[number].of_task.end()) return known->second;
  const std::string own = named_[number].text;
  const std::string other = named_[number].variables.contains("t") ? for_task(own, task) : own;
  std::string out = other == own ? "k" + std::to_string(number + 1) : name_of(other);
  named_[number].of_task.emplace(task, out);
  return out;
}

std::string TaskNames::for_task(const std::string& text, const std::string& task) {
  return with_words(text, [&](const std::string& word) -> std::string {
    if (word == "t") return task;
    const auto found = number_.find(word);
    return found == number_.end() ? word : name_for_task(found->second, task);
  });
}

bool TaskNames::depends(const std::string& text, std::string_view variable) const {
  if (uses(text, variable)) return true;
  return std::ranges::any_of(names_in(text), [&](std::size_t n) {
    return named_[n].variables.contains(std::string(variable));
  });
}

std::vector<std::size_t> TaskNames::used(const std::string& text) const {
  std::set<std::size_t> found;
  std::vector<std::size_t> next = names_in(text);
  while (!next.empty()) {
    const std::size_t n = next.back();
    next.pop_back();
    if (!found.insert(n).second) continue;
    next.insert(next.end(), named_[n].names.begin(), named_[n].names.end());
  }
  return {found.begin(), found.end()};
}

std::string TaskNames::definitions(const std::string& text, const Wanted& is_wanted) const {
  std::string out;
  for (const std::size_t n : used(text)) {
    const std::string name = "k" + std::to_string(n + 1);
    if (is_wanted(name)) out += "LET " + name + " BE " + named_[n].text + " WHILE ";
  }
  return out;
}

std::string TaskNames::definitions(const std::string& text) const {
  return definitions(text, [](const std::string&) { return true; });
}

std::string TaskNames::written_out(const std::string& text, const Wanted& is_wanted) const {
  std::size_t size = 0;
  std::map<std::size_t, std::string> known;  // by number: what stands for it
  const std::function<std::string(const std::string&)> write = [&](const std::string& of) {
    std::string out = with_words(of, [&](const std::string& word) -> std::string {
      const auto found = number_.find(word);
      if (found == number_.end() || !is_wanted(word)) return word;
      const auto before = known.find(found->second);
      if (before != known.end()) return before->second;
      const std::string all = write(named_[found->second].text);
      return known.emplace(found->second, all).first->second;
    });
    size = std::max(size, out.size());
    if (size > kMaxText) throw TooLong();
    return out;
  };
  return write(text);
}

}  // namespace reprise::generate
