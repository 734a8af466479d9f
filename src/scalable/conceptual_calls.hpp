// The call sites of a scalable trace as operations of tasks of the world, for coNCePTuaL. What a
// call does is read by generate/ from traces at the numbers of ranks that the laws come from; its
// parameters are the laws, held against what these traces have where a rank first comes there.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scalable/task_laws.hpp"
#include "write/conceptual/operations.hpp"
#include "write/conceptual/substitutes.hpp"

namespace reprise::scalable {

// The tasks of a group, as conditions.
struct LawGroup {
  bool is_world = true;
  expr::Expr color = {};  // the same for the members of a group, and for no others
  expr::Expr place = {};  // in the group

  bool operator==(const LawGroup&) const = default;
};

struct LawOperation {
  write::conceptual::Verb verb{};
  LawGroup group = {};
  expr::Expr peer = {};  // who has none does nothing
  expr::Expr bytes = {}, tag = {};
  std::string called = {};  // "Gather": as MPI has it
};

class ConceptualCalls {
 public:
  // Fails if the calls do what the language cannot say.
  ConceptualCalls(const ScalableTrace& scalable, write::conceptual::Substitutes substitutes,
                  TaskLaws& laws);

  // What a site does. `place`: how often a task has come there before. Throws Unwritable.
  std::vector<LawOperation> of(std::uint32_t site, const std::optional<expr::Expr>& place);

  // Functions that were done otherwise, and how; without numbers of calls.
  const write::conceptual::TaskOperations& found() const { return found_; }

 private:
  using Laws = std::vector<const extrapolate::Law*>;

  const extrapolate::Law* column(std::uint32_t site, std::string_view name) const;
  const extrapolate::Law& needed(std::uint32_t site, std::string_view name) const;
  const extrapolate::Law* elements(std::uint32_t site, std::string_view name) const;
  void read_samples();
  void find_types();
  void find_groups();
  std::optional<LawGroup> made_group(std::uint32_t site, const std::set<std::int64_t>& unknown);
  std::int64_t size_of(std::uint32_t site, std::string_view datatype) const;
  std::vector<LawOperation> message(std::uint32_t site, const std::optional<expr::Expr>& place);
  LawOperation collective(std::uint32_t site, const std::optional<expr::Expr>& place);
  expr::Expr bytes(std::uint32_t site, std::string_view count, std::string_view datatype,
                   const std::optional<expr::Expr>& place);
  expr::Expr own_bytes(std::uint32_t site, const std::string& function,
                       const std::optional<expr::Expr>& place);
  LawGroup group_of(std::uint32_t site) const;
  void check(std::uint32_t site, std::vector<LawOperation>& operations) const;
  void check_values(std::uint32_t site, const LawOperation& o,
                    const write::conceptual::Operation& found, std::size_t sample,
                    std::uint64_t stream) const;
  const trace::Function& function(std::uint32_t site) const;
  [[noreturn]] void refuse(std::uint32_t site, const std::string& why) const;

  // A trace that the laws make, and what its calls do.
  struct Sample {
    trace::Trace trace;
    write::conceptual::TaskOperations operations;
    std::vector<std::uint32_t> call_of;  // by site
  };

  const ScalableTrace& scalable_;
  write::conceptual::Substitutes substitutes_;
  TaskLaws& laws_;
  std::vector<Laws> columns_;  // by site
  std::vector<Sample> samples_;
  write::conceptual::TaskOperations found_;
  std::map<std::int64_t, std::int64_t> type_sizes_;  // of the program's own [bytes]
  std::map<std::int64_t, LawGroup> groups_;          // by communicator
};

}  // namespace reprise::scalable
