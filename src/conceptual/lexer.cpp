#include "conceptual/lexer.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <map>

namespace reprise::conceptual {
namespace {

// The forms of a word that mean the same.
const std::map<std::string, std::string>& synonyms() {
  static const std::map<std::string, std::string> all{{"TASKS", "TASK"},
                                                      {"SENDS", "SEND"},
                                                      {"RECEIVES", "RECEIVE"},
                                                      {"MULTICASTS", "MULTICAST"},
                                                      {"REDUCES", "REDUCE"},
                                                      {"AWAITS", "AWAIT"},
                                                      {"SYNCHRONIZES", "SYNCHRONIZE"},
                                                      {"COMPUTES", "COMPUTE"},
                                                      {"SLEEPS", "SLEEP"},
                                                      {"RESETS", "RESET"},
                                                      {"LOGS", "LOG"},
                                                      {"OUTPUTS", "OUTPUT"},
                                                      {"EXECUTES", "EXECUTE"},
                                                      {"MESSAGES", "MESSAGE"},
                                                      {"AN", "A"},
                                                      {"ITS", "THEIR"},
                                                      {"COUNTER", "COUNTERS"},
                                                      {"COMPLETIONS", "COMPLETION"},
                                                      {"REPETITION", "REPETITIONS"},
                                                      {"COME", "COMES"},
                                                      {"THEM", "IT"},
                                                      {"RESULTS", "RESULT"},
                                                      {"BITS_OF", "BITS"}};
  return all;
}

constexpr std::array<std::string_view, 12> kLongSymbols{
    "...", "**", "<<", ">>", "<=", ">=", "<>", "/\\", "\\/", "==", "!=", "&&"};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> out;
    for (;;) {
      skip_blanks();
      Token t;
      t.place = place_;
      if (at_ == text_.size()) {
        out.push_back(t);
        return out;
      }
      const char c = text_[at_];
      if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
        word(t);
      } else if (std::isdigit(static_cast<unsigned char>(c))) {
        if (auto wrong = number(t)) return *wrong;
      } else if (c == '"') {
        if (auto wrong = quoted(t)) return *wrong;
      } else if (!symbol(t)) {
        return error_at(file_, place_,
                        std::string("'") + c + "' is no word of the language; take it out");
      }
      out.push_back(std::move(t));
    }
  }

 private:
  void advance(std::size_t n = 1) {
    for (; n > 0; --n) {
      if (text_[at_++] == '\n') {
        ++place_.line;
        place_.column = 1;
      } else {
        ++place_.column;
      }
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') advance();
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        advance();
      } else {
        return;
      }
    }
  }

  void word(Token& t) {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      advance();
    }
    t.kind = Token::Kind::word;
    t.written = std::string(text_.substr(begin, at_ - begin));
    for (const char c : t.written) {
      t.text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    const auto found = synonyms().find(t.text);
    if (found != synonyms().end()) t.text = found->second;
  }

  // 17, 2.5, 4K, 1E3.
  std::optional<Error> number(Token& t) {
    const std::size_t begin = at_;
    bool is_real = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool point = c == '.' && at_ + 1 < text_.size() && !is_real &&
                         std::isdigit(static_cast<unsigned char>(text_[at_ + 1]));
      if (!point && !std::isdigit(static_cast<unsigned char>(c))) break;
      is_real |= point;
      advance();
    }
    t.kind = Token::Kind::number;
    t.written = std::string(text_.substr(begin, at_ - begin));
    const char* const end = t.written.data() + t.written.size();
    std::from_chars(t.written.data(), end, t.real);
    if (!is_real && std::from_chars(t.written.data(), end, t.value).ec != std::errc()) {
      return error_at(file_, t.place, t.written + " is too large (numbers have 64 bits)");
    }
    if (is_real) t.value = static_cast<std::int64_t>(t.real);
    if (at_ == text_.size() || !std::isalpha(static_cast<unsigned char>(text_[at_]))) return {};
    return suffix(t);
  }

  std::optional<Error> suffix(Token& t) {
    static const std::map<char, int> shifts{{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}};
    const auto found =
        shifts.find(static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_]))));
    if (found == shifts.end() ||
        (at_ + 1 < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_ + 1])))) {
      return error_at(file_, place_, "a number ends in a letter; K, M, G and T may stand there");
    }
    if (t.value > (std::int64_t{1} << (62 - found->second))) {
      return error_at(file_, t.place, t.written + " is too large (numbers have 64 bits)");
    }
    t.value <<= found->second;
    t.real = static_cast<double>(t.value);
    advance();
    return {};
  }

  std::optional<Error> quoted(Token& t) {
    t.kind = Token::Kind::text;
    advance();
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        advance();
        t.text += text_[at_] == 'n' ? '\n' : text_[at_];
      } else {
        t.text += text_[at_];
      }
      advance();
    }
    if (at_ == text_.size()) return error_at(file_, t.place, "a text has no end; add a \"");
    advance();
    t.written = '"' + t.text + '"';
    return {};
  }

  bool symbol(Token& t) {
    t.kind = Token::Kind::symbol;
    for (const std::string_view s : kLongSymbols) {
      if (!text_.substr(at_).starts_with(s)) continue;
      t.text = t.written = std::string(s);
      advance(s.size());
      return true;
    }
    if (std::string_view("+-*/&|^~<>=(){}[],.").find(text_[at_]) == std::string_view::npos) {
      return false;
    }
    t.text = t.written = std::string(1, text_[at_]);
    advance();
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  Place place_;
};

}  // namespace

Error error_at(const std::string& file, Place place, const std::string& problem) {
  return {file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
          problem};
}

Result<std::vector<Token>> read_tokens(std::string_view program, const std::string& file) {
  return Lexer(program, file).run();
}

}  // namespace reprise::conceptual
