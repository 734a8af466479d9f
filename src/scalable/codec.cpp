#include "scalable/codec.hpp"

#include <algorithm>

#include "expr/codec.hpp"
#include "scalable/law_codec.hpp"
#include "trace/calls/split_columns.hpp"
#include "trace/file/file.hpp"

namespace reprise::scalable {
namespace {

using compress::LoopTree;
using extrapolate::Grids;
using extrapolate::Parameter;
using extrapolate::ProblemParameter;
using extrapolate::Rule;
using extrapolate::Scalable;
using infer::GridRule;
using program::NumberClass;
using program::Range;
using trace::Trace;

constexpr std::size_t kMaxInputs = 1024, kMaxParameters = 32, kMaxGrids = 64, kMaxDescents = 64;
constexpr std::int64_t kMaxNumber = std::int64_t{1} << 50;  // of ranks, and sizes
constexpr std::uint32_t kMaxDepth = 1024;                   // of loops, as in a trace
constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;   // [bytes], as for a trace
constexpr std::uint64_t kMemoryRatio = 1024;
constexpr std::uint8_t kSmallestFirst = 1, kSeen = 2;

// range := shape:byte multiple_of:varint least:varint most:varint
void encode_range(ByteWriter& out, const Range& range) {
  out.byte(static_cast<std::uint8_t>(range.numbers.shape));
  for (const std::int64_t n : {range.numbers.multiple_of, range.least, range.most}) {
    out.varint(static_cast<std::uint64_t>(n));
  }
}

std::int64_t decode_natural(ByteReader& in) {
  const std::uint64_t n = in.varint();
  if (n >= 1 && n <= static_cast<std::uint64_t>(kMaxNumber)) return static_cast<std::int64_t>(n);
  return in.fail("a number makes no sense"), 1;
}

Range decode_range(ByteReader& in) {
  Range out;
  const std::uint8_t shape = in.byte();
  if (shape >= NumberClass::kShapes) return in.fail("an unknown class of numbers"), out;
  out.numbers.shape = static_cast<NumberClass::Shape>(shape);
  out.numbers.multiple_of = decode_natural(in);
  out.least = decode_natural(in);
  out.most = decode_natural(in);
  return out;
}

// grid := flags:byte kind:byte dimensions:byte and where the kind is `fixed`:
//         dimension:byte extent:varint
void encode_grids(ByteWriter& out, const Grids& grids) {
  out.varint(grids.rules.size());
  for (std::size_t g = 0; g < grids.rules.size(); ++g) {
    const GridRule& rule = grids.rules[g];
    out.byte(static_cast<std::uint8_t>((rule.smallest_first ? kSmallestFirst : 0) |
                                       (grids.seen.contains(g) ? kSeen : 0)));
    out.byte(static_cast<std::uint8_t>(rule.kind));
    out.byte(static_cast<std::uint8_t>(rule.dimensions));
    if (rule.kind != GridRule::Kind::fixed) continue;
    out.byte(static_cast<std::uint8_t>(rule.fixed_dimension));
    out.varint(static_cast<std::uint64_t>(rule.fixed_extent));
  }
}

Grids decode_grids(ByteReader& in) {
  Grids out;
  const std::size_t n = in.count(3);
  if (n > kMaxGrids) in.fail("too many grids");
  for (std::size_t g = 0; g < n && !in.failed(); ++g) {
    GridRule& rule = out.rules.emplace_back();
    const std::uint8_t flags = in.byte(), kind = in.byte(), dimensions = in.byte();
    if (kind > static_cast<std::uint8_t>(GridRule::Kind::greedy) || dimensions < 1 ||
        dimensions > expr::kMaxDimensions) {
      return in.fail("an unknown grid"), out;
    }
    rule.kind = static_cast<GridRule::Kind>(kind);
    rule.dimensions = dimensions;
    if (rule.kind == GridRule::Kind::line && dimensions != 1) in.fail("an unknown grid");
    rule.smallest_first = (flags & kSmallestFirst) != 0;
    if ((flags & kSeen) != 0) out.seen.insert(g);
    if (rule.kind != GridRule::Kind::fixed) continue;
    rule.fixed_dimension = in.byte();
    rule.fixed_extent = decode_natural(in);
    if (dimensions < 2 || rule.fixed_dimension >= rule.dimensions) in.fail("an unknown grid");
  }
  return out;
}

// tree := n:varint (flags:varint parent:varint){n}, the root first, parents before their bodies;
//         flags: 1 if some pass takes several trips, + 2 x (site + 1), or 0 for a body
void encode_tree(ByteWriter& out, const Scalable& program) {
  out.varint(program.tree.items.size());
  for (std::size_t i = 0; i < program.tree.items.size(); ++i) {
    const LoopTree::Item& item = program.tree.items[i];
    const std::uint64_t site = item.site == LoopTree::kBody ? 0 : std::uint64_t{item.site} + 1;
    out.varint((program.repeated[i] ? 1U : 0U) | site << 1);
    out.varint(item.parent);
  }
}

void decode_tree(ByteReader& in, Scalable& program) {
  LoopTree& tree = program.tree;
  const std::size_t sites = program.sites.size();
  constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  tree.leaf_of.assign(sites, kNowhere);
  const std::size_t n = in.count_of<LoopTree::Item>(2);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    const std::uint64_t flags = in.varint(), parent = in.varint(), site = flags >> 1;
    if (site > sites || (i == 0 ? parent != 0 || site != 0 : parent >= i)) {
      return in.fail("loops that are none");
    }
    LoopTree::Item item;
    item.parent = static_cast<std::uint32_t>(parent);
    if (site > 0) {
      item.site = static_cast<std::uint32_t>(site - 1);
      if (tree.leaf_of[item.site] != kNowhere) return in.fail("a call site that comes twice");
      tree.leaf_of[item.site] = static_cast<std::uint32_t>(i);
    }
    if (i > 0) {
      LoopTree::Item& above = tree.items[item.parent];
      if (above.site != LoopTree::kBody) return in.fail("a call with a body");
      item.depth = above.depth + 1;
      if (item.depth > kMaxDepth) return in.fail("loops nest too deeply");
      item.position = static_cast<std::uint32_t>(above.body.size());
      above.body.push_back(static_cast<std::uint32_t>(i));
    }
    tree.items.push_back(std::move(item));
    program.repeated.push_back((flags & 1) != 0);
  }
  if (std::ranges::find(tree.leaf_of, kNowhere) != tree.leaf_of.end() || tree.items.empty()) {
    in.fail("a call site that is in no loop");
  }
}

std::vector<std::uint32_t> decode_order(ByteReader& in, std::size_t sites) {
  std::vector<std::uint32_t> out;
  std::vector<bool> placed(sites, false);
  for (std::size_t i = 0; i < sites && !in.failed(); ++i) {
    const std::uint64_t site = in.varint();
    if (site >= sites || placed[static_cast<std::size_t>(site)]) {
      return in.fail("a call site that comes twice"), out;
    }
    placed[static_cast<std::size_t>(site)] = true;
    out.push_back(static_cast<std::uint32_t>(site));
  }
  return out;
}

Bounds bounds_of(const ScalableTrace& scalable) {
  return {scalable.program.grids.rules.size(), scalable.program.sites.size(),
          scalable.program.descents.size(), 1 + scalable.parameters.size()};
}

// laws := n:varint ranks:varint{n} range n:varint (name:text range value:varint{inputs}){n}
//         grids order:varint{sites} tree n:varint (rule:byte site:text){n} n:varint descent{n}
//         law{slots} times
std::vector<std::uint8_t> encode_laws(const ScalableTrace& s) {
  ByteWriter out;
  out.varint(s.program.ranks.size());
  for (const std::int64_t r : s.program.ranks) out.varint(static_cast<std::uint64_t>(r));
  encode_range(out, s.domain.ranks);
  out.varint(s.parameters.size());
  for (std::size_t p = 0; p < s.parameters.size(); ++p) {
    out.text(s.parameters[p].name);
    encode_range(out, s.domain.parameters[p]);
    for (const std::int64_t v : s.parameters[p].values) out.varint(static_cast<std::uint64_t>(v));
  }
  encode_grids(out, s.program.grids);
  for (const std::uint32_t site : s.program.order) out.varint(site);
  encode_tree(out, s.program);
  out.varint(s.excuses.size());
  for (const auto& [rule, site] : s.excuses) {
    out.byte(static_cast<std::uint8_t>(rule));
    out.text(site);
  }
  out.varint(s.program.descents.size());
  for (const extrapolate::Descent& d : s.program.descents) encode_descent(out, d);
  for (const Parameter& p : s.program.parameters) encode_law(out, p.law);
  encode_times(out, s.program.times);
  return out.take();
}

void decode_inputs(ByteReader& in, ScalableTrace& out) {
  const std::size_t inputs = in.count();
  if (inputs == 0 || inputs > kMaxInputs) return in.fail("laws from nothing");
  for (std::size_t i = 0; i < inputs; ++i) {
    out.program.ranks.push_back(decode_natural(in));
    if (out.program.ranks.back() > static_cast<std::int64_t>(trace::kMaxStreams)) {
      in.fail("more ranks than a trace can have");
    }
  }
  out.domain.ranks = decode_range(in);
  if (out.domain.ranks.most > static_cast<std::int64_t>(trace::kMaxStreams)) {
    in.fail("more ranks than a trace can have");
  }
  const std::size_t parameters = in.count(5);
  if (parameters > kMaxParameters) in.fail("too many sizes of the problem");
  for (std::size_t p = 0; p < parameters && !in.failed(); ++p) {
    ProblemParameter& parameter = out.parameters.emplace_back();
    parameter.name = in.text();
    if (!expr::is_name(parameter.name))
      in.fail("a size of the problem has no name that it could have");
    out.domain.parameters.push_back(decode_range(in));
    for (std::size_t i = 0; i < inputs; ++i) parameter.values.push_back(decode_natural(in));
  }
}

void decode_excuses(ByteReader& in, ScalableTrace& out) {
  for (std::size_t n = in.count_of<std::pair<Rule, std::string>>(2); n > 0 && !in.failed(); --n) {
    const std::uint8_t rule = in.byte();
    if (rule > static_cast<std::uint8_t>(Rule::ranks)) in.fail("an unknown rule");
    out.excuses.emplace(static_cast<Rule>(rule), in.text());
  }
}

// Trips, and numbers of communicators.
bool may_count_from_depth(const Scalable& program, const extrapolate::Slot& slot,
                          const extrapolate::Law& law) {
  using Form = extrapolate::Law::Form;
  const bool is_number =
      law.form == Form::series || law.form == Form::terms || law.form == Form::indexed;
  return is_number && !law.local && law.encoding == trace::Encoding::absolute &&
         (slot.is_trips() || meaning_of(program.sites, slot) == trace::Kind::comm);
}

void decode_descents(ByteReader& in, ScalableTrace& out) {
  const std::size_t n = in.count_of<extrapolate::Descent>(9);
  if (n > kMaxDescents) in.fail("too many recursions");
  const Bounds bounds = bounds_of(out);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    out.program.descents.push_back(decode_descent(in, bounds));
    const std::uint32_t site = out.program.descents.back().site;
    const trace::Function& f = trace::function(out.program.sites[site].function);
    if (!trace::split_columns(f)) in.fail("a recursion of nothing");
  }
}

