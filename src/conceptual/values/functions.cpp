#include "conceptual/values/functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "conceptual/values/topology.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::size_t kMany = ~std::size_t{0};

struct Arity {
  std::string_view name;
  std::size_t least, most;
};

constexpr Arity kArities[] = {
    {"ABS", 1, 1},
    {"BITS", 1, 1},
    {"CBRT", 1, 1},
    {"CEILING", 1, 1},
    {"FACTOR10", 1, 1},
    {"FLOOR", 1, 1},
    {"KNOMIAL_CHILD", 2, 4},
    {"KNOMIAL_CHILDREN", 1, 3},
    {"KNOMIAL_PARENT", 1, 3},
    {"LOG10", 1, 1},
    {"MAX", 1, kMany},
    {"MESH_COORDINATE", 2, kMany},
    {"MESH_DISTANCE", 2, kMany},
    {"MESH_NEIGHBOR", 2, kMany},
    {"MIN", 1, kMany},
    {"RANDOM_GAUSSIAN", 2, 2},
    {"RANDOM_PARETO", 2, 3},
    {"RANDOM_POISSON", 1, 1},
    {"RANDOM_UNIFORM", 2, 2},
    {"ROOT", 2, 2},
    {"ROUND", 1, 1},
    {"SQRT", 1, 1},
    {"TREE_CHILD", 2, 3},
    {"TREE_PARENT", 1, 2},
};

[[noreturn]] void undefined(const Expr& call, const std::string& why) {
  throw Problem{call.at, call.name + " has no value (" + why + "); change its arguments"};
}

std::int64_t factor10(std::int64_t x) {
  std::int64_t power = 1;
  while (x / power > 9 || x / power < -9) power *= 10;
  return x / power * power;
}

std::int64_t log10_of(const Expr& call, std::int64_t x) {
  if (x < 1) undefined(call, "its argument is not positive");
  std::int64_t out = 0;
  for (; x >= 10; x /= 10) ++out;
  return out;
}

std::int64_t root(const Expr& call, std::int64_t n, std::int64_t x) {
  if (n == 0) undefined(call, "there is no 0th root");
  if (x < 0) undefined(call, "it is not defined for negative numbers");
  if (n > 0) return integer_root(n, x);
  if (x == 0) undefined(call, "it divides by zero");
  // -n overflows for the least integer alone, whose root is as that of the next one.
  return 1 / integer_root(n == std::numeric_limits<std::int64_t>::min() ? -(n + 1) : -n, x);
}

std::int64_t positive(const Expr& call, std::int64_t value, std::int64_t least, const char* what) {
  if (value < least) undefined(call, std::string(what) + " is " + std::to_string(value));
  return value;
}

std::int64_t mesh(const Expr& call, std::span<const std::int64_t> arguments) {
  Mesh mesh{{arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(call.dimensions)},
            call.wraps};
  std::int64_t size = 1;
  for (const std::int64_t extent : mesh.extents) {
    positive(call, extent, 1, "an extent");
    if (__builtin_mul_overflow(size, extent, &size)) undefined(call, "the mesh is too large");
  }
  const auto rest = arguments.subspan(call.dimensions);
  if (call.name == "MESH_NEIGHBOR") return mesh.neighbor(rest[0], rest.subspan(1));
  if (call.name == "MESH_DISTANCE") return mesh.distance(rest[0], rest[1]);
  // Dimensions that are not given have an extent of 1; the language has three.
  const auto dimensions = static_cast<std::int64_t>(std::max<std::size_t>(3, call.dimensions));
  if (rest[1] < 0 || rest[1] >= dimensions) undefined(call, "there is no such coordinate");
  const std::vector<std::int64_t> at = mesh.coordinates(rest[0]);
  if (at.empty()) return -1;
  return static_cast<std::size_t>(rest[1]) < at.size() ? at[static_cast<std::size_t>(rest[1])] : 0;
}

std::int64_t tree(const Expr& call, std::span<const std::int64_t> a, const Context& context) {
  const auto given = [&](std::size_t i, std::int64_t otherwise) {
    return i < a.size() ? a[i] : otherwise;
  };
  const auto fan_out = [&](std::size_t i, std::int64_t least) {
    return positive(call, given(i, 2), least, "the fan-out");
  };
  if (call.name == "TREE_PARENT") return Tree{fan_out(1, 1)}.parent(a[0]);
  if (call.name == "TREE_CHILD") return Tree{fan_out(2, 1)}.child(a[0], a[1]);
  const std::size_t k = call.name == "KNOMIAL_CHILD" ? 2 : 1;
  const KnomialTree knomial{fan_out(k, 2), given(k + 1, context.num_tasks)};
  if (call.name == "KNOMIAL_PARENT") return knomial.parent(a[0]);
  if (call.name == "KNOMIAL_CHILDREN") return knomial.children(a[0]);
  return knomial.child(a[0], a[1]);
}

std::int64_t whole_number(const Expr& call, double x) {
  // 2^63 is a double; the largest integer is not.
  if (!(x >= -0x1p63 && x < 0x1p63)) undefined(call, "it takes more than 63 bits");
  return static_cast<std::int64_t>(x);
}

