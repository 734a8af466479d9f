#include "generate/conceptual_language.hpp"

#include "generate/phases.hpp"
#include "transform/align.hpp"
#include "transform/resolve.hpp"
#include "write/conceptual/write.hpp"

namespace reprise::generate {
namespace {

class Conceptual : public Language {
 public:
  std::string_view name() const override { return "conceptual"; }
  std::string_view suffix() const override { return ".ncptl"; }

  // A statement speaks of all tasks: collectives are aligned first, and wildcards resolved.
  Result<Benchmark> write(const trace::Trace& given, const Options& options) const override {
    if (given.threads > 1) {
      return Error{
          "a benchmark in coNCePTuaL has one thread a task (the ranks of this trace have "
          "several); take --language c"};
    }
    auto aligned = transform::align(given);
    if (!aligned) return aligned.error();
    if (aligned->mismatch) {
      return Error{
          "the trace has collectives that do not match; reprise transform align says where"};
    }
    auto resolved = transform::resolve(std::move(aligned->aligned.trace), {});
    if (!resolved) return resolved.error();
    auto text = written(resolved->trace, options);
    // Where ranks go round loops differently, other loops may be such that they do not.
    for (const auto& split : {split_phases, split_communicators}) {
      if (text) return text;
      auto apart = split(resolved->trace);
      if (!apart) return apart.error();
      auto again = written(*apart, options);
      if (again) return again;
    }
    return text;
  }

 private:
  static Result<Benchmark> written(const trace::Trace& trace, const Options& options) {
    auto text = write::conceptual::write(trace, options.trace, options.substitutes, options.times);
    if (!text) return text.error();
    return Benchmark{*std::move(text)};
  }
};

}  // namespace

const Language& conceptual_language() {
  static const Conceptual language;
  return language;
}

}  // namespace reprise::generate
