#include "write/c/calls/passed_arguments.hpp"

#include <string_view>

namespace reprise::write::c {
namespace {

using K = ArgumentKind;

class Passed {
 public:
  explicit Passed(CallArguments& of_call) : of_call_(of_call), all_(of_call.all()) {}

  std::vector<Expression> run() {
    std::vector<Expression> out;
    for (std::size_t i = 0; i < all_.size();) {
      std::size_t n = 1;
      if (Expression whole = macro(i, n)) {
        out.push_back(std::move(whole));
        i += n;
        continue;
      }
      out.push_back(argument(i++));
    }
    return out;
  }

 private:
  // Whether a list of numbers or datatypes is passed that is none of requests or characters.
  bool is_numbers(std::size_t i) const {
    const K kind = all_[i].kind;
    const bool is_one = kind == K::counts || kind == K::displs || kind == K::aints ||
                        kind == K::datatypes || kind == K::integers;
    return is_one && all_[i].is_list && !is_name(of_call_.text(i), "NULL");
  }

  // What the call gets; MPI may read lists of an operation with a request until that is over.
  Expression argument(std::size_t i) const {
    if (!of_call_.has(K::newrequest) || !is_numbers(i)) return widened(i);
    return c::call("KEPT", {of_call_.list_length(i), widened(i)});
  }

  // A list in int for a function that takes wider numbers.
  Expression widened(std::size_t i) const {
    const Argument& a = all_[i];
    if (!a.is_list || a.kind == K::length || !is_wide(a) || is_name(of_call_.text(i), "NULL"))
      return of_call_.text(i);
    const char* how = a.kind == K::aints                                  ? "places_as_counts"
                      : a.type.find("MPI_Aint") != std::string_view::npos ? "as_places"
                                                                          : "as_counts";
    return c::call(how, {of_call_.list_length(i), of_call_.text(i)});
  }

  // Whether a buffer is memory of its own, with its count and datatype so far behind it.
  bool is_own(std::size_t i, std::size_t ahead) const {
    if (i + ahead + 1 >= all_.size() || !is_buffer(all_[i]) || of_call_.has(K::message))
      return false;
    const Argument& a = all_[i];
    return a.count == static_cast<int>(i + ahead) &&
           a.datatype == static_cast<int>(i + ahead + 1) && all_[i + ahead].kind == K::count &&
           of_call_.scalar_argument(a).value.constant() == 0;
  }

  // The buffer with its count and datatype as one macro of the runtime part.
  Expression macro(std::size_t i, std::size_t& passed) {
    if (is_own(i, 1)) {
      const Argument &a = all_[i], &n = all_[i + 1];
      const bool is_sent = a.kind == K::sendbuf;
      passed = 3;
      if (a.blocks == Blocks::one) {
        if (n.scale == Scale::sent && is_sent)
          return c::call("OUT", {of_call_.recorded_count(i + 1), of_call_.text(i + 2)});
        if (n.scale == Scale::received && !is_sent)
          return c::call("IN", {of_call_.recorded_count(i + 1), of_call_.text(i + 2)});
        if (n.scale == Scale::all)
          return c::call(is_sent ? "FROM" : "INTO",
                         {of_call_.recorded_count(i + 1), of_call_.text(i + 2)});
      } else if (n.scale == Scale::all && a.blocks != Blocks::partitions) {
        return c::call(is_sent ? "FROM_ALL" : "INTO_ALL",
                       {of_call_.recorded_count(i + 1), of_call_.text(i + 2), of_call_.blocks(a)});
      }
      return nullptr;
    }
    if (i + 1 < all_.size() && is_own(i, 2) && is_own(i + 1, 1) && all_[i].kind == K::sendbuf &&
        all_[i + 1].kind != K::sendbuf && all_[i].blocks == Blocks::one &&
        all_[i + 1].blocks == Blocks::one && all_[i + 2].scale == Scale::all) {
      passed = 4;
      return c::call("BOTH", {of_call_.recorded_count(i + 2), of_call_.text(i + 3)});
    }
    return nullptr;
  }

  CallArguments& of_call_;
  std::span<const Argument> all_;
};

}  // namespace

std::vector<Expression> passed_arguments(CallArguments& arguments) {
  return Passed(arguments).run();
}

}  // namespace reprise::write::c
