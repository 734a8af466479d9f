// What a trace holds: facts, the program, calls, times and statistics.
#include <fmt/core.h>
#include <pybind11/numpy.h>

#include "analyze/totals/statistics.hpp"
#include "cli/command.hpp"
#include "cli/look/info.hpp"
#include "cli/look/show_json.hpp"
#include "cli/look/stats.hpp"
#include "cli/look/time_table.hpp"
#include "cli/open_trace.hpp"
#include "cli/wrappers.hpp"
#include "python/json.hpp"
#include "python/trace.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"
#include "trace/file/unfinished.hpp"
#include "write/json/program.hpp"
#include "write/json/times.hpp"

namespace reprise::python {

namespace py = pybind11;
using cli::CommandError;
using nlohmann::ordered_json;

namespace {

Trace open(const std::string& path, const std::string& wrappers) {
  const py::gil_scoped_release others_run;
  trace::Trace t = cli::open_trace(path, analyze::Use::structure);
  cli::set_wrappers(t, wrappers, path);
  return {std::make_shared<const trace::Trace>(std::move(t)), path};
}

ordered_json info(const Trace& t) {
  const auto encoded = cli::take(trace::encode_trace(*t.content));
  return cli::info_json(*t.content, t.name, encoded.size());
}

void save(const Trace& t, const std::string& path, bool overwrite) {
  const py::gil_scoped_release others_run;
  if (overwrite) {
    if (Status ok = trace::write_trace(*t.content, path); !ok)
      throw CommandError{ok.error().message};
  } else if (!cli::take(trace::write_new_trace(*t.content, path))) {
    throw CommandError{path +
                       " exists (existing files are not overwritten); pass overwrite=True, or "
                       "another path"};
  }
}

// The result as Python has it; it is found while other threads run.
template <class Find>
py::object found(Find find) {
  ordered_json out;
  {
    const py::gil_scoped_release others_run;
    out = find();
  }
  return to_python(out);
}

py::object statistics(const Trace& t, const std::string& by, const std::string& sort) {
  return found([&] {
    const auto grouping = by == "site"       ? analyze::Grouping::site
                          : by == "callpath" ? analyze::Grouping::callpath
                                             : analyze::Grouping::function;
    analyze::Statistics s = cli::statistics(*t.content, grouping, t.name);
    if (sort == "calls") analyze::sort_by_calls(s);
    return cli::statistics_json(*t.content, s, grouping);
  });
}

// Function, place and call path of each call.
py::object sites(const Trace& t) {
  return found([&] {
    const trace::Places places(*t.content);
    ordered_json out = ordered_json::array();
    for (const trace::Call& c : t.content->calls) {
      out.push_back({{"function", trace::function(c.function).name},
                     {"place", places.text(c.callpath)},
                     {"callpath", places.path_text(c.callpath)}});
    }
    return out;
  });
}

// The deltas of all calls: of each call the time in it, then the computation before it.
std::vector<const trace::DeltaTimes*> deltas_of(const trace::Trace& t) {
  std::vector<const trace::DeltaTimes*> out;
  for (const trace::CallTimes& times : t.times) {
    out.push_back(&times.communicate);
    for (const trace::Path& p : times.paths) out.push_back(&p.compute);
  }
  return out;
}

// [deltas x streams], in the order of `times`: executions, or time [ns].
template <class Number, class Of>
py::array_t<Number> by_stream(const Trace& t, Of of) {
  cli::require_times(*t.content, t.name);
  const auto deltas = deltas_of(*t.content);
  py::array_t<Number> out({deltas.size(), static_cast<std::size_t>(t.content->streams())});
  auto cells = out.template mutable_unchecked<2>();
  for (std::size_t d = 0; d < deltas.size(); ++d) {
    for (std::uint64_t s = 0; s < t.content->streams(); ++s) cells(d, s) = of(*deltas[d], s);
  }
  return out;
}

py::object times(const Trace& t) {
  cli::require_times(*t.content, t.name);
  return found([&] {
    ordered_json out = write::times_json(*t.content);
    const auto deltas = deltas_of(*t.content);
    std::size_t next = 0;
    const auto add_bins = [&](ordered_json& delta) {
      delta["bins"] = write::bins_json(deltas[next++]->together().bins());
    };
    for (ordered_json& call : out) {
      add_bins(call["communicate"]);
      for (ordered_json& path : call["compute"]) add_bins(path);
    }
    return out;
  });
}

// The calls of a stream, one after the other.
class Calls {
 public:
  Calls(const Trace& t, std::uint64_t rank, std::uint64_t thread)
      : name_(t.name), recorded_(t.content->calls.size()) {
    if (rank >= t.content->ranks || thread >= t.content->threads) {
      throw CommandError{fmt::format("{} has no rank {} with a thread {} (it has {} ranks with {} "
                                     "threads each); choose others",
                                     t.name, rank, thread, t.content->ranks, t.content->threads),
                         2};
    }
    trace_ = trace::unfinished_of(*t.content)
                 ? std::make_shared<const trace::Trace>(trace::with_unfinished(*t.content))
                 : t.content;
    cursor_.emplace(*trace_, rank * trace_->threads + thread);
  }

