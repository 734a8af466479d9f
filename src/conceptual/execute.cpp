#include "conceptual/execute.hpp"

#include <algorithm>
#include <cstdio>

#include "conceptual/evaluate.hpp"
#include "conceptual/lexer.hpp"

namespace reprise::conceptual {
namespace {

using Kind = Statement::Kind;
using Which = Tasks::Which;

// The counters of a task, and when they began.
struct Counters {
  std::int64_t bytes_sent = 0, bytes_received = 0, messages_sent = 0, messages_received = 0;
  std::int64_t start = 0;  // [us]
};

class Executor {
 public:
  Executor(const Program& program, const Arguments& arguments, Machine& machine)
      : program_(program), machine_(machine), v_(arguments.values), me_(machine.task()) {
    v_.resize(static_cast<std::size_t>(program.slots));
    v_[kNumTasks] = machine.tasks();
  }

  void run() {
    counters_.start = machine_.now_us();
    for (const Statement& s : program_.statements) execute(s);
    flush_log();
  }

 private:
  void execute(const Statement& s) {
    switch (s.kind) {
      case Kind::sequence:
        for (const Statement& b : s.body) execute(b);
        break;
      case Kind::repeat:
        for (std::int64_t n = number(s.expression); n > 0; --n) execute(s.body.front());
        break;
      case Kind::for_each: for_each(s); break;
      case Kind::let:
        for (std::size_t i = 0; i < s.variables.size(); ++i) {
          set(s.variables[i], number(s.expressions[i]));
        }
        execute(s.body.front());
        break;
      case Kind::if_else:
        if (number(s.expression) != 0) {
          execute(s.body[0]);
        } else if (s.body.size() > 1) {
          execute(s.body[1]);
        }
        break;
      case Kind::send: send(s); break;
      case Kind::receive: receive(s); break;
      case Kind::multicast: multicast(s); break;
      case Kind::reduce: reduce(s); break;
      case Kind::synchronize: {
        const auto members = all_of(s.tasks);
        if (contains(members, me_)) machine_.synchronize(members);
        break;
      }
      case Kind::assert_that:
        if (number(s.expression) == 0) throw RunError{s.place, "it does not hold that " + s.text};
        break;
      default:
        if (acts(s.tasks)) act_alone(s);
    }
  }

  void act_alone(const Statement& s) {
    switch (s.kind) {
      case Kind::await_all: machine_.await_all(); break;
      case Kind::compute: machine_.compute(std::max<std::int64_t>(0, number(s.expression))); break;
      case Kind::sleep: machine_.sleep(std::max<std::int64_t>(0, number(s.expression))); break;
      case Kind::reset:
        counters_ = {};
        counters_.start = machine_.now_us();
        break;
      case Kind::log:
        for (const Column& c : s.columns) log(c.name, real(c.value));
        break;
      case Kind::output: {
        std::string text;
        for (const Column& c : s.columns)
          text += c.name.empty() ? real_text(real(c.value)) : c.name;
        machine_.print(text + "\n");
        break;
      }
      default: break;
    }
  }

  // Counters are variables too: they are brought up to date where an expression looks at them.
  std::int64_t number(const Expression& e) {
    if (e.counters) refresh();
    return evaluate(e, v_);
  }
  double real(const Expression& e) {
    if (e.counters) refresh();
    return evaluate_real(e, v_);
  }
  void set(int slot, std::int64_t value) {
    if (slot >= 0) v_[static_cast<std::size_t>(slot)] = value;
  }

  void refresh() {
    v_[kElapsed] = machine_.now_us() - counters_.start;
    v_[kBytesSent] = counters_.bytes_sent;
    v_[kBytesReceived] = counters_.bytes_received;
    v_[kMessagesSent] = counters_.messages_sent;
    v_[kMessagesReceived] = counters_.messages_received;
    v_[kTotalBytes] = counters_.bytes_sent + counters_.bytes_received;
    v_[kTotalMessages] = counters_.messages_sent + counters_.messages_received;
  }

