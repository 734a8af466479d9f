#include "generate/c_language.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/escape.hpp"
#include "generate/c_call.hpp"
#include "generate/c_layout.hpp"
#include "generate/c_places.hpp"
#include "generate/c_runtime.hpp"
#include "generate/c_times.hpp"
#include "generate/flow.hpp"
#include "generate/plain_condition.hpp"

namespace reprise::generate {
namespace {

constexpr const char* kStart = "start(argc, argv);";
constexpr std::uint32_t kNoCall = ~std::uint32_t{0};
constexpr std::ptrdiff_t kShort = 300;  // that a program has fewer than, if it can [lines]

class Program {
 public:
  Program(const trace::Trace& trace, const Options& options, const Detail& detail)
      : trace_(trace),
        options_(options),
        places_(trace),
        executions_(trace),
        peers_(trace, executions_),
        laws_(static_cast<std::int64_t>(trace.ranks)),
        values_(trace, laws_, source_),
        lists_(values_, source_),
        objects_(trace, executions_, values_, source_),
        times_(trace, values_, source_, detail, [this](std::uint32_t c) { return sites_[c]; }),
        pending_(trace) {}

  std::string write() {
    const std::vector<Statement> all = statements_of(trace_, executions_);
    number(all);
    main_loop_ = find_main_loop(all);
    write_all(all, 1);
    objects_.declare();
    times_.declare();
    for (const trace::Call& c : trace_.calls) {
      if (trace::function(c.function).traits & trace::traits::kInter) source_.need("inter");
    }
    return text();
  }

 private:
  // Of a body around: the variable that tells its pass, and whether something asks for it.
  struct Passes {
    std::string name = {};
    bool is_used = false;
    bool asks_outer = false;  // it is told by that of the body around
    Round round = {};
  };

  // Calls of one function have neighbouring numbers, and those at one place among them.
  void number(const std::vector<Statement>& all) {
    sites_.assign(trace_.calls.size(), 0);
    collect(all);
    find_ends();
    for (const trace::FunctionId f : functions_) {
      std::vector<std::uint32_t> own;
      std::map<std::string, std::size_t> places;
      for (const std::uint32_t c : appearing_) {
        if (trace_.calls[c].function != f) continue;
        own.push_back(c);
        places.try_emplace(place(c), places.size());
      }
      std::ranges::stable_sort(own, {}, [&](std::uint32_t c) { return places.at(place(c)); });
      for (const std::uint32_t c : own) {
        sites_[c] = order_.size();
        order_.push_back(c);
      }
    }
  }

  // Where the benchmark learns its rank, and where it reports: when MPI begins and when it ends,
  // or, in a program that begins with a session, behind the first and before the end of the last.
  void find_ends() {
    for (const std::uint32_t c : appearing_) {
      const trace::Function& f = trace::function(trace_.calls[c].function);
      if (trace::begins_mpi(f) && begins_ == kNoCall) {
        begins_ = c;
        has_no_world_ = !(f.traits & trace::traits::kInit);
      }
      if (has_no_world_ ? trace::ends_mpi(f) : (f.traits & trace::traits::kFinalize) != 0)
        ends_ = c;
    }
    if (has_no_world_) source_.need("everybody");
  }

  void collect(const std::vector<Statement>& all) {
    for (const Statement& s : all) {
      if (s.kind == Statement::Kind::call) {
        const trace::FunctionId f = trace_.calls[s.item->call].function;
        if (std::ranges::find(functions_, f) == functions_.end()) functions_.push_back(f);
        appearing_.push_back(s.item->call);
      }
      collect(s.body);
    }
  }

  std::uint64_t calls_in(const Statement& s) {
    if (s.kind == Statement::Kind::call) return calls_of(s.item->call);
    std::uint64_t n = 0;
    for (const Statement& b : s.body) n += calls_in(b);
    return n;
  }

  // Over all streams.
  std::uint64_t calls_of(std::uint32_t call) {
    std::uint64_t n = 0;
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) n += executions_.of(call, s);
    return n;
  }

  // The outermost loop, of the same trips on all ranks, that makes the most calls, and a good part
  // of all.
  const Statement* find_main_loop(const std::vector<Statement>& all) {
    const Statement* found = nullptr;
    std::uint64_t most = 0, total = 0;
    for (const Statement& s : all) {
      total += calls_in(s);
      if (s.kind != Statement::Kind::loop || !s.item->trips.is_constant()) continue;
      const std::uint64_t n = calls_in(s);
      if (n > most) found = &s, most = n;
    }
    return 4 * most >= total ? found : nullptr;
  }

