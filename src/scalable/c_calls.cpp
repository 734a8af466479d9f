#include "scalable/c_calls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "scalable/law_terms.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Law;
using write::c::Argument;
using write::c::Blocks;
using K = write::c::ArgumentKind;
using trace::Kind;

class Writer {
 public:
  Writer(trace::FunctionId function, const std::vector<const Law*>& laws, std::size_t site,
         CLaws& in_c, CObjects& objects)
      : function_(trace::function(function)),
        arguments_(write::c::arguments(function)),
        laws_(laws),
        site_(site),
        in_c_(in_c),
        objects_(objects),
        texts_(arguments_.size()) {}

  CCall run() {
    if (const auto why = write::c::why_unwritable(function_.name); !why.empty()) refuse(why);
    for (const bool buffers : {false, true}) {
      for (std::size_t i = 0; i < arguments_.size(); ++i) {
        if (is_buffer(arguments_[i]) == buffers && texts_[i].empty()) texts_[i] = argument(i);
      }
    }
    std::vector<std::string> lines;
    if (asked_.place) lines.push_back(fmt::format("const long long k_{0} = calls_{0}++;", site_));
    for (std::string& line : in_c_.seat(asked_, communicator())) lines.push_back(std::move(line));
    lines.insert(lines.end(), before_.begin(), before_.end());
    lines.push_back(fmt::format("{}({});", function_.name, fmt::join(texts_, ", ")));
    lines.insert(lines.end(), after_.begin(), after_.end());
    return {std::move(lines), asked_.place};
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw Unwritable{
        fmt::format("{} ({}); generate from a trace on so many ranks", function_.name, why)};
  }
  static bool is_buffer(const Argument& a) {
    return a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf;
  }
  bool has(K kind) const {
    return std::ranges::any_of(arguments_, [&](const Argument& a) { return a.kind == kind; });
  }

  const Law& scalar(const Argument& a) const { return *laws_[static_cast<std::size_t>(a.column)]; }
  std::size_t list_column(const Argument& a) const {
    return function_.scalars.size() + 2 * static_cast<std::size_t>(a.column);
  }

  std::string value(const Law& law) { return in_c_.value(law, fmt::format("k_{}", site_), asked_); }
  std::string number(const Argument& a) {
    if (a.column < 0) return "0";
    const std::string text = value(scalar(a));
    return constant_of(scalar(a)) ? text : fmt::format("(int)({})", text);
  }

