#include "generate/task_names.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace reprise::generate {
namespace {

constexpr std::size_t kShort = 24;  // of a text that needs no name [characters]

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
  texts_.push_back(text);
  std::string name = "k" + std::to_string(texts_.size());
  number_.emplace(name, texts_.size() - 1);
  known_.emplace(text, name);
  return name;
}

std::string TaskNames::for_task(const std::string& text, const std::string& task) {
  return with_words(text, [&](const std::string& word) -> std::string {
    if (word == "t") return task;
    const auto found = number_.find(word);
    if (found == number_.end()) return word;
    const std::string own = texts_[found->second], other = for_task(own, task);
    return other == own ? word : name_of(other);
  });
}

bool TaskNames::depends(const std::string& text, std::string_view variable) const {
  if (uses(text, variable)) return true;
  return std::ranges::any_of(used(text), [&](std::size_t n) { return uses(texts_[n], variable); });
}

std::vector<std::size_t> TaskNames::used(const std::string& text) const {
  std::set<std::size_t> found;
  const std::function<void(const std::string&)> look = [&](const std::string& in) {
    with_words(in, [&](const std::string& word) {
      const auto known = number_.find(word);
      if (known != number_.end() && found.insert(known->second).second) look(texts_[known->second]);
      return word;
    });
  };
  look(text);
  return {found.begin(), found.end()};
}

std::string TaskNames::definitions(const std::string& text, const Wanted& is_wanted) const {
  std::string out;
  for (const std::size_t n : used(text)) {
    const std::string name = "k" + std::to_string(n + 1);
    if (is_wanted(name)) out += "LET " + name + " BE " + texts_[n] + " WHILE ";
  }
  return out;
}

std::string TaskNames::definitions(const std::string& text) const {
  return definitions(text, [](const std::string&) { return true; });
}

std::string TaskNames::written_out(const std::string& text, const Wanted& is_wanted) const {
  return with_words(text, [&](const std::string& word) -> std::string {
    const auto known = number_.find(word);
    if (known == number_.end() || !is_wanted(word)) return word;
    return written_out(texts_[known->second], is_wanted);
  });
}

}  // namespace reprise::generate