  void write_all(const std::vector<Statement>& all, std::size_t depth) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Statement& s = all[i];
      switch (s.kind) {
        case Statement::Kind::call: write_call_at(s, depth); continue;
        case Statement::Kind::branch:
          if (is_one_condition(all, i)) {
            write_condition(s.body, 0, depth, values_.condition(s.coming, s.inside));
            continue;
          }
          layout_.line(depth, fmt::format("if ({}) {{", values_.condition(s.coming, s.inside)));
          break;
        case Statement::Kind::otherwise: layout_.line(depth, "} else {"); break;
        case Statement::Kind::loop: layout_.line(depth, loop_head(s) + " {"); break;
        case Statement::Kind::condition: i = write_condition(all, i, depth); continue;
      }
      const bool is_loop = s.kind == Statement::Kind::loop;
      in_main_loop_ |= &s == main_loop_;
      const std::size_t head = layout_.next_line() - 1;
      const Statement* const around = std::exchange(around_, is_loop ? &s : around_);
      write_body(s, depth + 1, is_loop);
      around_ = around;
      if (&s == main_loop_)
        layout_.begin_anew(head, s.index(), fmt::format("n{}", s.depth),
                           std::to_string(s.item->trips.by_stream.at(0)));
      in_main_loop_ &= &s != main_loop_;
      const bool goes_on = i + 1 < all.size() && all[i + 1].kind == Statement::Kind::otherwise;
      if (!goes_on) layout_.line(depth, "}");
    }
  }

  // A body whose passes are not told by the loops around counts them, if something in it asks.
  void write_body(const Statement& s, std::size_t depth, bool is_counted) {
    const std::size_t line = layout_.next_line();
    if (!is_counted) return write_all(s.body, depth);
    Passes own;
    const std::string told = s.kind == Statement::Kind::condition ? told_by_outer(s, own) : "";
    own.name = told.empty() ? fmt::format("pass_{}", ++bodies_) : told;
    bodies_around_.push_back(&s);
    if (told.empty()) own.round = round_of(bodies_around_, executions_);
    passes_.push_back(own);
    write_all(s.body, depth);
    bodies_around_.pop_back();
    const bool is_used = passes_.back().is_used;
    if (passes_.back().asks_outer && is_used) passes_[passes_.size() - 2].is_used = true;
    if (told.empty() && is_used) {
      const std::string name = source_.counter(passes_.back().name);
      if (s.kind == Statement::Kind::loop) {
        layout_.extend_loop(line - 1, name + "++");
      } else {
        layout_.line(depth, name + "++;");
      }
    }
    passes_.pop_back();
  }

  // How often a condition has held, if the counter of the body around tells it.
  std::string told_by_outer(const Statement& s, Passes& own) {
    if (passes_.empty() || s.place.is_known()) return {};
    const Seen seen = seen_by(s.item->trips, s.coming,
                              [&](std::uint64_t r) { return executions_.of(*s.item, r); });
    std::set<std::optional<std::int64_t>> distances;
    for (std::size_t i = 0; i < seen.distinct.size(); ++i)
      distances.insert(distance_of_ones(seen.distinct[i], seen.length[i]));
    if (distances.size() != 1 || !*distances.begin()) return {};
    const bool is_once = std::ranges::all_of(seen.length, [&](std::uint64_t n) {
      return static_cast<std::int64_t>(n) <= **distances.begin();
    });
    if (is_once) return {};
    const std::int64_t distance = **distances.begin();
    const Round& round = passes_.back().round;
    own.asks_outer = round.passes != distance;
    return own.asks_outer ? fmt::format("{} / {}", operand(passes_.back().name), distance)
                          : round.which;
  }

  // Whether nothing but a condition is in the branch, which has no else.
  static bool is_one_condition(const std::vector<Statement>& all, std::size_t branch) {
    const bool goes_on =
        branch + 1 < all.size() && all[branch + 1].kind == Statement::Kind::otherwise;
    return !goes_on && all[branch].body.size() == 1 &&
           all[branch].body.front().kind == Statement::Kind::condition;
  }

  static std::string operand_of_and(const std::string& text) {
    return text.find("||") == std::string::npos && text.find('?') == std::string::npos
               ? inside(text)
               : operand(text);
  }

  // Neighbours under one condition share it, and what excludes it is its else. Returns the last of
  // them.
  // Where ranks are told apart as well, `ranks` is that condition.
  std::size_t write_condition(const std::vector<Statement>& all, std::size_t first,
                              std::size_t depth, const std::string& ranks = {}) {
    std::string head = condition_head(all[first]);
    if (!ranks.empty())
      head = fmt::format("if ({} && {})", operand_of_and(ranks), operand_of_and(head.substr(3)));
    layout_.line(depth, head + " {");
    std::vector<std::string> before{head};  // what an else excludes
    for (std::size_t last = first;;) {
      Statement whole = all[last];
      const auto is_near = [&] {
        return last + 1 < all.size() && all[last + 1].kind == Statement::Kind::condition &&
               all[last + 1].coming == whole.coming;
      };
      for (; is_near() && condition_head(all[last + 1]) == head; ++last) {
        whole.body.insert(whole.body.end(), all[last + 1].body.begin(), all[last + 1].body.end());
      }
      const Statement* const around = std::exchange(around_, nullptr);
      write_body(whole, depth + 1, true);
      around_ = around;
      const std::string next = is_near() ? condition_head(all[last + 1]) : "";
      if (next.empty() || !exclude_each_other(head, next) ||
          std::ranges::find(before, next) != before.end()) {
        layout_.line(depth, "}");
        return last;
      }
      layout_.line(depth, fmt::format("}} else {} {{", next));
      head = next;
      before.push_back(next);
      ++last;
    }
  }

  // Whether they compare the same with different numbers.
  static bool exclude_each_other(const std::string& a, const std::string& b) {
    const std::size_t at = a.rfind(" == "), bt = b.rfind(" == ");
    const auto is_number = [](const std::string& text) {
      return text.find_first_not_of("0123456789") == text.size() - 1 && text.ends_with(')');
    };
    return at != std::string::npos && at == bt && a.substr(0, at) == b.substr(0, bt) && a != b &&
           a.find_first_of("&|?") == std::string::npos && is_number(a.substr(at + 4)) &&
           is_number(b.substr(bt + 4));
  }

  // How often a stream has been at the statement before, where its place does not tell.
  Point point_at(const Statement& s, TimesOf times) const {
    Point point{s.coming, std::move(times), s.place, passes_.empty() ? "0" : passes_.back().name};
    point.goes_on = in_main_loop_;
    if (!passes_.empty()) point.round = passes_.back().round;
    if (around_) {
      point.trips = &around_->item->trips;
      point.index = around_->index();
      point.is_alone = around_->body.size() == 1 && &around_->body.front() == &s;
    }
    return point;
  }
  void note_use(const Point& point) {
    if (point.is_counted && !passes_.empty()) passes_.back().is_used = true;
  }

  std::string trips_of(const Statement& s, const char* name) {
    Point point = point_at(s, [&](std::uint64_t r) { return executions_.of(*s.item, r); });
    const std::string trips =
        values_.at(s.item->trips, point, {}, fmt::format("{}_{}", name, ++counters_));
    note_use(point);
    return trips;
  }

  std::string condition_head(const Statement& s) {
    const std::string trips = trips_of(s, "IF");
    return trips.front() == '(' && trips.back() == ')' && trips.find('(', 1) == std::string::npos
               ? "if " + trips
               : fmt::format("if ({})", trips);
  }

  std::string loop_head(const Statement& s) {
    const std::string trips = trips_of(s, "TRIPS"), i = s.index();
    if (&s == main_loop_) {
      source_.need("trips");
      return fmt::format("for (long long {0} = 0; {0} < trips({1}); {0}++)", i, trips);
    }
    const bool is_number = trips.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) return fmt::format("for (long long {0} = 0; {0} < {1}; {0}++)", i, trips);
    return fmt::format("for (long long {0} = 0, n{1} = {2}; {0} < n{1}; {0}++)", i, s.depth, trips);
  }

  void write_call_at(const Statement& s, std::size_t depth) {
    const std::uint32_t call = s.item->call;
    const std::size_t site = sites_[call];
    Point point = point_at(s, [&](std::uint64_t r) { return executions_.of(call, r); });
    CallText text = write_call({trace_, peers_, values_, lists_, objects_, pending_, source_}, call,
                               site, point);
    const std::uint32_t traits = trace::function(trace_.calls[call].function).traits;
    const bool init = call == begins_, last = call == ends_;
    const std::string at =
        fmt::format("at({}, {});", site, init ? "0" : times_.before(call, point));
    note_use(point);
    std::vector<std::string> lines;
    if (init) {
      lines = {text.call, kStart, at};
    } else {
      lines.push_back(at);
      lines.insert(lines.end(), text.before.begin(), text.before.end());
      if (last) lines.emplace_back("if (reports) report();");
      if (last && has_no_world_) lines.emplace_back("leave_everybody();");
      if (const auto ahead = ahead_of(call, traits)) lines.push_back(*ahead);
      lines.push_back(text.call);
    }
    lines.insert(lines.end(), text.after.begin(), text.after.end());
    layout_.call(depth, lines, fmt::format("/* {} */", in_c_comment(place(call))),
                 text.before.empty() ? std::nullopt : std::optional(site));
  }

  // The computation behind a wait, which may come before it if that is asked for.
  std::optional<std::string> ahead_of(std::uint32_t call, std::uint32_t traits) {
    if (!(traits & trace::traits::kComplete) || traits & trace::traits::kPoll) return std::nullopt;
    const auto next = times_.after(call);
    if (!next) return std::nullopt;
    source_.need("early");
    return fmt::format("early({}, {});", sites_[next->call], next->time);
  }

  std::string place(std::uint32_t call) const { return places_.of(call); }

  std::string heading() const {
    std::string out = fmt::format(
        "/* What the ranks of a run said to MPI, as a benchmark: {} ranks of\n *   {}\n"
        " * Written by reprise generate from {}. Compile it with mpicc; --help says what it can be "
        "asked. */\n",
        trace_.ranks, in_c_comment(trace_.program), in_c_comment(options_.trace));
    return out;
  }

  std::string text() {
    for (const std::string& name : layout_.name_arguments(source_.peers(), kStart, trace_.ranks))
      source_.counter(name);
    const std::vector<std::string> functions = layout_.outline(source_);
    std::string program;
    if (!source_.declarations().empty()) program += "\n";
    for (const std::string& d : source_.declarations()) program += d + "\n";
    if (!functions.empty()) program += "\n";
    for (const std::string& f : functions) program += f + "\n";
    program += "\nint main(int argc, char **argv) {\n";
    for (const std::string& l : layout_.lines()) program += l + "\n";
    program += "  return 0;\n}\n";
    const std::string places = places_.tables(order_, functions_, source_);
    const Runtime runtime(source_.needed(), program);
    return heading() +
           runtime.settings(trace_.ranks, order_.size(), functions_.size(), times_.draws()) +
           places + times_.seldom() + runtime.helpers() + program;
  }

  const trace::Trace& trace_;
  const Options& options_;
  Places places_;
  analyze::Executions executions_;
  analyze::PeerRanges peers_;
  Source source_;
  Layout layout_;
  RankLaws laws_;
  Values values_;
  Lists lists_;
  Objects objects_;
  ComputeTimes times_;
  PendingAt pending_;
  std::vector<trace::FunctionId> functions_;         // in order of appearance
  std::vector<std::uint32_t> appearing_;             // calls, in order of appearance
  std::vector<std::uint32_t> order_;                 // by site: the call
  std::vector<std::size_t> sites_;                   // by call: the site
  std::uint32_t begins_ = kNoCall, ends_ = kNoCall;  // calls
  bool has_no_world_ = false;                        // it begins with a session
  const Statement* main_loop_ = nullptr;
  bool in_main_loop_ = false;
  const Statement* around_ = nullptr;  // the loop around, each trip of which comes by once
  int counters_ = 0, bodies_ = 0;
  std::vector<Passes> passes_;
  std::vector<const Statement*> bodies_around_;  // loops and conditions
};