double random_number(const Expr& call, std::span<const double> a, const Context& context) {
  if (!context.random) undefined(call, "nothing is random here");
  std::mt19937_64& random = *context.random;
  if (call.name == "RANDOM_UNIFORM") {
    if (!(a[0] < a[1])) undefined(call, "its range is empty");
    return std::uniform_real_distribution<double>(a[0], a[1])(random);
  }
  if (call.name == "RANDOM_GAUSSIAN") {
    if (!(a[1] >= 0)) undefined(call, "the deviation is negative");
    return a[1] == 0 ? a[0] : std::normal_distribution<double>(a[0], a[1])(random);
  }
  if (call.name == "RANDOM_POISSON") {
    if (!(a[0] > 0 && a[0] < 1e15)) undefined(call, "the mean is not positive, or too large");
    return static_cast<double>(std::poisson_distribution<std::int64_t>(a[0])(random));
  }
  // Pareto, by inversion: above a scale, or truncated to two bounds.
  if (!(a[0] > 0 && a[1] > 0)) undefined(call, "an argument is not positive");
  const double u = std::uniform_real_distribution<double>(0, 1)(random);
  const double low = a[1];
  if (a.size() == 2) return std::floor(low / std::pow(1 - u, 1 / a[0]));
  if (!(a[2] >= low)) undefined(call, "its range is empty");
  const double above = std::pow(low / a[2], a[0]);
  return std::floor(low / std::pow(1 - u * (1 - above), 1 / a[0]));
}

}  // namespace

void check_arguments(const Expr& call) {
  const auto* arity = std::find_if(std::begin(kArities), std::end(kArities),
                                   [&](const Arity& a) { return a.name == call.name; });
  const std::size_t n = call.operands.size();
  if (n >= arity->least && n <= arity->most) return;
  throw Problem{call.at,
                call.name + " has " + std::to_string(n) + (n == 1 ? " argument" : " arguments") +
                    " (it takes " + std::to_string(arity->least) +
                    (arity->least == arity->most ? "" : " to " + std::to_string(arity->most)) +
                    "); change them"};
}

std::optional<std::int64_t> integer_power(std::int64_t base, std::int64_t exponent) {
  if (base == 0 && exponent <= 0) return std::nullopt;
  if (base == 1) return 1;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (exponent < 0) return 0;
  std::int64_t out = 1;
  // A base of at least 2 overflows within 63 steps.
  for (; exponent > 0 && out != 0; --exponent) {
    if (__builtin_mul_overflow(out, base, &out)) return std::nullopt;
  }
  return out;
}

std::int64_t integer_root(std::int64_t n, std::int64_t x) {
  if (x < 2 || n == 1) return x;
  if (n > 62) return 1;
  std::int64_t low = 1, high = std::int64_t{1} << 32;  // low^n <= x < high^n, for n >= 2
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::optional<std::int64_t> power = integer_power(middle, n);
    (power && *power <= x ? low : high) = middle;
  }
  return low;
}

std::int64_t call_integer(const Expr& call, std::span<const std::int64_t> a,
                          const Context& context) {
  const std::string& f = call.name;
  if (f == "MIN") return *std::min_element(a.begin(), a.end());
  if (f == "MAX") return *std::max_element(a.begin(), a.end());
  if (f == "CEILING" || f == "FLOOR" || f == "ROUND") return a[0];
  if (f == "ABS") {
    if (a[0] == std::numeric_limits<std::int64_t>::min())
      undefined(call, "it takes more than 63 bits");
    return std::abs(a[0]);
  }
  if (f == "BITS") return std::bit_width(static_cast<std::uint64_t>(a[0]));
  if (f == "FACTOR10") return factor10(a[0]);
  if (f == "LOG10") return log10_of(call, a[0]);
  if (f == "SQRT") return root(call, 2, a[0]);
  if (f == "CBRT") return root(call, 3, a[0]);
  if (f == "ROOT") return root(call, a[0], a[1]);
  if (f.starts_with("MESH_")) return mesh(call, a);
  if (f.starts_with("RANDOM_"))
    return whole_number(call,
                        random_number(call, std::vector<double>(a.begin(), a.end()), context));
  return tree(call, a, context);
}

double call_real(const Expr& call, std::span<const double> a, const Context& context) {
  const std::string& f = call.name;
  if (f == "MIN") return *std::min_element(a.begin(), a.end());
  if (f == "MAX") return *std::max_element(a.begin(), a.end());
  if (f == "ABS") return std::abs(a[0]);
  if (f == "CEILING") return std::ceil(a[0]);
  if (f == "FLOOR") return std::floor(a[0]);
  if (f == "ROUND") return std::round(a[0]);
  if (f == "LOG10") {
    if (!(a[0] > 0)) undefined(call, "its argument is not positive");
    return std::log10(a[0]);
  }
  if (f == "SQRT" || f == "CBRT" || f == "ROOT") {
    const double n = f == "SQRT" ? 2 : f == "CBRT" ? 3 : a[0], x = a.back();
    if (n == 0 || x < 0 || (x == 0 && n < 0)) undefined(call, "there is no such root");
    return n == 2 ? std::sqrt(x) : n == 3 ? std::cbrt(x) : std::pow(x, 1 / n);
  }
  if (f.starts_with("RANDOM_")) return random_number(call, a, context);
  std::vector<std::int64_t> integers;
  for (const double x : a) integers.push_back(whole_number(call, x));
  return static_cast<double>(call_integer(call, integers, context));
}

}  // namespace reprise::conceptual