  void for_each(const Statement& s) {
    const auto pass = [&](std::int64_t value) {
      set(s.variables.front(), value);
      execute(s.body.front());
    };
    for (const Range& r : s.ranges) {
      std::vector<std::int64_t> listed;
      for (const Expression& e : r.listed) listed.push_back(number(e));
      if (!r.goes_on) {
        for (const std::int64_t value : listed) pass(value);
        continue;
      }
      const std::int64_t last = number(r.last);
      std::int64_t step = last < listed.front() ? -1 : 1;
      if (listed.size() > 1) step = listed.back() - listed[listed.size() - 2];
      for (std::size_t i = 2; i < listed.size(); ++i) {
        if (listed[i] - listed[i - 1] != step) {
          throw RunError{r.last.place, "a range has no constant step (that is all there is here)"};
        }
      }
      if (step == 0) throw RunError{r.last.place, "a range has a step of 0"};
      for (std::int64_t value = listed.front(); step > 0 ? value <= last : value >= last;) {
        pass(value);
        if (__builtin_add_overflow(value, step, &value)) break;
      }
    }
  }

  static bool contains(const std::vector<std::int64_t>& members, std::int64_t task) {
    return std::ranges::binary_search(members, task);
  }

  // Whether this task is one of them; its number is in their variable then.
  bool acts(const Tasks& t) { return is_one(t, me_); }

  bool is_one(const Tasks& t, std::int64_t task) {
    switch (t.which) {
      case Which::all: set(t.variable, task); return true;
      case Which::all_others: return true;
      case Which::one: return number(t.expression) == task;
      case Which::such_that: set(t.variable, task); return number(t.expression) != 0;
    }
    return false;
  }

  std::vector<std::int64_t> all_of(const Tasks& t) {
    std::vector<std::int64_t> out;
    if (t.which == Which::one) {
      const std::int64_t task = number(t.expression);
      if (task >= 0 && task < v_[kNumTasks]) out.push_back(task);
      return out;
    }
    for (std::int64_t task = 0; task < v_[kNumTasks]; ++task) {
      if (is_one(t, task)) out.push_back(task);
    }
    return out;
  }

  // Whom `task` acts with. REQUIRES: the variable of the acting tasks is `task`.
  std::vector<std::int64_t> partners(const Tasks& others, std::int64_t task) {
    std::vector<std::int64_t> out = all_of(others);
    if (others.which == Which::all_others) std::erase(out, task);
    return out;
  }

  struct Size {
    std::int64_t count, bytes, tag;
  };
  Size size(const Message& m) {
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(number(m.size), m.unit, &bytes) || bytes < 0) {
      throw RunError{m.size.place, "a message has less than 0 bytes, or more than there are"};
    }
    return {number(m.count), bytes, number(m.tag)};
  }

  // Receives go first, as the language has it.
  void send(const Statement& s) {
    const auto late = [](bool asynchronous) {
      return asynchronous ? Completion::later : Completion::at_once;
    };
    if (!s.unsuspecting) {
      for (const std::int64_t from : all_of(s.tasks)) {
        set(s.tasks.variable, from);
        if (!takes_part(s.others, from)) continue;
        const Size m = size(s.message);
        for (std::int64_t n = 0; n < m.count; ++n) {
          receive_one(from, m, late(s.others_asynchronous));
        }
      }
    }
    if (!acts(s.tasks)) return;
    for (const std::int64_t to : partners(s.others, me_)) {
      set(s.tasks.variable, me_);
      const Size m = size(s.message);
      for (std::int64_t n = 0; n < m.count; ++n) {
        machine_.send(to, m.bytes, m.tag, late(s.asynchronous));
        ++counters_.messages_sent;
        counters_.bytes_sent += m.bytes;
      }
    }
  }

  // Whether this task is one of `others` of `task`.
  bool takes_part(const Tasks& others, std::int64_t task) {
    if (others.which == Which::all_others) return me_ != task;
    return is_one(others, me_);
  }

  void receive(const Statement& s) {
    if (!acts(s.tasks)) return;
    for (const std::int64_t from : partners(s.others, me_)) {
      set(s.tasks.variable, me_);
      const Size m = size(s.message);
      for (std::int64_t n = 0; n < m.count; ++n) {
        receive_one(from, m, s.asynchronous ? Completion::later : Completion::at_once);
      }
    }
  }

  void receive_one(std::int64_t from, const Size& m, Completion when) {
    machine_.receive(from, m.bytes, m.tag, when);
    ++counters_.messages_received;
    counters_.bytes_received += m.bytes;
  }