class C : public Language {
 public:
  std::string_view name() const override { return "c"; }
  std::string_view suffix() const override { return ".c"; }
  Result<std::string> write(const trace::Trace& trace, const Options& options) const override {
    try {
      if (trace.threads > 1) {
        throw Unwritable{fmt::format(
            "each rank has {} threads that call MPI, and in which order they take turns is not in "
            "a trace; record with one thread a rank",
            trace.threads)};
      }
      // Finer differences of times are left out where that makes the program short.
      constexpr double kFinest = 0.001;
      if (trace.times.empty()) return Program(trace, options, {kFinest, false}).write();
      std::string finest;
      for (const double share : {kFinest, 0.002, 0.004, 0.008}) {
        std::string text = shortest(trace, options, share);
        if (std::ranges::count(text, '\n') < kShort) return text;
        if (finest.empty()) finest = std::move(text);
      }
      return finest;
    } catch (const Unwritable& u) {
      return Error{"this trace cannot be written in C: " + u.why};
    }
  }

 private:
  // Times that stand out are told one by one where that is shorter than tables.
  static std::string shortest(const trace::Trace& trace, const Options& options, double share) {
    std::string tables = Program(trace, options, {share, false}).write();
    std::string lists = Program(trace, options, {share, true}).write();
    const bool is_shorter = std::ranges::count(lists, '\n') < std::ranges::count(tables, '\n');
    return is_shorter ? lists : tables;
  }
};

}  // namespace

const Language& c_language() {
  static const C c;
  return c;
}

}  // namespace reprise::generate
