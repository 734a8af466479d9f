#include "simulate/timeline.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/escape.hpp"
#include "trace/places.hpp"

namespace reprise::simulate {
namespace {

// [us], as the format has it.
std::string micro(Picoseconds ps) { return fmt::format("{:.6f}", static_cast<double>(ps) * 1e-6); }

}  // namespace

Result<std::unique_ptr<Timeline>> Timeline::create(const trace::Trace& trace,
                                                   const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file)
    return Error{
        fmt::format("{} cannot be written ({})", path, std::generic_category().message(errno))};
  return std::unique_ptr<Timeline>(new Timeline(trace, path, file));
}

Timeline::Timeline(const trace::Trace& trace, std::string path, std::FILE* file)
    : path_(std::move(path)), file_(file), threads_(trace.threads) {
  const trace::Places places(trace);
  for (const trace::Call& call : trace.calls) {
    names_.push_back(json_string(places.call_text(call)));
  }
  fmt::print(file_, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    fmt::print(
        file_,
        "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{0},\"tid\":0,\"args\":{{\"name\":\"rank "
        "{0}\"}}}},\n",
        r);
  }
}

Timeline::~Timeline() {
  if (file_) std::fclose(file_);
}

void Timeline::span(std::uint64_t stream, const std::string& name, Interval during) {
  if (during.to <= during.from) return;
  fmt::print(file_, "{{\"ph\":\"X\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{}}},\n",
             name, stream / threads_, stream % threads_, micro(during.from),
             micro(during.to - during.from));
}

void Timeline::computes(std::uint64_t stream, Interval during) {
  static const std::string kName = "\"compute\"";
  span(stream, kName, during);
}

void Timeline::calls(std::uint64_t stream, mpi::SiteId call, Interval during) {
  span(stream, names_[number_of(call)], during);
}

void Timeline::message(const Flight& flight) {
  const std::uint64_t id = messages_++;
  fmt::print(file_,
             "{{\"ph\":\"s\",\"name\":\"message\",\"cat\":\"mpi\",\"id\":{},\"pid\":{},\"tid\":0,"
             "\"ts\":{},"
             "\"args\":{{\"bytes\":{}}}}},\n",
             id, flight.sender, micro(flight.sent), flight.bytes);
  fmt::print(file_,
             "{{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"mpi\",\"id\":{},\"pid\":{}"
             ",\"tid\":0,"
             "\"ts\":{}}},\n",
             id, flight.receiver, micro(flight.received));
}

Status Timeline::close() {
  // An array may not end with a comma.
  fmt::print(file_, "{{\"ph\":\"M\",\"name\":\"end\",\"pid\":0,\"tid\":0}}\n]}}\n");
  const bool failed = std::ferror(file_) != 0;
  const bool unclosed = std::fclose(file_) != 0;
  file_ = nullptr;
  if (failed || unclosed) return Error{path_ + " could not be written whole (is the disk full?)"};
  return {};
}

}  // namespace reprise::simulate
