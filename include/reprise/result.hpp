// A value or the reason why there is none: the channel for what a user or a file did wrong.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace reprise {

// Worded "problem (why) suggestion". `usage` errors end a command with status 2, others with 1.
struct Error {
  enum class Kind { failure, usage };

  std::string message;
  Kind kind = Kind::failure;
};

template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  // REQUIRES: the result holds a value.
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  // REQUIRES: the result holds an error.
  E& error() { return std::get<1>(state_); }
  const E& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, E> state_;
};

// Success, or the reason for failure.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  // REQUIRES: the status holds an error.
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace reprise
