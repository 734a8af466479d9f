#include "trace/values/first_values.hpp"

#include <algorithm>

namespace reprise::trace {

FirstValues::FirstValues(const Value& value) : cursor_(value.by_stream) {
  for (const Series& series : value.classes) of_class_.push_back(series.at(0));
}

std::int64_t FirstValues::number_at(std::uint64_t stream) {
  while (stream_ < stream && !cursor_.at_end()) {
    const std::uint64_t n = std::min(stream - stream_, cursor_.peek_count());
    cursor_.skip(n);
    stream_ += n;
  }
  const std::int64_t number = cursor_.at_end() ? 0 : cursor_.peek();
  if (of_class_.empty()) return number;
  return static_cast<std::uint64_t>(number) < of_class_.size() ? number : 0;
}

std::int64_t FirstValues::at(std::uint64_t stream) {
  const std::int64_t number = number_at(stream);
  return of_class_.empty() ? number : of_class_[static_cast<std::size_t>(number)];
}

std::uint64_t FirstValues::find_nonzero(std::uint64_t stream, std::uint64_t end) {
  while (stream < end && at(stream) == 0) {
    const std::uint64_t alike = cursor_.at_end()      ? end - stream
                                : cursor_.step() == 0 ? cursor_.peek_count()
                                                      : 1;
    stream += std::min(alike, end - stream);
  }
  return stream;
}

}  // namespace reprise::trace
