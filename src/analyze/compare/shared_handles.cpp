#include "analyze/compare/shared_handles.hpp"

#include "trace/values/special.hpp"

namespace reprise::analyze {
namespace {

bool may_share(const trace::Event& event, std::int64_t members) {
  const std::uint32_t traits = event.function->traits;
  if (traits & trace::traits::kPersistent) return false;  // they have handles of their own
  if (!(traits & (trace::traits::kSend | trace::traits::kRecv)))
    return (traits & trace::traits::kCollective) && members == 1;
  if (!(traits & trace::traits::kRecv)) return true;
  for (std::size_t c = 0; c < event.scalars.size(); ++c) {
    const trace::Column& column = event.function->scalars[c];
    if ((column.name == "dest" || column.name == "source") && event.scalars[c] != trace::kProcNull)
      return false;
  }
  return true;
}

}  // namespace

const trace::Event& SharedHandles::pass(const trace::Event& event, std::int64_t members) {
  const std::uint32_t traits = event.function->traits;
  const bool is_persistent = (traits & trace::traits::kPersistent) != 0;
  if (is_persistent || (traits & trace::traits::kNonblocking)) {
    const bool shares = may_share(event, members);
    sharing_ += shares ? 1 : 0;
    pending_.add(shares, is_persistent);
    return event;
  }
  const bool renames = sharing_ > 0 && !mpi::requests_of(event, scratch_).empty();
  if (renames) {
    renamed_ = event;
    names_.clear();
    for (std::int64_t i = 0, others = 0; i < static_cast<std::int64_t>(pending_.size()); ++i)
      names_.push_back(*pending_.at(i) ? trace::kProcNull : others++);
    for (std::size_t c = 0; c < event.scalars.size(); ++c) {
      if (event.function->scalars[c].kind == trace::Kind::request) rename(renamed_.scalars[c]);
    }
    for (std::size_t l = 0; l < event.lists.size(); ++l) {
      if (event.function->lists[l].kind != trace::Kind::request) continue;
      for (std::int64_t& number : renamed_.lists[l]) rename(number);
    }
  }
  pending_.pass(event, [this](bool shares) { sharing_ -= shares ? 1 : 0; });
  return renames ? renamed_ : event;
}

void SharedHandles::rename(std::int64_t& number) const {
  if (number >= 0 && number < std::ssize(names_)) number = names_[static_cast<std::size_t>(number)];
}

}  // namespace reprise::analyze
