#include "scalable/law_codec.hpp"

#include <bit>
#include <cmath>

#include "expr/codec.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Law;
using extrapolate::NumberLaw;
using extrapolate::TermLaw;

constexpr int kMaxNesting = 64;            // of terms, as of a series
constexpr std::uint32_t kMaxNodes = 4096;  // of a law
constexpr std::uint8_t kOfRank = 1;
constexpr std::uint8_t kGiven = 0x80, kLocal = 0x40, kFromDepth = 0x20;  // beside the form
constexpr std::size_t kMaxCurveTerms = 8, kMaxFactors = 4;
constexpr double kMaxCoefficient = 1e18, kMaxExponent = 3;
constexpr std::uint64_t kMaxLogs = 3;
constexpr std::size_t kQuantiles = 22;  // the mean, and 21 of a distribution

void encode_number(ByteWriter& out, const NumberLaw& law) {
  expr::encode(out, law.expression);
  out.byte(static_cast<std::uint8_t>(law.of_rank ? kOfRank : 0) |
           static_cast<std::uint8_t>(static_cast<unsigned>(law.standing) << 1));
  out.varint(law.grid ? *law.grid + 1 : 0);
}

NumberLaw decode_number(ByteReader& in, const Bounds& bounds) {
  NumberLaw out;
  out.expression = expr::decode(in);
  if (out.expression.nodes() > kMaxNodes) in.fail("a law is too long");
  const std::uint8_t flags = in.byte();
  out.of_rank = (flags & kOfRank) != 0;
  if (flags >> 1 > static_cast<int>(solve::Standing::approximate)) in.fail("an unknown standing");
  if (in.failed()) return out;
  out.standing = static_cast<solve::Standing>(flags >> 1);
  const std::uint64_t grid = in.varint();
  if (grid > bounds.grids) in.fail("a grid that is not there");
  if (grid > 0) out.grid = static_cast<std::size_t>(grid - 1);
  return out;
}

void encode_terms(ByteWriter& out, const std::vector<TermLaw>& terms) {
  out.varint(terms.size());
  for (const TermLaw& t : terms) {
    encode_number(out, t.value);
    encode_number(out, t.step);
    encode_number(out, t.count);
    encode_terms(out, t.body);
  }
}

std::vector<TermLaw> decode_terms(ByteReader& in, const Bounds& bounds, int nesting) {
  std::vector<TermLaw> out;
  if (nesting > kMaxNesting) return in.fail("a law nests too deeply"), out;
  for (std::size_t n = in.count_of<TermLaw>(13); n > 0 && !in.failed(); --n) {
    TermLaw& t = out.emplace_back();
    t.value = decode_number(in, bounds);
    t.step = decode_number(in, bounds);
    t.count = decode_number(in, bounds);
    t.body = decode_terms(in, bounds, nesting + 1);
    const bool is_open = t.count.expression.is_constant(0);
    if (is_open && (nesting > 0 || n > 1)) in.fail("a law goes on behind its end");
  }
  return out;
}

}  // namespace

void encode_descent(ByteWriter& out, const extrapolate::Descent& descent) {
  out.varint(descent.site);
  encode_number(out, descent.first);
  encode_number(out, descent.goes_on);
}

extrapolate::Descent decode_descent(ByteReader& in, const Bounds& bounds) {
  extrapolate::Descent out;
  const std::uint64_t site = in.varint();
  if (site >= bounds.sites) return in.fail("a recursion of nothing"), out;
  out.site = static_cast<std::uint32_t>(site);
  out.first = decode_number(in, bounds);
  out.goes_on = decode_number(in, bounds);
  return out;
}

void encode_real(ByteWriter& out, double value) {
  out.fixed64(std::bit_cast<std::uint64_t>(value));
}

double decode_real(ByteReader& in, double least, double most) {
  const double value = std::bit_cast<double>(in.fixed64());
  if (value >= least && value <= most) return value;
  return in.fail("a number makes no sense"), least;
}