  // Index of the call, its function, parameters by name, and whether it returned.
  py::tuple next() {
    if (!cursor_->next()) {
      if (cursor_->damaged()) throw CommandError{cli::damaged_message(name_)};
      throw py::stop_iteration();
    }
    const trace::Event& event = cursor_->event();
    const ordered_json call = write::event_json(*trace_, event);
    const bool returned = event.call < recorded_;
    return py::make_tuple(event.call, to_python(call["function"]), to_python(call["callpath"]),
                          to_python(call["parameters"]), returned);
  }

 private:
  std::string name_;
  std::size_t recorded_;
  std::shared_ptr<const trace::Trace> trace_;
  std::optional<trace::Cursor> cursor_;
};

}  // namespace

void add_contents(py::module_& module, TraceClass& type) {
  module.def("open", &open, py::arg("path"), py::arg("wrappers") = "");
  type.def_property_readonly("name", [](const Trace& t) { return text(t.name); })
      .def_property_readonly("program", [](const Trace& t) { return text(t.content->program); })
      .def_property_readonly("mpi", [](const Trace& t) { return text(t.content->mpi); })
      .def_property_readonly("ranks", [](const Trace& t) { return t.content->ranks; })
      .def_property_readonly("threads", [](const Trace& t) { return t.content->threads; })
      .def_property_readonly("has_times", [](const Trace& t) { return !t.content->times.empty(); })
      .def("save", &save)
      .def("info", [](const Trace& t) { return found([&] { return info(t); }); })
      .def("tree",
           [](const Trace& t) { return found([&] { return cli::program_document(*t.content); }); })
      .def("statistics", &statistics)
      .def("sites", &sites)
      .def("times", &times)
      .def("time_table",
           [](const Trace& t) {
             cli::require_times(*t.content, t.name);
             return found([&] { return cli::time_table_json(*t.content); });
           })
      .def("executions_by_stream",
           [](const Trace& t) {
             return by_stream<std::uint64_t>(
                 t, [](const trace::DeltaTimes& d, std::uint64_t s) { return d.count_of(s); });
           })
      .def("times_by_stream",
           [](const Trace& t) {
             return by_stream<double>(
                 t, [](const trace::DeltaTimes& d, std::uint64_t s) { return d.sum_of(s); });
           })
      .def("calls", [](const Trace& t, std::uint64_t rank, std::uint64_t thread) {
        return Calls(t, rank, thread);
      });
  py::class_<Calls>(module, "Calls")
      .def(
          "__iter__", [](Calls& calls) -> Calls& { return calls; },
          py::return_value_policy::reference_internal)
      .def("__next__", &Calls::next);
}

}  // namespace reprise::python
