// A simulated run as a file for ui.perfetto.dev: a track for each rank, with its calls and what it
// computed, and arrows for messages. The format is that of Chrome's trace events, in JSON.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "simulate/result.hpp"

namespace reprise::simulate {

class Timeline : public Observer {
 public:
  // REQUIRES: the trace outlives it.
  static Result<std::unique_ptr<Timeline>> create(const trace::Trace& trace,
                                                  const std::string& path);
  ~Timeline() override;

  void computes(std::uint64_t stream, Interval during) override;
  void calls(std::uint64_t stream, mpi::SiteId call, Interval during) override;
  void message(const Flight& flight) override;

  // Writes the rest. An error: not all of it could be written.
  Status close();

 private:
  Timeline(const trace::Trace& trace, std::string path, std::FILE* file);

  void span(std::uint64_t stream, const std::string& name, Interval during);

  std::string path_;
  std::FILE* file_;
  std::uint64_t threads_;
  std::uint64_t messages_ = 0;
  std::vector<std::string> names_;  // by call, as JSON
};

}  // namespace reprise::simulate
