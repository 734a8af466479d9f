// The engine as WebAssembly exports it: numbers in, and as the result a message in JSON or numbers
// in memory, which stay until the next call. Times are doubles in picoseconds, exact up to 2^53 of
// them (2.5 hours). src/report/page/engine.js is the other side.
#include <cstdlib>

#include "report/engine/engine.hpp"

namespace {

using nlohmann::ordered_json;
using namespace reprise;
using namespace reprise::report;

std::unique_ptr<Engine>& engine() {
  static std::unique_ptr<Engine> one;
  return one;
}

// What the page reads next.
struct Answer {
  std::string text;
  std::vector<float> floats;
  std::vector<double> doubles;
};
Answer& answer() {
  static Answer one;
  return one;
}

void say(const ordered_json& json) {
  answer().text = json.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

// False, with the reason in the text.
int refuse(const Error& e) {
  say({{"error", e.message}});
  return 0;
}

int tell(const std::vector<CallTime>& times) {
  std::vector<double>& d = answer().doubles;
  d.clear();
  for (const CallTime& c : times) {
    d.push_back(static_cast<double>(c.calls));
    d.push_back(static_cast<double>(c.compute));
    d.push_back(static_cast<double>(c.communicate));
  }
  return 1;
}

Run run_of(int is_simulated) { return is_simulated ? Run::simulated : Run::recorded; }

Picoseconds ps(double t) {
  constexpr double kMost = 9e18;
  if (!(t > 0)) return 0;
  return static_cast<Picoseconds>(t < kMost ? t : kMost);
}

Lines lines_of(double first, double step, double count) {
  const auto whole = [](double x) {
    return x > 0 && x < 1e9 ? static_cast<std::uint64_t>(x) : std::uint64_t{0};
  };
  return {whole(first), whole(step), whole(count)};
}

}  // namespace

#define REPRISE_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

REPRISE_EXPORT(allocate) void* allocate(std::size_t n) { return std::malloc(n); }
REPRISE_EXPORT(release) void release(void* p) { std::free(p); }
REPRISE_EXPORT(text) const char* text() { return answer().text.data(); }
REPRISE_EXPORT(text_size) std::size_t text_size() { return answer().text.size(); }
REPRISE_EXPORT(floats) const float* floats() { return answer().floats.data(); }
REPRISE_EXPORT(floats_size) std::size_t floats_size() { return answer().floats.size(); }
REPRISE_EXPORT(doubles) const double* doubles() { return answer().doubles.data(); }
REPRISE_EXPORT(doubles_size) std::size_t doubles_size() { return answer().doubles.size(); }

REPRISE_EXPORT(open) int open_trace(const std::uint8_t* body, std::size_t size) {
  auto opened = Engine::open({body, size});
  if (!opened) return refuse(opened.error());
  engine() = std::move(*opened);
  const trace::Trace& t = engine()->trace();
  ordered_json kinds = ordered_json::array();
  for (std::size_t k = 0; k < kKinds; ++k) kinds.push_back(name_of(static_cast<Kind>(k)));
  say({{"ranks", t.ranks},
       {"threads", t.threads},
       {"has_times", !t.times.empty()},
       {"kinds", kinds},
       {"most_calls", SimulatedRun::kMostSpans},
       {"end_ps", engine()->end(Run::recorded)}});
  return 1;
}

REPRISE_EXPORT(select) int select_calls(const std::uint32_t* calls, std::size_t n) {
  engine()->select({calls, n});
  return 1;
}

REPRISE_EXPORT(tile)
int tile(int is_simulated, double first, double step, double count, double from, double to,
         std::size_t columns) {
  auto out = engine()->tile(run_of(is_simulated), lines_of(first, step, count),
                            {ps(from), ps(to), columns});
  if (!out) return refuse(out.error());
  answer().floats = std::move(*out);
  return 1;
}

// Numbers: line, call, begin, compute, communicate of each.
REPRISE_EXPORT(spans)
int spans(int is_simulated, double first, double step, double count, double from, double to,
          std::size_t most) {
  const auto out =
      engine()->spans(run_of(is_simulated), lines_of(first, step, count), ps(from), ps(to), most);
  if (!out) return refuse(out.error());
  std::vector<double>& d = answer().doubles;
  d.clear();
  for (std::size_t line = 0; line < out->size(); ++line) {
    for (const Span& s : (*out)[line]) {
      for (const Picoseconds x :
           {static_cast<Picoseconds>(line), Picoseconds{s.call}, s.begin, s.compute, s.communicate})
        d.push_back(static_cast<double>(x));
    }
  }
  return 1;
}

// Numbers: calls, compute, communicate of each call; or, of what is selected, of each line.
REPRISE_EXPORT(statistics)
int statistics(int is_simulated, double first, double step, double count, double from, double to) {
  const auto out =
      engine()->statistics(run_of(is_simulated), lines_of(first, step, count), ps(from), ps(to));
  return out ? tell(*out) : refuse(out.error());
}
REPRISE_EXPORT(by_line)
int by_line(int is_simulated, double first, double step, double count, double from, double to) {
  const auto out =
      engine()->by_line(run_of(is_simulated), lines_of(first, step, count), ps(from), ps(to));
  return out ? tell(*out) : refuse(out.error());
}

REPRISE_EXPORT(moment) int moment(int is_simulated, double stream, double t) {
  say(engine()->moment(run_of(is_simulated), lines_of(stream, 1, 1).first, ps(t)));
  return 1;
}

// `settings`: a list of pairs of texts, in JSON. `detail`: of report::Detail.
REPRISE_EXPORT(simulate) int simulate_run(const char* settings, std::size_t size, int detail) {
  const auto list = ordered_json::parse(settings, settings + size, nullptr, false);
  std::vector<simulate::Setting> all;
  if (!list.is_array()) return refuse({"the settings are no list"});
  for (const ordered_json& s : list) {
    if (!s.is_array() || s.size() != 2 || !s[0].is_string() || !s[1].is_string())
      return refuse({"a setting is not a pair of texts"});
    all.push_back({s[0].get<std::string>(), s[1].get<std::string>()});
  }
  const auto out = engine()->simulate(all, static_cast<Detail>(detail));
  if (!out) return refuse(out.error());
  say(*out);
  return 1;
}

REPRISE_EXPORT(matrix) int matrix(double first_rank, double ranks, double block) {
  const Lines lines = lines_of(first_rank, block, ranks);
  auto out = engine()->matrix(lines.first, lines.count, lines.step);
  if (!out) return refuse(out.error());
  answer().doubles = std::move(*out);
  return 1;
}

// Numbers: sender, sent, receiver, received, bytes of each.
REPRISE_EXPORT(flights)
int flights(double first, double step, double count, double from, double to, std::size_t most) {
  std::vector<double>& d = answer().doubles;
  d.clear();
  for (const simulate::Flight& f :
       engine()->flights(lines_of(first, step, count), ps(from), ps(to), most)) {
    for (const std::int64_t x :
         {std::int64_t{f.sender}, f.sent, std::int64_t{f.receiver}, f.received, f.bytes})
      d.push_back(static_cast<double>(x));
  }
  return 1;
}

// Numbers: from, to, stream, first, last of each.
REPRISE_EXPORT(critical_path)
int critical_path(double from, double to, std::size_t columns) {
  std::vector<double>& d = answer().doubles;
  d.clear();
  for (const PathPiece& p : engine()->critical_path({ps(from), ps(to), columns})) {
    for (const std::int64_t x :
         {p.from, p.to, std::int64_t{p.stream}, std::int64_t{p.first}, std::int64_t{p.last}})
      d.push_back(static_cast<double>(x));
  }
  return 1;
}
