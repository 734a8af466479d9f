#include "write/c/calls/call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "write/c/calls/passed_arguments.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {

using trace::Column;
using trace::Kind;

namespace {

using K = ArgumentKind;

// Which of the requests is over: MPI_UNDEFINED is none, a number below 0.
const Column kChosen{"index", Kind::integer, -1};

// The statements of one call.
class OneCall {
 public:
  OneCall(CallContext& context, const program::Node& call, Frame& frame, Expression site)
      : all_(context, call, frame, std::move(site)),
        keeps_window_communicators_(context.keeps_window_communicators) {}

  Block run() {
    const std::string_view name = all_.function().name;
    if (const auto why = why_unwritable(name); !why.empty())
      throw Unwritable{fmt::format("{} ({})", name, why)};
    all_.write();
    finish(c::call(name, passed_arguments(all_)));
    if (keeps_window_communicators_) keep_communicator();
    Block out = all_.take_declarations();
    std::ranges::move(after_, std::back_inserter(out));
    return out;
  }

 private:
  // Makes statements of the call, which is repeated while it may come back empty-handed, and says
  // behind it what is over.
  void finish(Expression made) {
    const bool is_poll = (all_.function().traits & trace::traits::kPoll) != 0;
    Statement statement = evaluate(std::move(made));
    if (all_.has(K::flag)) {
      statement = {Repeat{{std::move(statement)}, unary(Prefix::logical_not, name("flag"))}};
    } else if (is_poll) {
      statement = {
          Repeat{{std::move(statement)}, binary(Operator::equal, name("found"), number(0))}};
    }
    if (all_.has(K::indices)) statement = {If{{{c::call("is_next"), {std::move(statement)}}}}};
    after_.push_back(std::move(statement));
    if (all_.has(K::newmessage)) after_.push_back(evaluate(c::call("keep_probed")));
    if (!all_.has(K::waitrequest) && !all_.has(K::waitrequests) && !all_.has(K::freerequest))
      return;
    const auto chosen = std::ranges::find_if(
        all_.all(), [](const Argument& a) { return a.kind == K::index || a.kind == K::indices; });
    if (chosen == all_.all().end()) return after_.push_back(evaluate(c::call("over")));
    const program::Argument& own =
        chosen->is_list ? all_.list_argument(*chosen) : all_.scalar_argument(*chosen);
    after_.push_back(
        evaluate(c::call("over_one", {all_.values().scalar(own.value, kChosen, all_.place())})));
  }

  void keep_communicator() {
    for (const Argument& a : all_.all()) {
      if (a.kind != K::newwin) continue;
      const program::Argument& window = all_.scalar_argument(a);
      for (const program::Argument& comm : all_.explained()) {
        if (comm.column.kind != Kind::comm) continue;
        after_.push_back(
            assign(subscript(name("comm_of_window"),
                             all_.made_window()
                                 ? all_.made_window()
                                 : all_.values().key(window.value, window.column, all_.place())),
                   all_.values().scalar(comm.value, comm.column, all_.place())));
        return;
      }
    }
  }

  CallArguments all_;
  bool keeps_window_communicators_;
  Block after_;
};

}  // namespace

Block CallWriter::write(const program::Node& call, Frame& frame, const Expression& site) {
  return OneCall(context_, call, frame, site).run();
}

}  // namespace reprise::write::c