void decode_laws(ByteReader& in, ScalableTrace& out) {
  Scalable& program = out.program;
  decode_inputs(in, out);
  if (in.failed()) return;
  program.grids = decode_grids(in);
  program.order = decode_order(in, program.sites.size());
  if (in.failed()) return;
  decode_tree(in, program);
  if (in.failed()) return;
  decode_excuses(in, out);
  decode_descents(in, out);
  if (in.failed()) return;
  const Bounds bounds = bounds_of(out);
  const auto slots = all_slots(program.tree, program.sites, program.order);
  if (!in.affords<Parameter>(slots.size())) return;
  for (const extrapolate::Slot& slot : slots) {
    auto shape = shape_of(program.tree, program.sites, program.repeated, slot);
    program.parameters.push_back({slot, std::move(shape), decode_law(in, bounds)});
    const auto form = program.parameters.back().law.form;
    if (form == extrapolate::Law::Form::distribution && !slot.is_trips()) {
      in.fail("a distribution of values");
    }
    const bool of_communicator =
        form == extrapolate::Law::Form::placed || program.parameters.back().law.local;
    if (of_communicator && slot.is_trips()) in.fail("trip counts in a communicator");
    const extrapolate::Law& law = program.parameters.back().law;
    if (law.local && form != extrapolate::Law::Form::indexed) in.fail("a law of two kinds");
    if (law.depth && !may_count_from_depth(program, slot, law)) in.fail("a law of two kinds");
    if (in.failed()) return;
  }
  program.times = decode_times(in, bounds);
  program.times.variables = {"ranks"};
  for (const ProblemParameter& p : out.parameters) program.times.variables.push_back(p.name);
  if (!in.failed() && !in.at_end()) in.fail("data behind the end");
}

