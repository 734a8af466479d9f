#include "conceptual/read/token.hpp"

#include <cctype>
#include <limits>

#include "conceptual/read/keywords.hpp"

namespace reprise::conceptual {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// The longest first, so that none hides another.
constexpr std::string_view kSymbols[] = {"...", "/\\", "\\/", "<>", "<=", ">=", "<<", ">>", "**",
                                         "(",   ")",   "[",   "]",  "{",  "}",  ",",  ".",  "+",
                                         "-",   "*",   "/",   "|",  "&",  "=",  "<",  ">"};

class Lexer {
 public:
  explicit Lexer(std::string_view program) : text_(program) {}

  std::vector<Token> run() {
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) next();
    tokens_.push_back({.kind = Token::Kind::end, .at = here_, .text = "the end of the program"});
    find_partners();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  char advance() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++here_.line;
      here_.column = 1;
    } else {
      ++here_.column;
    }
    return c;
  }

  // A carriage return is a blank only at the end of a line.
  bool is_blank() const {
    const char c = peek();
    return c == ' ' || c == '\t' || c == '\n' || (c == '\r' && peek(1) == '\n');
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (peek() == '#') {
        while (at_ < text_.size() && peek() != '\n') advance();
      } else if (is_blank()) {
        advance();
      } else {
        return;
      }
    }
  }

  void next() {
    if (is_letter(peek())) {
      word();
    } else if (is_digit(peek())) {
      number();
    } else if (peek() == '"') {
      string();
    } else {
      symbol();
    }
  }

  void word() {
    Token token{.kind = Token::Kind::word, .at = here_};
    while (is_word(peek())) {
      const char c = advance();
      token.text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      token.spelled += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    if (const std::string_view form = first_form(token.spelled); !form.empty()) {
      token.kind = Token::Kind::keyword;
      token.text = form;
      drop_hyphen(token);
    }
    tokens_.push_back(std::move(token));
  }

  std::int64_t times(std::int64_t value, std::int64_t factor, Position at) const {
    std::int64_t out = 0;
    if (__builtin_mul_overflow(value, factor, &out)) too_large(at);
    return out;
  }

  [[noreturn]] static void too_large(Position at) {
    throw Problem{at, "the number is too large (it takes more than 63 bits); take a smaller one"};
  }

  std::int64_t digits(Position at) {
    std::int64_t value = 0;
    while (is_digit(peek())) {
      value = times(value, 10, at);
      if (__builtin_add_overflow(value, advance() - '0', &value)) too_large(at);
    }
    return value;
  }

  char upper(std::size_t ahead = 0) const {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(peek(ahead))));
  }

  bool accept_ordinal() {
    static constexpr std::string_view kEndings[] = {"ST", "ND", "RD", "TH"};
    for (const std::string_view ending : kEndings) {
      if (upper() != ending[0] || upper(1) != ending[1]) continue;
      advance();
      advance();
      return true;
    }
    return false;
  }

  // A multiplier or an exponent, and an ending such as that of 1st, are part of a number; any other
  // letters begin the next word, as in 64BYTE.
  void number() {
    const Position at = here_;
    std::int64_t value = digits(at);
    const std::string_view powers = "KMGT";
    if (upper() == 'E' && is_digit(peek(1))) {
      advance();
      for (std::int64_t e = digits(at); e > 0 && value != 0; --e) value = times(value, 10, at);
      accept_ordinal();
    } else if (accept_ordinal()) {
      // The number has no multiplier.
    } else if (const std::size_t power = powers.find(upper());
               peek() != '\0' && power != std::string_view::npos) {
      advance();
      for (std::size_t i = 0; i <= power; ++i) value = times(value, 1024, at);
      if (power < 3) accept_ordinal();
    }
    tokens_.push_back({.kind = Token::Kind::number, .at = at, .text = "a number", .value = value});
  }

  void string() {
    Token token{.kind = Token::Kind::text, .at = here_};
    advance();
    while (peek() != '"') {
      if (at_ >= text_.size())
        throw Problem{token.at, "a string does not end (there is no closing \"); add it"};
      const char c = advance();
      if (c != '\\') {
        token.text += c;
      } else if (at_ < text_.size()) {
        if (static_cast<unsigned char>(peek()) >= 0x80)
          throw Problem{here_,
                        "a backslash stands before a character beyond ASCII (it may stand before "
                        "those of ASCII only); leave it out"};
        escape(token.text);
      }
    }
    advance();
    tokens_.push_back(std::move(token));
  }

  // An escaped line break is dropped, and so are unknown escapes.
  void escape(std::string& text) {
    const char c = advance();
    if (c == 'n') text += '\n';
    if (c == 't') text += '\t';
    if (c == 'r') text += '\r';
    if (c == '"' || c == '\\') text += c;
  }

  void symbol() {
    for (const std::string_view s : kSymbols) {
      if (text_.substr(at_, s.size()) != s) continue;
      tokens_.push_back({.kind = Token::Kind::symbol, .at = here_, .text = std::string(s)});
      for (std::size_t i = 0; i < s.size(); ++i) advance();
      return;
    }
    throw Problem{here_,
                  "a character is not understood (it is in no word of the language); leave "
                  "it out"};
  }

  // A hyphen before a keyword is a blank, as in 64-BYTE MESSAGE; before a function and NOT too.
  void drop_hyphen(Token& keyword) {
    if (tokens_.empty() || tokens_.back().kind != Token::Kind::symbol || tokens_.back().text != "-")
      return;
    tokens_.pop_back();
    keyword.after_hyphen = true;
  }

  void find_partners() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::Kind::symbol) continue;
      if (tokens_[i].text == "(") open.push_back(i);
      if (tokens_[i].text == ")" && !open.empty()) {
        tokens_[open.back()].partner = i;
        open.pop_back();
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Position here_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view program) { return Lexer(program).run(); }

}  // namespace reprise::conceptual
