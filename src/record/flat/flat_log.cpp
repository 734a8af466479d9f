#include "record/flat/flat_log.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "record/flat/flat_state.hpp"
#include "record/lifetime/part_file.hpp"

namespace reprise::record {

bool FlatCall::on() { return g_flat_log != nullptr; }

void FlatCall::log() const {
  ThreadLog& log = thread_log(thread_);
  if (log.file) {
    const NoFileSizeSignal guard;
    const int n = std::fprintf(log.file, "%s polls=%ld%s%s\n", function_, log.polls,
                               scalars_.c_str(), lists_.c_str());
    if (n < 0) g_flat_log->failed(errno);
  }
  log.polls = 0;
}

void FlatCall::commit() {
  if (freed_) freed_();
  if (frees_request_) complete(0);
  if (cancels_ && !waited_.empty()) {
    if (PendingRequest* p = find_pending(waited_[0]).second) p->cancel = true;
  }
  for (const std::uint64_t request : starts_ ? waited_ : std::vector<std::uint64_t>{}) {
    if (PendingRequest* p = find_pending(request).second) p->started = !aside_;
  }
  if (!aside_ || lasting_ || ended_) log();
  ended_ = false;
}

void FlatCall::unsuccessful() {
  if (!aside_) ++thread_log(thread_).polls;
}

void FlatCall::failed() {
  if (kept_) kept_();
}

void FlatCall::put(const std::string& name, const std::string& value) {
  scalars_ += " " + name + "=" + value;
}

void FlatCall::put_list(const std::string& name, const std::vector<std::string>& values) {
  lists_ += " " + name + "=[";
  for (std::size_t i = 0; i < values.size(); ++i) lists_ += (i ? "," : "") + values[i];
  lists_ += "]";
}

void FlatCall::no_value(const char* name) { put(name, "-"); }
void FlatCall::no_list(const char* name) { put_list(name, {}); }

void FlatCall::buffer(const char* name, const void* address) {
  put(name, address == MPI_IN_PLACE ? "MPI_IN_PLACE" : address == MPI_BOTTOM ? "MPI_BOTTOM" : "0");
}

void FlatCall::integer(const char* name, std::int64_t value) { put(name, std::to_string(value)); }
void FlatCall::boolean(const char* name, int value) { put(name, value ? "1" : "0"); }

void FlatCall::tag(const char* name, int value) {
  if (value == MPI_ANY_TAG) wildcard_ = true;
  put(name, tag_text(value));
}

void FlatCall::rank(const char* name, int value) {
  if (value == MPI_ANY_SOURCE) wildcard_ = true;
  nobody_ = value == MPI_PROC_NULL;
  put(name, rank_text(value));
}

void FlatCall::color(const char* name, int value) {
  put(name, value == MPI_UNDEFINED ? "MPI_UNDEFINED" : std::to_string(value));
}

void FlatCall::message(const char* name, MPI_Message message) {
  put(name, message == MPI_MESSAGE_NULL ? "NULL" : "0");
}

std::string FlatCall::position(int value, const int* constants, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (constants[i] == value) return std::to_string(i);
  }
  return std::to_string(value < 0 ? value : value + static_cast<long>(n));
}

std::string FlatCall::bits(int value, const int* constants, std::size_t n) {
  long out = 0;
  unsigned known = 0;
  for (std::size_t i = 0; i < n; ++i) {
    out += (value & constants[i]) ? 1L << i : 0;
    known |= static_cast<unsigned>(constants[i]);
  }
  const long others = static_cast<unsigned>(value) & ~known;
  return std::to_string(out + (others << n));
}

bool FlatCall::in_memory(std::int64_t value) {
  const std::int64_t page = value - value % 4096;
  return page > 0 && ::msync(reinterpret_cast<void*>(page), 1, MS_ASYNC) == 0;
}

std::int64_t FlatCall::bytes(std::int64_t count, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return count > 0 && extent > 0 ? std::int64_t{extent} * count : 0;
}

void FlatCall::booleans(const char* name, const int* values, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.emplace_back(values[i] ? "1" : "0");
  put_list(name, all);
}

void FlatCall::ranks(const char* name, const int* values, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) {
    all.push_back(values[i] == MPI_PROC_NULL ? "MPI_PROC_NULL" : std::to_string(values[i]));
  }
  put_list(name, all);
}

void FlatCall::weights(const char* name, const int* values, std::int64_t n) {
  if (values == MPI_UNWEIGHTED) return put_list(name, {"MPI_UNWEIGHTED"});
  if (values == MPI_WEIGHTS_EMPTY) return put_list(name, {"MPI_WEIGHTS_EMPTY"});
  integers(name, values, n);
}

void FlatCall::text(const char* name, const char* text) {
  integers(name, text, text ? static_cast<std::int64_t>(std::strlen(text)) : 0);
}

}  // namespace reprise::record
