#include "generate/python_language.hpp"

#include "write/python/write.hpp"

namespace reprise::generate {
namespace {

class Python : public Language {
 public:
  std::string_view name() const override { return "python"; }
  std::string_view suffix() const override { return ".py"; }

  Result<Benchmark> write(const trace::Trace& trace, const Options& options) const override {
    auto text = write::python::write(trace, options.trace, options.times);
    if (!text) return text.error();
    return Benchmark{*std::move(text)};
  }
};

}  // namespace

const Language& python_language() {
  static const Python python;
  return python;
}

}  // namespace reprise::generate