  // One to many is a broadcast, all to all an exchange of equal parts, else one of unequal ones.
  void multicast(const Statement& s) {
    const std::vector<std::int64_t> sources = all_of(s.tasks);
    const std::vector<std::int64_t>& members = gather_members(s, sources);
    if (!contains(members, me_)) return;
    const Size m = size(s.message);
    for (std::int64_t n = 0; n < m.count; ++n) {
      if (sources.size() == 1) {
        machine_.broadcast(members, sources.front(), m.bytes);
      } else {
        machine_.exchange(exchange_of(s, sources, members, m.bytes));
      }
    }
  }

  const std::vector<std::int64_t>& gather_members(const Statement& s,
                                                  const std::vector<std::int64_t>& sources) {
    members_ = sources;
    for (const std::int64_t from : sources) {
      set(s.tasks.variable, from);
      const auto targets = partners(s.others, from);
      members_.insert(members_.end(), targets.begin(), targets.end());
      std::ranges::sort(members_);
      members_.erase(std::ranges::unique(members_).begin(), members_.end());
    }
    return members_;
  }

  Exchange exchange_of(const Statement& s, const std::vector<std::int64_t>& sources,
                       const std::vector<std::int64_t>& members, std::int64_t bytes) {
    Exchange out;
    out.members = members;
    out.is_uniform = true;
    const std::size_t n = members.size();
    out.outgoing.assign(n, 0);
    out.incoming.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      if (!contains(sources, members[i])) {
        out.is_uniform = false;
        continue;
      }
      set(s.tasks.variable, members[i]);
      const auto targets = partners(s.others, members[i]);
      out.is_uniform = out.is_uniform && targets.size() == n;
      if (contains(targets, me_)) out.incoming[i] = bytes;
      if (members[i] != me_) continue;
      for (std::size_t j = 0; j < n; ++j) {
        if (contains(targets, members[j])) out.outgoing[j] = bytes;
      }
    }
    return out;
  }

  void reduce(const Statement& s) {
    std::vector<std::int64_t> members = all_of(s.tasks);
    std::vector<std::int64_t> targets = members;
    if (s.has_others) targets = all_of(s.others);
    const std::vector<std::int64_t> sources = members;
    members.insert(members.end(), targets.begin(), targets.end());
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
    if (!contains(members, me_) || targets.empty()) return;
    const std::int64_t count = number(s.message.size);
    if (targets.size() == 1) {
      machine_.reduce(members, targets.front(), count, s.message.unit);
    } else {
      machine_.reduce(members, -1, count, s.message.unit);
    }
  }

  static std::string real_text(double value) {
    char text[40];
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) {
      std::snprintf(text, sizeof text, "%lld", static_cast<long long>(whole));
    } else {
      std::snprintf(text, sizeof text, "%.6g", value);
    }
    return text;
  }

  struct Logged {
    std::string name;
    std::vector<double> values;
  };

  void log(const std::string& name, double value) {
    auto found = std::ranges::find(log_, name, &Logged::name);
    if (found == log_.end()) {
      log_.push_back({name, {}});
      found = log_.end() - 1;
    }
    found->values.push_back(value);
  }

  // A table with commas: names, and then a line for each value.
  void flush_log() {
    if (log_.empty()) return;
    std::string text;
    std::size_t rows = 0;
    for (const Logged& l : log_) {
      text += (text.empty() ? "\"" : ",\"") + l.name + "\"";
      rows = std::max(rows, l.values.size());
    }
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < log_.size(); ++c) {
        text += c == 0 ? "\n" : ",";
        if (r < log_[c].values.size()) text += real_text(log_[c].values[r]);
      }
    }
    machine_.print(text + "\n");
  }

  const Program& program_;
  Machine& machine_;
  Values v_;
  std::int64_t me_;
  Counters counters_;
  std::vector<std::int64_t> members_;
  std::vector<Logged> log_;
};

}  // namespace

Status execute(const Program& program, const Arguments& arguments, Machine& machine,
               const std::string& file) {
  try {
    Executor(program, arguments, machine).run();
  } catch (const RunError& e) {
    return error_at(file, e.place, e.problem);
  }
  return {};
}

}  // namespace reprise::conceptual
