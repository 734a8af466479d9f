#include "generate/c_language.hpp"

#include "write/c/write.hpp"

namespace reprise::generate {
namespace {

write::c::Options c_options(const Options& options) {
  using write::c::Parts;
  return {.parts = options.is_single_file ? Parts::within : Parts::beside,
          .tables_name = options.program + ".tables",
          .times = options.times};
}

Result<Benchmark> benchmark(Result<write::c::Source> source, const Options& options) {
  if (!source) return source.error();
  Benchmark out{std::move(source->program)};
  if (options.is_single_file) return out;
  out.companions.push_back({std::string(write::c::kRuntimeFile), write::c::runtime()});
  if (!source->tables.empty())
    out.companions.push_back({c_options(options).tables_name, std::move(source->tables)});
  return out;
}

class C : public Language {
 public:
  std::string_view name() const override { return "c"; }
  std::string_view suffix() const override { return ".c"; }

  Result<Benchmark> write(const trace::Trace& trace, const Options& options) const override {
    write::c::Options in_c = c_options(options);
    if (options.detail == Detail::exact)
      return benchmark(write::c::write(trace, options.trace, in_c), options);
    const auto drawn = draw_program(trace, options.detail);
    if (!drawn) return drawn.error();
    in_c.remarks = (*drawn)->remarks;
    return benchmark(write::c::write((*drawn)->program, options.trace, in_c), options);
  }
};

}  // namespace

Result<Benchmark> c_benchmark(const program::Program& program, const Options& options) {
  return benchmark(write::c::write(program, options.trace, c_options(options)), options);
}

const Language& c_language() {
  static const C c;
  return c;
}

}  // namespace reprise::generate