Error bad_laws(const std::string& name, const std::string& why) {
  return {name + " cannot be read (its laws: " + why + "); copy it again, or fit it again"};
}

}  // namespace

bool is_scalable(const Trace& trace) {
  return std::ranges::any_of(trace.sections,
                             [](const auto& s) { return s.name == trace::kLawsSection; });
}

Trace encode(const ScalableTrace& scalable) {
  Trace out = scalable.frame;
  out.sections.push_back({std::string(trace::kLawsSection), kLawsVersion, encode_laws(scalable)});
  return out;
}

Result<ScalableTrace> decode(const Trace& trace, const std::string& name) {
  const auto section =
      std::ranges::find(trace.sections, trace::kLawsSection, &trace::Section::name);
  if (section == trace.sections.end()) {
    return Error{name + " is not a scalable trace (it has no laws); make one with `reprise fit`"};
  }
  if (section->version != kLawsVersion) {
    return Error{name + " has laws of version " + std::to_string(section->version) +
                 " (this program reads version " + std::to_string(kLawsVersion) + "); " +
                 (section->version < kLawsVersion ? "fit it again" : "use a newer reprise")};
  }
  ScalableTrace out;
  out.frame = trace;
  out.frame.sections.clear();
  for (const trace::Call& call : trace.calls) {
    out.program.sites.push_back({call.function, 0, call.callpath});
  }
  ByteReader in(section->content.data(), section->content.size());
  in.limit_memory(kMemory + kMemoryRatio * section->content.size());
  decode_laws(in, out);
  if (in.failed()) return bad_laws(name, in.problem());
  return out;
}

}  // namespace reprise::scalable
