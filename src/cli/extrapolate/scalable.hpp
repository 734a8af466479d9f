// What subcommands do with a scalable trace.
#pragma once

#include <string>

#include "scalable/codec.hpp"

namespace reprise::cli {

// The laws of a file, or CommandError.
scalable::ScalableTrace laws_of(const trace::Trace& trace, const std::string& file);

// `reprise extrapolate FILE`.
struct Instance {
  std::string file;
  scalable::Wanted wanted;  // 0 ranks: a report alone
  std::string output;
  bool report = false, json = false;
};
void extrapolate_scalable(const trace::Trace& trace, const Instance& instance);

// `reprise info FILE`.
void print_scalable_info(const trace::Trace& trace, const std::string& file, bool json);

// What stands above its listing in `reprise show FILE`.
std::string scalable_header(const scalable::ScalableTrace& scalable);

}  // namespace reprise::cli