void encode_curve(ByteWriter& out, const fit::Curve& curve) {
  out.varint(curve.terms.size());
  for (std::size_t i = 0; i < curve.terms.size(); ++i) {
    encode_real(out, curve.coefficients[i]);
    out.varint(curve.terms[i].size());
    for (const fit::Factor& f : curve.terms[i]) {
      out.varint(f.variable);
      encode_real(out, f.exponent);
      out.varint(static_cast<std::uint64_t>(f.logs));
    }
  }
}

fit::Curve decode_curve(ByteReader& in, const Bounds& bounds) {
  fit::Curve out;
  const std::size_t terms = in.count_of<fit::CurveTerm>(9);
  if (terms > kMaxCurveTerms) in.fail("a curve has too many terms");
  for (std::size_t i = 0; i < terms && !in.failed(); ++i) {
    out.coefficients.push_back(decode_real(in, -kMaxCoefficient, kMaxCoefficient));
    fit::CurveTerm& term = out.terms.emplace_back();
    const std::size_t factors = in.count_of<fit::Factor>(10);
    if (factors > kMaxFactors) in.fail("a curve has too many factors");
    for (std::size_t f = 0; f < factors && !in.failed(); ++f) {
      fit::Factor& factor = term.emplace_back();
      const std::uint64_t variable = in.varint();
      factor.exponent = decode_real(in, -kMaxExponent, kMaxExponent);
      const std::uint64_t logs = in.varint();
      if (variable >= bounds.variables || logs > kMaxLogs) in.fail("a curve of nothing known");
      if (in.failed()) break;
      factor.variable = static_cast<std::size_t>(variable);
      factor.logs = static_cast<int>(logs);
    }
  }
  return out;
}

void encode_law(ByteWriter& out, const Law& law) {
  out.byte(static_cast<std::uint8_t>(static_cast<unsigned>(law.form) | (law.given ? kGiven : 0U) |
                                     (law.local ? kLocal : 0U) | (law.depth ? kFromDepth : 0U)));
  out.byte(static_cast<std::uint8_t>(law.encoding));
  if (law.depth) out.varint(std::uint64_t{law.depth->descent} << 1 | law.depth->of_rank_0);
  switch (law.form) {
    case Law::Form::series:
    case Law::Form::none: law.series.encode(out); break;
    case Law::Form::terms: encode_terms(out, law.terms); break;
    case Law::Form::indexed: encode_number(out, law.number); break;
    case Law::Form::distribution:
      out.varint(law.quantiles.size());
      for (const fit::Curve& c : law.quantiles) encode_curve(out, c);
      break;
    case Law::Form::placed: break;
  }
}

Law decode_law(ByteReader& in, const Bounds& bounds) {
  Law out;
  const std::uint8_t head = in.byte(), encoding = in.byte();
  const std::uint8_t form = head & ~(kGiven | kLocal | kFromDepth);
  if (form > static_cast<std::uint8_t>(Law::Form::placed) ||
      encoding > static_cast<std::uint8_t>(trace::Encoding::exclusive_or)) {
    in.fail("an unknown kind of law");
  }
  if (in.failed()) return out;
  out.form = static_cast<Law::Form>(form);
  out.given = (head & kGiven) != 0;
  out.local = (head & kLocal) != 0;
  out.encoding = static_cast<trace::Encoding>(encoding);
  if ((head & kFromDepth) != 0) {
    const std::uint64_t depth = in.varint();
    if (depth >> 1 >= bounds.descents) return in.fail("a recursion that is not there"), out;
    out.depth = {static_cast<std::uint32_t>(depth >> 1), (depth & 1) != 0};
  }
  switch (out.form) {
    case Law::Form::series:
    case Law::Form::none:
      out.series = trace::Series::decode(in);
      if (out.series.empty()) in.fail("a law has no values");
      break;
    case Law::Form::terms: out.terms = decode_terms(in, bounds, 0); break;
    case Law::Form::indexed: out.number = decode_number(in, bounds); break;
    case Law::Form::distribution:
      for (std::size_t n = in.count_of<fit::Curve>(); n > 0 && !in.failed(); --n) {
        out.quantiles.push_back(decode_curve(in, bounds));
      }
      if (out.quantiles.size() != kQuantiles) in.fail("a distribution of nothing known");
      break;
    case Law::Form::placed: break;
  }
  return out;
}

}  // namespace reprise::scalable