  std::string constant(const Argument& a) {
    const auto v = constant_of(scalar(a));
    if (!v) refuse("ranks or executions differ in " + std::string(a.name));
    const trace::Enumeration& e = trace::enumerations()[static_cast<std::size_t>(a.enumeration)];
    const auto n = std::ssize(e.constants);
    if (!e.is_flags)
      return *v < n ? std::string(e.constants[static_cast<std::size_t>(*v)])
                    : std::to_string(*v - n);
    std::string out;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      if ((*v >> i & 1) != 0)
        out += (out.empty() ? "" : " | ") + std::string(e.constants[static_cast<std::size_t>(i)]);
    }
    return out.empty() ? "0" : out;
  }

  // One of several, by what the law says; what stands for nothing is as good as any other.
  std::string choose(const Law& law, const std::string& type,
                     const std::function<std::string(std::int64_t)>& word) {
    std::set<std::int64_t> found = numbers_in(law).value_or(std::set<std::int64_t>());
    if (found.size() > 1) found.erase(trace::kNone);
    if (found.empty()) refuse("what it names follows no law of names");
    if (found.size() == 1) return word(*found.begin());
    std::map<std::int64_t, std::int64_t> index{{trace::kNone, 0}};
    std::vector<std::string> words;
    for (const std::int64_t v : found) {
      index[v] = std::ssize(words);
      words.push_back(word(v));
    }
    const std::string which = in_c_.choice(law, index, fmt::format("k_{}", site_), asked_);
    if (words.size() == 2) return fmt::format("({}) ? {} : {}", which, words[1], words[0]);
    return fmt::format("(({}[]){{{}}})[{}]", type, fmt::join(words, ", "), which);
  }
  std::string handle(const Argument& a, Kind kind) {
    if (!numbers_in(scalar(a))) return "*" + objects_.at(kind, value(scalar(a)));
    return choose(scalar(a), CObjects::type_of(kind),
                  [&](std::int64_t v) { return objects_.handle(kind, v); });
  }
  std::string place(const Argument& a, Kind kind) {
    if (!numbers_in(scalar(a))) return objects_.at(kind, value(scalar(a)));
    return choose(scalar(a), std::string(CObjects::type_of(kind)) + " *",
                  [&](std::int64_t v) { return objects_.place(kind, v); });
  }

  std::string communicator() {
    if (function_.communicator < 0) return "MPI_COMM_WORLD";
    for (const Argument& a : arguments_) {
      if (a.column == function_.communicator && !a.is_list) return handle(a, Kind::comm);
    }
    return "MPI_COMM_WORLD";
  }

  std::string peer(const Argument& a) {
    const Law& law = scalar(a);
    if (law.encoding == trace::Encoding::absolute) return number(a);
    const auto v = constant_of(law);
    if (v && trace::is_special(*v)) return value(law);
    const char* how = law.encoding == trace::Encoding::relative ? "around" : "across";
    return fmt::format("{}({}, {})", how, communicator(), value(law));
  }

  // Numbers of a list, in an array that is made before the call; its length.
  struct List {
    std::string array, length;
  };
  List list(std::size_t i, const std::string& type) {
    const Argument& a = arguments_[i];
    if (const auto known = lists_.find(list_column(a)); known != lists_.end()) return known->second;
    const Law &lengths = *laws_[list_column(a)], &elements = *laws_[list_column(a) + 1];
    if (constant_of(lengths) == 0) return lists_[list_column(a)] = {"NULL", "0"};
    if (elements.encoding != trace::Encoding::absolute) refuse("a list of ranks around the caller");
    List out{fmt::format("{}_{}", a.name, site_), {}};
    out.length = constant_of(lengths) ? value(lengths) : fmt::format("n_{}", out.array);
    if (!constant_of(lengths)) {
      before_.push_back(fmt::format("const int {} = (int)({});", out.length, value(lengths)));
    }
    Asked asked;
    const std::string element =
        in_c_.value(elements, fmt::format("elements_{} + index", out.array), asked);
    before_.push_back(fmt::format("{} {}[{} + 1];", type, out.array, out.length));
    // Expressions know the length of the list by its name.
    const bool asks = element.find("length") != std::string::npos;
    before_.push_back(
        fmt::format("for (long long index = 0{2}; index < {0}; index++) {1}[index] = ({4})({3});",
                    out.length, out.array, asks ? ", length = " + out.length : "", element, type));
    if (asked.place) {
      before_.insert(before_.begin(), fmt::format("static long long elements_{};", out.array));
      before_.push_back(fmt::format("elements_{} += {};", out.array, out.length));
    }
    asked.place = false;  // it has its own
    asked_.add(asked);
    return lists_[list_column(a)] = out;
  }

  std::string length(const Argument& a) {
    if (!a.is_list) return number(a);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& other = arguments_[i];
      if (&other == &a || !other.is_list || other.column != a.column || other.kind == K::length)
        continue;
      return list(i, type_of(other)).length;
    }
    return "0";
  }

  static std::string type_of(const Argument& a) { return a.kind == K::aints ? "MPI_Aint" : "int"; }

  std::string requests(std::size_t i) {
    const List ages = list(i, "int");
    after_.push_back(fmt::format("over({});", ages.length));
    return fmt::format("these({}, {})", ages.length, ages.array);
  }

  std::string request(const Argument& a) {
    after_.push_back("over(1);");
    return fmt::format("these(1, (int[]){{{}}})", number(a));
  }

  std::string size_times(const Argument& a, const std::string& count) {
    switch (a.blocks) {
      case Blocks::one: return count;
      case Blocks::members:
        return fmt::format("(long long)({}) * size_of({})", count, communicator());
      case Blocks::local_members:
        return fmt::format("(long long)({}) * local_size({})", count, communicator());
      default: refuse("its neighbours are those of a topology");
    }
  }

  std::string memory(const Argument& a) {
    const bool is_kept =
        function_.traits & (trace::traits::kNonblocking | trace::traits::kPersistent);
    const int which = a.kind == K::sendbuf ? 0 : 1;
    const std::string type =
        a.datatype < 0 ? "MPI_BYTE" : texts_[static_cast<std::size_t>(a.datatype)];
    const bool listed = a.count >= 0 && arguments_[static_cast<std::size_t>(a.count)].is_list;
    std::string bytes;
    if (listed) {
      const auto counts = static_cast<std::size_t>(a.count);
      const std::string displs =
          a.displacements < 0 ? "NULL" : texts_[static_cast<std::size_t>(a.displacements)];
      if (a.displacements >= 0 &&
          arguments_[static_cast<std::size_t>(a.displacements)].kind != K::displs) {
        refuse("its displacements are no numbers of elements");
      }
      bytes = fmt::format("room_of({}, {}, {}, {})", list(counts, "int").length, texts_[counts],
                          displs, type);
    } else {
      const std::string count = a.count < 0 ? "1" : texts_[static_cast<std::size_t>(a.count)];
      bytes = fmt::format("room({}, {})", size_times(a, count), type);
    }
    return fmt::format("{}({}, {})", is_kept ? "keep" : "space", which, bytes);
  }

  std::string buffer(const Argument& a) {
    const std::string ordinary = memory(a);
    return choose(scalar(a), "void *", [&](std::int64_t v) -> std::string {
      if (v == trace::kInPlace) return "MPI_IN_PLACE";
      return v == trace::kBottom ? "MPI_BOTTOM" : ordinary;
    });
  }

  std::string argument(std::size_t i) {
    const Argument& a = arguments_[i];
    switch (a.kind) {
      case K::sendbuf:
      case K::recvbuf:
      case K::sendrecvbuf: return buffer(a);
      case K::count:
      case K::integer:
      case K::boolean:
      case K::tag:
      case K::color: return number(a);
      case K::dest:
      case K::source:
      case K::root:
      case K::rank:
      case K::target: return peer(a);
      case K::counts:
      case K::displs:
      case K::integers:
      case K::booleans:
      case K::ranks:
      case K::aints: return list(i, type_of(a)).array;
      case K::length: return length(a);
      case K::constant:
      case K::flags: return constant(a);
      case K::comm: return handle(a, Kind::comm);
      case K::group: return handle(a, Kind::group);
      case K::datatype: return handle(a, Kind::datatype);
      case K::op: return handle(a, Kind::op);
      case K::committype:
      case K::newtype:
      case K::freetype: return place(a, Kind::datatype);
      case K::newcomm:
      case K::freecomm: return place(a, Kind::comm);
      case K::newgroup:
      case K::freegroup: return place(a, Kind::group);
      case K::newop:
      case K::freeop: return place(a, Kind::op);
      case K::info: return "MPI_INFO_NULL";
      case K::newrequest:
        after_.push_back("attach();");
        return fmt::format("request({})", function_.traits & trace::traits::kPersistent ? 1 : 0);
      case K::waitrequests:
        if (has(K::index) || has(K::indices) || has(K::flag)) break;
        return requests(i);
      case K::startrequests: return requests(i);
      case K::waitrequest:
        if (has(K::index) || has(K::indices) || has(K::flag)) break;
        return request(a);
      case K::startrequest: return request(a);
      case K::freerequest:
        after_.push_back("drop();");
        return fmt::format("these(1, (int[]){{{}}})", number(a));
      case K::base:
        if (function_.name != "MPI_Buffer_attach") break;
        for (std::size_t j = 0; j < arguments_.size(); ++j) {
          if (arguments_[j].name != "size") continue;
          if (texts_[j].empty()) texts_[j] = argument(j);
          return fmt::format("calloc((size_t)({}) + 1, 1)", texts_[j]);
        }
        break;
      case K::callback:
        if (a.type != "MPI_User_function*") break;
        return "combine";
      case K::oldbase: return "&(void *){NULL}";
      case K::outint:
      case K::outenum: return "&(int){0}";
      case K::status: return "MPI_STATUS_IGNORE";
      case K::statuses: return "no_statuses";
      case K::main: return "NULL";
      default: break;
    }
    refuse(fmt::format("its {} cannot be written for any number of ranks", a.name));
  }

  const trace::Function& function_;
  std::span<const Argument> arguments_;
  const std::vector<const Law*>& laws_;
  std::size_t site_;
  CLaws& in_c_;
  CObjects& objects_;
  std::vector<std::string> texts_, before_, after_;
  std::map<std::size_t, List> lists_;
  Asked asked_;
};

}  // namespace

CCall write_call(trace::FunctionId function, const std::vector<const Law*>& laws, std::size_t site,
                 CLaws& in_c, CObjects& objects) {
  return Writer(function, laws, site, in_c, objects).run();
}

}  // namespace reprise::scalable
