// The work of one rank between two collective steps of the recorder.
//
// All ranks take the same steps in the same order, whatever fails on one of them: a function that
// contains steps is noexcept, and what a rank does by itself in between is attempted. A rank that
// has failed takes the remaining steps with nothing in place of its data, until first_failure()
// (channel.hpp) tells all ranks of it.
#pragma once

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "base/result.hpp"

namespace reprise::record {

// "out of memory" where there is none for the reason.
inline Error error_of(const char* why) noexcept {
  try {
    return Error{why};
  } catch (const std::exception&) {
    return Error{"out of memory"};  // short enough to be kept without an allocation
  }
}

inline Error error_of(const Error& why) noexcept { return error_of(why.message.c_str()); }

namespace attempt_result {

template <class T>
struct Of {
  using Type = Result<T>;
};
template <>
struct Of<void> {
  using Type = Status;
};
template <>
struct Of<Status> {
  using Type = Status;
};
template <class T>
struct Of<Result<T>> {
  using Type = Result<T>;
};

}  // namespace attempt_result

// What `work` returns, or why it failed, also where it throws.
template <class Work>
auto attempt(Work&& work) noexcept {
  using Made = std::invoke_result_t<Work>;
  using Outcome = typename attempt_result::Of<Made>::Type;
  try {
    if constexpr (std::is_void_v<Made>) {
      work();
      return Outcome();
    } else {
      return Outcome(work());
    }
  } catch (const std::bad_alloc&) {
    return Outcome(error_of("out of memory"));
  } catch (const std::exception& e) {
    return Outcome(error_of(e.what()));
  }
}

}  // namespace reprise::record
