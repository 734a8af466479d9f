#include "simulate/collectives/collective_steps.hpp"

namespace reprise::simulate {

void CollectiveSteps::next() {
  ++made_;
  for (;;) {
    switch (part_) {
      case Part::receive:
        part_ = Part::send;
        if (round_->from == Round::kNobody) break;
        action_ = {.what = Action::Do::receive,
                   .peer = member(round_->from),
                   .context = collective_.group->collective_context(),
                   .tag = collective_.tag};
        return;
      case Part::send:
        part_ = Part::wait;
        if (round_->to == Round::kNobody) break;
        action_ = {.what = Action::Do::send,
                   .peer = member(round_->to),
                   .context = collective_.group->collective_context(),
                   .tag = collective_.tag,
                   .bytes = round_->bytes};
        return;
      case Part::wait:
        part_ = Part::none;
        if (!round_->waits) break;
        action_ = {.what = Action::Do::wait_inner};
        return;
      case Part::none:
        round_ = rounds_.next();
        if (!round_) return;
        part_ = Part::receive;
        break;
    }
  }
}

}  // namespace reprise::simulate
