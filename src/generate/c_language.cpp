#include "generate/c_language.hpp"

#include "write/c/write.hpp"

namespace reprise::generate {
namespace {

class C : public Language {
 public:
  std::string_view name() const override { return "c"; }
  std::string_view suffix() const override { return ".c"; }

  Result<std::string> write(const trace::Trace& trace, const Options& options) const override {
    return write::c::write(
        trace, options.trace,
        options.is_single_file ? write::c::Runtime::within : write::c::Runtime::beside);
  }

  std::optional<Companion> companion() const override {
    return Companion{std::string(write::c::kRuntimeFile), write::c::runtime()};
  }
};

}  // namespace

const Language& c_language() {
  static const C c;
  return c;
}

}  // namespace reprise::generate
