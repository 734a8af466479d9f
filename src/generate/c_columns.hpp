// The columns of one call as C: numbers, constants, ranks and lists, without what they are for.
#pragma once

#include <optional>
#include <string>

#include "generate/c_call.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

class Columns {
 public:
  Columns(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point);

  std::uint32_t call() const { return number_; }
  const trace::Function& function() const { return function_; }
  std::span<const Argument> arguments() const { return arguments_; }
  bool has(ArgumentKind kind) const;

  // For a variable or table of the argument.
  std::string name(const Argument& a) const;
  const trace::Value& scalar(const Argument& a) const {
    return call_.columns[static_cast<std::size_t>(a.column)];
  }
  ListColumn list(const Argument& a) const;

  std::string number(const Argument& a, const Reading& reading) const;
  // A rank in the call's communicator.
  std::string peer(const Argument& a) const;
  std::string object(const Argument& a, trace::Kind kind) const;
  std::string object_place(const Argument& a, trace::Kind kind) const;

  // The communicator whose ranks the call's peers are; those of a window are that of its making.
  std::string communicator() const;
  // Whether numbers stand for themselves, or for ranks around this one or across from it. Empty:
  // they stand for themselves.
  static std::string_view way(trace::Encoding encoding);

  // A number that stands for itself; what was not recorded is 0.
  static Reading plain();
  static Reading ranks();
  static Reading constants(int enumeration);
  // The name of a special value.
  static std::string special_word(std::int64_t v);

 private:
  std::string window_communicator() const;
  std::string written_peer(const Argument& a) const;
  // As a number of the communicator, where each rank's place in that is known.
  std::optional<std::string> decoded_peer(const Argument& a) const;

  const CallTools& t_;
  std::uint32_t number_;
  const trace::Call& call_;
  const trace::Function& function_;
  std::span<const Argument> arguments_;
  std::size_t site_;
  Point& point_;
};

}  // namespace reprise::generate
