#include "generate/c_language.hpp"

namespace reprise::generate {
namespace {

class C : public Language {
 public:
  std::string_view name() const override { return "c"; }
  std::string_view suffix() const override { return ".c"; }
  Result<std::string> write(const trace::Trace&, const Options&) const override {
    return Error{"C is not written yet"};
  }
};

}  // namespace

const Language& c_language() {
  static const C c;
  return c;
}

}  // namespace reprise::generate
