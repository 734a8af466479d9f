// The calls of a program of any number of ranks as what tasks do: their parameters are the
// program's expressions, held against samples.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "write/conceptual/calls/calls.hpp"
#include "write/conceptual/calls/samples.hpp"

namespace reprise::write::conceptual {

class LawCalls : public Calls {
 public:
  // REQUIRES: all outlive it.
  LawCalls(const program::Program& program, const Samples& samples, Substitutes substitutes,
           Names& names, Values& values);

  std::uint32_t call_of(const program::Node& call) const override { return call.call; }
  // The mean of what its law says. Where it may be so short that a microsecond matters, the rest of
  // one execution is carried on to the next, if how many came before can be said.
  std::optional<Computation> computation(const program::Node& call, const Around& around) override;
  std::vector<TaskOperation> operations(const program::Node& call, const Around& around) override;

 private:
  // The tasks of a communicator.
  struct Group {
    bool is_world = true;
    expr::Expr color = {};             // the same for the members of a group, and for no others
    expr::Expr place = {}, size = {};  // the rank in the group, and its size

    bool operator==(const Group&) const = default;
  };
  // A call of the program, where it stands.
  struct Site {
    const program::Node& node;
    const Around& around;
    const trace::Function& function;
    Group group = {};  // of its communicator, if it is asked for
  };

  void find_calls(const std::vector<program::Node>& nodes);
  void find_types();
  void find_groups();
  std::optional<Group> made_group(const program::Node& call, const std::set<std::int64_t>& unknown);
  Group group_of(const program::Node& call) const;

  const program::Argument* argument(const program::Node& call, std::string_view name) const;
  const program::Argument& needed(const program::Node& call, std::string_view name) const;
  expr::Expr number(const program::Value& v, const Site& site);
  expr::Expr peer(std::string_view column, const Site& site);
  expr::Expr bytes(std::string_view count, std::string_view datatype, const Site& site);
  std::int64_t size_of(std::string_view datatype, const Site& site) const;
  expr::Expr own_bytes(std::string_view function, const Site& site);
  std::vector<TaskOperation> message(const Site& site);
  TaskOperation collective(const Site& site);

  const program::Program& program_;
  const Samples& samples_;
  Substitutes substitutes_;
  Names& names_;
  Values& values_;
  std::vector<const program::Node*> calls_;
  std::map<std::int64_t, std::int64_t> type_sizes_;  // of the program's own [bytes]
  std::map<std::int64_t, Group> groups_;             // by communicator
};

}  // namespace reprise::write::conceptual
