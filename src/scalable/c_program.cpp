#include "scalable/c_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/escape.hpp"
#include "expr/print.hpp"
#include "scalable/c_calls.hpp"
#include "scalable/c_runtime.hpp"
#include "scalable/c_text.hpp"
#include "scalable/law_terms.hpp"
#include "trace/places.hpp"

namespace reprise::scalable {
namespace {

using compress::LoopTree;
using extrapolate::Delta;
using extrapolate::Law;
using extrapolate::Parameter;
using extrapolate::TimeLaw;
using program::Range;

constexpr std::size_t kOneLine = 100;  // [characters]

class Program {
 public:
  Program(const ScalableTrace& scalable, const std::string& file)
      : s_(scalable),
        places_(scalable.frame),
        file_(file),
        laws_(scalable, objects_),
        trips_(s_.program.tree.items.size()),
        columns_(s_.program.sites.size()) {
    for (const Parameter& p : s_.program.parameters) {
      if (p.slot.is_trips()) {
        trips_[p.slot.item] = &p.law;
      } else {
        columns_[p.slot.site].push_back(&p.law);
      }
    }
  }

  std::string write() {
    item(0, 1, 0);
    const std::string program = "\n" + objects_.declarations() + laws_.declarations() + counters_ +
                                begin() + "\nstatic void run(void) {\n" + lines_ + "}\n" +
                                main_text();
    std::string out = heading() + std::string(c_prelude());
    if (program.find("reprise_") != std::string::npos) out += std::string(expr::c_helpers());
    out += sizes() + c_range("ranks", s_.domain.ranks);
    for (std::size_t p = 0; p < s_.parameters.size(); ++p) {
      out += c_range(s_.parameters[p].name, s_.domain.parameters[p]);
    }
    return out + c_support(program) + program;
  }

 private:
  std::string heading() const {
    return fmt::format(
        "/* What the ranks of a program say to MPI, as a benchmark for any number of ranks that "
        "its laws\n"
        " * hold for: {}.\n *   {}\n"
        " * Written by reprise generate from {}. Compile it with mpicc; --help says what it can be "
        "asked. */\n",
        s_.domain.ranks.describe(), in_c_comment(s_.frame.program), in_c_comment(file_));
  }

  std::string sizes() const {
    std::string out;
    for (const auto& p : s_.parameters) {
      out += (out.empty() ? "\n/* Sizes of the problem. */\nstatic long long " : ", ") +
             size_name(p.name);
    }
    return out.empty() ? "" : out + ";\n";
  }

  void line(std::size_t depth, const std::string& text) {
    lines_ += wrapped(std::string(2 * depth, ' ') + text, 2 * depth) + "\n";
  }

  // How often an item is executed, and what stands in front of it for that.
  std::string trips_of(std::uint32_t item) {
    Asked asked;
    const std::string text = laws_.value(*trips_[item], fmt::format("passes_{}++", item), asked);
    if (asked.rank || asked.ranks)
      throw Unwritable{"trip counts are those of ranks in a communicator"};
    if (asked.place) counters_ += fmt::format("static long long passes_{};\n", item);
    return text;
  }

  // `loops`: how many go round several times around the item.
  void item(std::uint32_t i, std::size_t depth, std::size_t loops) {
    const bool once = constant_of(*trips_[i]) == 1;
    if (once && !s_.program.repeated[i]) return inside(i, depth, loops);
    const std::string trips = trips_of(i);
    if (s_.program.repeated[i]) {
      line(depth, fmt::format("for (long long i{0} = 0, t{0} = {1}; i{0} < t{0}; i{0}++) {{", loops,
                              trips));
      inside(i, depth + 1, loops + 1);
    } else {
      line(depth, is_condition(*trips_[i]) ? fmt::format("if ({}) {{", trips)
                                           : fmt::format("if (({}) > 0) {{", trips));
      inside(i, depth + 1, loops);
    }
    line(depth, "}");
  }

  void inside(std::uint32_t i, std::size_t depth, std::size_t loops) {
    const LoopTree::Item& item_of = s_.program.tree.items[i];
    if (item_of.site != LoopTree::kBody) return call(item_of.site, depth);
    for (const std::uint32_t child : item_of.body) item(child, depth, loops);
  }

