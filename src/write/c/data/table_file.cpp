#include "write/c/data/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "write/c/language/print.hpp"

namespace reprise::write::c {
namespace {

// A table of more words than a line of the source has is long. Programs of which fewer words would
// leave than a person pages over stay whole.
constexpr std::size_t kLong = 40;
constexpr std::size_t kWorthAFile = 1000;

constexpr std::string_view kTerms[] = {"LIST", "RUN", "LOOP", "CASE", "END"};

// The words of an array of numbers, or null.
const Initializer* array_of(const Statement& s) {
  const auto* d = std::get_if<Declare>(&s.content);
  if (!d || d->type != "static const long long" || d->extent != "[]") return nullptr;
  return std::get_if<Initializer>(&d->value->content);
}

// The words of a long table, without the END behind them, or null.
const Call* long_terms(const Expression& e) {
  const auto* c = std::get_if<Call>(&e->content);
  return c && c->function == "TERMS" && c->arguments.size() > kLong ? c : nullptr;
}

std::size_t long_words(const Block& block) {
  std::size_t out = 0;
  for (const Statement& s : block) {
    const Initializer* array = array_of(s);
    if (array && array->entries.size() > kLong) out += array->entries.size();
  }
  replaced(block, [&out](const Expression& e) -> Expression {
    if (const Call* terms = long_terms(e)) out += terms->arguments.size() + 1;
    return nullptr;
  });
  return out;
}

// The name of what a statement defines.
std::string name_of(const Statement& s) {
  if (const auto* d = std::get_if<Declare>(&s.content)) return d->name;
  if (const auto* a = std::get_if<Assign>(&s.content)) return print(a->target);
  return {};
}

// One word of the file.
std::string text_of(const Expression& word) {
  std::string out = print(word);
  std::erase(out, ' ');
  return out;
}

// FNV-1a (Fowler, Noll and Vo), 64 bits.
std::string checksum(const std::string& text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", sum);
}

}  // namespace

void TableFile::take(const std::vector<Block*>& blocks) {
  std::size_t all = 0;
  for (const Block* b : blocks) all += long_words(*b);
  if (all <= kWorthAFile) return;
  for (Block* b : blocks) {
    for (Statement& s : *b) {
      const std::string name = name_of(s);
      const Initializer* array = array_of(s);
      if (array && array->entries.size() > kLong) {
        Words words;
        for (const Entry& e : array->entries) words.push_back(e.value);
        s = {Declare{"static const long long *const", name, "", place(name, words)}};
        continue;
      }
      s = replaced({s}, [&](const Expression& e) -> Expression {
            const Call* terms = long_terms(e);
            if (!terms) return nullptr;
            Words words = terms->arguments;
            words.push_back(c::name("END"));
            return place(name, words);
          }).front();
    }
  }
}

Expression TableFile::place(const std::string& table, const Words& words) {
  std::string text, line;
  for (const Expression& w : words) {
    const std::string word = text_of(w);
    const bool is_known = std::holds_alternative<Number>(w->content) ||
                          std::ranges::find(kTerms, word) != std::end(kTerms);
    if (!is_known) constants_.try_emplace(word, w);
    if (line.size() + 1 + word.size() > kWidth) text += std::exchange(line, {}) + "\n";
    if (!line.empty()) line += " ";
    line += word;
  }
  text += line + "\n";
  const auto [known, is_new] = places_.try_emplace(text, words_);
  if (is_new) {
    body_ += "# " + table + "\n" + text;
    words_ += std::ssize(words);
  }
  return binary(Operator::add, name("STORED"), number(known->second));
}

Block TableFile::definitions() const {
  Block out;
  out.push_back({Declare{"static long long", "STORED", fmt::format("[{}]", words_)}});
  std::vector<Entry> members = {{"file", c::text(name_)},
                                {"checksum", c::text(checksum(body_))},
                                {"words", number(words_)},
                                {"to", name("STORED")}};
  if (!constants_.empty()) {
    std::vector<Expression> all;
    for (const auto& [name, value] : constants_) all.push_back(list({c::text(name), value}));
    members.push_back({"constants", number(std::ssize(constants_))});
    members.push_back({"constant", name("CONSTANTS")});
    out.push_back({Declare{"static const struct constant", "CONSTANTS", "[]", list(all)}});
  }
  out.push_back(
      {Declare{"static const struct stored", "stored", "", initializer(std::move(members))}});
  return out;
}

std::string TableFile::text() const {
  return fmt::format("reprise tables 1 {} {}\n{}", words_, checksum(body_), body_);
}

}  // namespace reprise::write::c
