// Converts contents with their streams to cases whose conditions are tried in order.
#pragma once

#include <functional>
#include <vector>

#include "program/conditions/condition.hpp"

namespace reprise::program {

// The contents with most streams come last; `rest`, the content of all other streams, follows them,
// if there are any.
class CaseList {
 public:
  CaseList(Conditions& conditions, const Streams& all) : conditions_(conditions), left_(all) {}

  void add(Streams streams, Content content) {
    parts_.push_back({std::move(streams), std::move(content)});
  }

  using Rest = std::function<std::vector<Case>(const Streams& left)>;
  std::vector<Case> finish(const Rest& rest = {});

 private:
  struct Part {
    Streams streams;
    Content content;
  };

  Conditions& conditions_;
  Streams left_;
  std::vector<Part> parts_;
};

}  // namespace reprise::program
