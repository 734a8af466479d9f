#include "generate/c_language.hpp"

#include "write/c/write.hpp"

namespace reprise::generate {
namespace {

write::c::Parts parts(const Options& options) {
  return options.is_single_file ? write::c::Parts::within : write::c::Parts::beside;
}

std::string tables_name(const Options& options) { return options.program + ".tables"; }

Result<Benchmark> benchmark(Result<write::c::Source> source, const Options& options) {
  if (!source) return source.error();
  Benchmark out{std::move(source->program)};
  if (options.is_single_file) return out;
  out.companions.push_back({std::string(write::c::kRuntimeFile), write::c::runtime()});
  if (!source->tables.empty())
    out.companions.push_back({tables_name(options), std::move(source->tables)});
  return out;
}

class C : public Language {
 public:
  std::string_view name() const override { return "c"; }
  std::string_view suffix() const override { return ".c"; }

  Result<Benchmark> write(const trace::Trace& trace, const Options& options) const override {
    if (options.detail == Detail::exact)
      return benchmark(write::c::write(trace, options.trace, parts(options), tables_name(options)),
                       options);
    const auto drawn = draw_program(trace, options.detail);
    if (!drawn) return drawn.error();
    return benchmark(write::c::write((*drawn)->program, options.trace, parts(options),
                                     tables_name(options), (*drawn)->remarks),
                     options);
  }
};

}  // namespace

Result<Benchmark> c_benchmark(const program::Program& program, const Options& options) {
  return benchmark(write::c::write(program, options.trace, parts(options), tables_name(options)),
                   options);
}

const Language& c_language() {
  static const C c;
  return c;
}

}  // namespace reprise::generate