  void call(std::uint32_t site, std::size_t depth) {
    const trace::FunctionId function = s_.program.sites[site].function;
    const CCall text = write_call(function, columns_[site], site, laws_, objects_);
    const bool init = trace::function(function).traits & trace::traits::kInit;
    const std::string time = init ? "" : time_of(site);
    const std::string place = in_c_comment(places_.text(s_.program.sites[site].callpath));
    if (!time.empty()) line(depth, fmt::format("compute({});", time));
    const std::string joined = fmt::format("{}", fmt::join(text.lines, " "));
    if (joined.size() + place.size() < kOneLine && joined.find("const ") == std::string::npos) {
      line(depth, fmt::format("{} /* {} */", joined, place));
      if (init) line(depth, "begin();");
      return;
    }
    const bool block = text.lines.size() > 1;
    if (block) line(depth, fmt::format("{{ /* {} */", place));
    for (const std::string& l : text.lines) {
      line(depth + (block ? 1 : 0), block ? l : fmt::format("{} /* {} */", l, place));
    }
    if (block) line(depth, "}");
    if (init) line(depth, "begin();");
    if (text.uses_place) counters_ += fmt::format("static long long calls_{};\n", site);
  }

  // What is computed before a call, on average over all that come there [ns].
  std::string time_of(std::uint32_t site) const {
    const TimeLaw* found = nullptr;
    for (const TimeLaw& law : s_.program.times.laws) {
      if (law.delta.site != site || law.delta.what != Delta::What::compute) continue;
      if (found == nullptr || law.delta.from == trace::Path::kAny) found = &law;
    }
    if (found == nullptr || found->fit.curves.empty()) return "";
    return curve(found->fit.curves.front());
  }

  std::string curve(const fit::Curve& c) const {
    std::string out;
    for (std::size_t t = 0; t < c.terms.size(); ++t) {
      std::string term = fmt::format("{:.6g}", c.coefficients[t]);
      for (const fit::Factor& f : c.terms[t]) {
        const std::string name =
            f.variable == 0 ? "ranks" : size_name(s_.parameters[f.variable - 1].name);
        const auto sixths = static_cast<int>(std::lround(6 * f.exponent));
        if (sixths != 0) term += fmt::format(" * power((double){}, {})", name, sixths);
        for (int l = 0; l < f.logs; ++l) term += fmt::format(" * logarithm((double){})", name);
      }
      out += (out.empty() ? "" : " + ") + term;
    }
    return out == "0" ? "" : out;
  }

  std::string begin() const {
    std::string out =
        "\n/* Once MPI is there. */\nstatic void begin(void) {\n  int me, all;\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &me);\n  MPI_Comm_size(MPI_COMM_WORLD, &all);\n"
        "  rank = me;\n  ranks = all;\n";
    out += fmt::format("  if (!admits_ranks(ranks)) stop({});\n",
                       c_string("this benchmark runs on " + s_.domain.ranks.describe() +
                                " (its laws hold for these); start it on such a number of ranks"));
    for (std::size_t p = 0; p < s_.parameters.size(); ++p) {
      const std::string& name = s_.parameters[p].name;
      out += fmt::format("  if (!admits_{0}({1})) stop({2});\n", name, size_name(name),
                         c_string("--" + name + " takes " + s_.domain.parameters[p].describe()));
    }
    return out + laws_.start() + "}\n";
  }

  std::string main_text() const {
    std::string usage = "  --compute-scale X   computation takes X times as long";
    std::string options;
    for (std::size_t p = 0; p < s_.parameters.size(); ++p) {
      const Range& range = s_.domain.parameters[p];
      const std::string& name = s_.parameters[p].name;
      usage += fmt::format("\\n  --{} N   {}", name, range.describe());
      options += fmt::format(
          "    else if (strcmp(argv[i], \"--{0}\") == 0 && i + 1 < argc) {1} = atoll(argv[++i]);\n",
          name, size_name(name));
    }
    std::string out = "\nint main(int argc, char **argv) {\n";
    for (std::size_t p = 0; p < s_.parameters.size(); ++p) {
      const Range& range = s_.domain.parameters[p];
      if (range.least == range.most)
        out += fmt::format("  {} = {};\n", size_name(s_.parameters[p].name), range.least);
    }
    out +=
        "  for (int i = 1; i < argc; i++) {\n"
        "    if (strcmp(argv[i], \"--compute-scale\") == 0 && i + 1 < argc) compute_scale = "
        "atof(argv[++i]);\n" +
        options +
        fmt::format(
            "    else {{\n      printf(\"This benchmark runs on {}. Options:\\n{}\\n\");\n"
            "      return strcmp(argv[i], \"--help\") == 0 ? 0 : 2;\n    }}\n  }}\n  run();\n  "
            "return 0;\n}}\n",
            s_.domain.ranks.describe(), usage);
    return out;
  }

  const ScalableTrace& s_;
  trace::Places places_;
  const std::string& file_;
  CObjects objects_;
  CLaws laws_;
  std::vector<const Law*> trips_;
  std::vector<std::vector<const Law*>> columns_;
  std::string lines_, counters_;
};

}  // namespace

Result<std::string> write_c(const ScalableTrace& scalable, const std::string& file) {
  try {
    return Program(scalable, file).write();
  } catch (const Unwritable& u) {
    return Error{"this scalable trace cannot be written in C: " + u.why};
  }
}

}  // namespace reprise::scalable
