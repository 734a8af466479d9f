#include "generate/c_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "generate/c_call_buffers.hpp"
#include "generate/c_call_requests.hpp"
#include "generate/c_transposed.hpp"

namespace reprise::generate {

using trace::Encoding;
using trace::Kind;

namespace {

using K = ArgumentKind;

constexpr std::size_t kFewNumbers = 4;   // are written where they are needed
constexpr std::ptrdiff_t kFewCalls = 4;  // which are no reason for a helper
constexpr std::int64_t kMaxNumber = std::numeric_limits<int>::max();

class Writer {
 public:
  Writer(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point)
      : t_(tools),
        c_(tools, call, site, point),
        d_{tools,
           c_,
           point,
           site,
           std::vector<std::string>(c_.arguments().size()),
           std::vector<ListText>(c_.arguments().size()),
           std::vector<std::string>(c_.arguments().size())} {}

  CallText run() {
    const std::string_view name = c_.function().name;
    if (const auto why = why_unwritable(name); !why.empty())
      throw Unwritable{fmt::format("{} ({})", name, why)};
    // Objects first, since ranks are ranks of them; sizes before the buffers that have them.
    for (const bool buffers : {false, true}) {
      for (std::size_t i = 0; i < d_.texts.size(); ++i) {
        if (is_buffer(c_.arguments()[i]) == buffers) need_text(i);
      }
    }
    if (c_.has(K::message)) fit();
    end_requests(d_, fmt::format("{}({})", name, passed(d_)));
    put_in_place();
    return std::move(d_.out);
  }

 private:
  static bool is_buffer(const Argument& a) {
    return a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf ||
           a.kind == K::base;
  }

  // A length may have asked for its list already.
  const std::string& need_text(std::size_t i) {
    if (d_.texts[i].empty()) d_.texts[i] = argument(i);
    return d_.texts[i];
  }

  std::string argument(std::size_t i) {
    const std::string text = written(i);
    const bool is_array = c_.arguments()[i].is_list && d_.counts[i].empty();
    return is_array ? array(c_.arguments()[i], text) : text;
  }

  // A number that is named once or twice is no variable, unless it is long or read from a table.
  void put_in_place() {
    for (const auto& [text, variable] : d_.variables) {
      const auto declared =
          std::ranges::find_if(d_.out.before, [&, &variable = variable](const std::string& b) {
            return b.starts_with(fmt::format("const int {} = ", variable));
          });
      if (declared == d_.out.before.end() || text.size() > kShortText ||
          text.find("of(") != std::string::npos)
        continue;
      std::vector<std::string*> uses;
      for (auto* group : {&d_.out.before, &d_.out.after}) {
        for (std::string& line : *group) {
          if (&line != &*declared && line.find(variable) != std::string::npos)
            uses.push_back(&line);
        }
      }
      std::size_t named = 0;
      for (std::size_t at = 0; (at = d_.out.call.find(variable, at)) != std::string::npos; ++at)
        ++named;
      if (!uses.empty() || named == 0 || named > 2) continue;
      for (; named > 0; --named)
        d_.out.call.replace(d_.out.call.rfind(variable), variable.size(), text);
      d_.out.before.erase(declared);
    }
  }

  // Arrays that take much room, or are read from a table, are made once, in front.
  std::string array(const Argument& a, const std::string& text) {
    const bool is_wide = a.kind == K::aints;
    const bool is_array = is_wide || a.kind == K::counts || a.kind == K::displs ||
                          a.kind == K::integers || a.kind == K::ranks || a.kind == K::booleans ||
                          a.kind == K::datatypes;
    const bool is_made = text.find("ints(") != std::string::npos || text.starts_with("all_a") ||
                         text.starts_with("for_me(") || text.size() > 2 * kLongText;
    if (!is_array || !is_made || text.starts_with("packed(")) return text;
    for (const auto& [known, variable] : d_.variables) {
      if (known == text) return variable;
    }
    const std::string variable = fmt::format("{}_{}", a.name, d_.site);
    d_.variables.emplace_back(text, variable);
    const char* type = is_wide ? "MPI_Aint" : a.kind == K::datatypes ? "MPI_Datatype" : "int";
    d_.out.before.push_back(fmt::format("const {} *{} = {};", type, variable, text));
    return variable;
  }

  // Counts that change with the messages that are probed for are theirs.
  bool is_of_message(const Argument& a) const {
    return c_.has(K::message) &&
           !seen_by(c_.scalar(a), d_.point.streams, d_.point.times).is_constant_each();
  }

  std::string count(const Argument& a) {
    if (is_of_message(a)) return "0";
    const std::string text = d_.variable(a, c_.number(a, Columns::plain()));
    const std::string how(scaling(d_, a));
    // A scalar stays one.
    if (how.empty() || text == "0" || text == "1") return text;
    t_.source.need(how);
    return fmt::format("{}({})", how, text);
  }

  // The buffer whose lists of counts and displacements follow it.
  const Argument* listed_buffer(K kind) const {
    const auto found = std::ranges::find_if(c_.arguments(), [&](const Argument& b) {
      return b.kind == kind && b.count >= 0 && b.displacements >= 0;
    });
    return found == c_.arguments().end() ? nullptr : &*found;
  }

  // Counts of what is received as those of what is sent, read across.
  std::optional<std::string> counts_of_sent(std::size_t i) {
    const Argument *sent = listed_buffer(K::sendbuf), *received = listed_buffer(K::recvbuf);
    if (!sent || !received || received->count != static_cast<int>(i)) return std::nullopt;
    const auto other = static_cast<std::size_t>(sent->count);
    if (!c_.arguments()[other].is_list) return std::nullopt;
    need_text(other);
    auto text = transposed(d_, c_.arguments()[i], c_.arguments()[other], d_.counts[other]);
    if (text) d_.lists[i] = {{}, d_.lists[other].length, *text};
    return text;
  }

  std::string counts(std::size_t i) {
    const Argument& a = c_.arguments()[i];
    const auto known = counts_of_sent(i);
    const std::string text = array(a, known ? *known : d_.list(i, {"int", Columns::plain().word}));
    if (a.scale != Scale::all || text == "NULL") return text;
    t_.source.need("all_scaled");
    d_.counts[i] = text;
    return fmt::format("all_scaled({}, {})", d_.lists[i].length, text);
  }

  std::ptrdiff_t calls_with_lists_of_blocks() const {
    return std::ranges::count_if(
        t_.trace.calls, [](const trace::Call& c) { return has_blocks_of_one_type(c.function); });
  }

  // Where blocks begin; said by their counts if they lie one behind the other, unless a few numbers
  // do as well.
  std::string displacements(std::size_t i) {
    const Argument& own = c_.arguments()[i];
    for (const Argument& buffer : c_.arguments()) {
      if (buffer.displacements != static_cast<int>(i) || buffer.count < 0) continue;
      const auto counts = static_cast<std::size_t>(buffer.count);
      const auto type = static_cast<std::size_t>(buffer.datatype);
      const auto only = t_.lists.only_list(c_.list(own), d_.point);
      const bool is_short =
          only && only->size() <= kFewNumbers && calls_with_lists_of_blocks() <= kFewCalls;
      if (c_.arguments()[type].kind == K::datatypes || is_short ||
          !are_packed(d_, own, c_.arguments()[counts]))
        break;
      t_.source.need("packed");
      const std::string text = need_text(counts);
      return fmt::format("packed({}, {})", d_.lists[counts].length, text);
    }
    return d_.list(i, {"int", Columns::plain().word});
  }

  // The length of the list that a length belongs to.
  std::string length(const Argument& a) {
    if (!a.is_list) return a.column < 0 ? "0" : c_.number(a, Columns::plain());
    for (std::size_t i = 0; i < d_.texts.size(); ++i) {
      const Argument& other = c_.arguments()[i];
      if (&other == &a || !other.is_list || other.column != a.column || other.kind == K::length)
        continue;
      if (other.kind == K::waitrequests || other.kind == K::startrequests)
        return requests_text(d_, other).length;
      need_text(i);
      return d_.lists[i].length;
    }
    return "0";
  }

  // A list of which one may name ranks.
  std::string ranks_list(std::size_t i) {
    const Encoding encoding = c_.list(c_.arguments()[i]).elements.encoding;
    const std::string text = d_.list(i, Columns::ranks());
    if (encoding == Encoding::absolute || text == "NULL") return text;
    const std::string how = fmt::format("all_{}", Columns::way(encoding));
    t_.source.need(how);
    return fmt::format("{}({}, {}, {})", how, c_.communicator(), d_.lists[i].length, text);
  }

  std::string weights(std::size_t i) {
    const auto only = t_.lists.only_list(c_.list(c_.arguments()[i]), d_.point);
    const bool is_constant = only && only->size() == 1 && trace::is_special(only->front());
    if (!is_constant) return d_.list(i, {"int", Columns::plain().word});
    t_.source.need("hidden");
    return "hidden(" + Columns::special_word(only->front()) + ")";
  }

  std::string aints(std::size_t i) {
    const std::string text = d_.list(i, {"MPI_Aint", Columns::plain().word});
    if (!d_.lists[i].is_addresses) return text;
    std::string lengths = "NULL", types = "NULL";
    bool each = false;
    for (std::size_t j = 0; j < d_.texts.size(); ++j) {
      const Argument& a = c_.arguments()[j];
      if (j != i) need_text(j);
      if (a.kind == K::counts) lengths = d_.texts[j], each = true;
      if (a.name == "blocklength") lengths = fmt::format("(int[]){{{}}}", d_.texts[j]);
      if (a.kind == K::datatypes) types = d_.texts[j];
      if (a.kind == K::datatype) types = fmt::format("(MPI_Datatype[]){{{}}}", d_.texts[j]);
    }
    if (each != (types.find("[]){") != std::string::npos && c_.has(K::datatypes)))
      throw Unwritable{"a datatype of addresses has blocks of one length and several types"};
    t_.source.need("placed");
    return fmt::format("placed({}, {}, {}, {}, {})", d_.lists[i].length, text, lengths, types,
                       each ? 1 : 0);
  }

  // A copy of the handle is freed: what MPI gave out several times is to be freed as often.
  std::string free_copy(const Argument& a, Kind kind, const char* type) {
    return fmt::format("&({}){{{}}}", type, c_.object(a, kind));
  }

  std::string out_variable(const std::string& declaration, const std::string& name) {
    t_.source.declare("static " + declaration + ";");
    return "&" + name;
  }

  // Programs count in int.
  void check_narrow(const Argument& a) const {
    const auto is_large = [](const std::vector<trace::Term>& terms, const auto& self) -> bool {
      return std::ranges::any_of(terms, [&](const trace::Term& t) {
        if (!t.is_run()) return self(t.body, self);
        return !trace::is_special(t.value) && std::abs(t.value) > kMaxNumber;
      });
    };
    const trace::Value& v = a.is_list ? c_.list(a).elements : c_.scalar(a);
    const bool found = v.classes.empty()
                           ? is_large(v.by_stream.terms(), is_large)
                           : std::ranges::any_of(v.classes, [&](const trace::Series& s) {
                               return is_large(s.terms(), is_large);
                             });
    if (found)
      throw Unwritable{
          fmt::format("{} has a count of more than {}", c_.function().name, kMaxNumber)};
  }

  std::string written(std::size_t i) {
    const Argument& a = c_.arguments()[i];
    if (is_wide(a) && a.column >= 0 && a.kind != K::length && a.kind != K::aints) check_narrow(a);
    switch (a.kind) {
      case K::sendbuf:
      case K::recvbuf:
      case K::sendrecvbuf: return buffer_text(d_, i);
      case K::base: return base_text(d_, i);
      case K::newbase:
      case K::oldbase: return out_variable("void *base", "base");
      case K::count: return count(a);
      case K::integer:
      case K::aint:
      case K::offset:
      case K::disp:
      case K::boolean: return c_.number(a, Columns::plain());
      case K::counts: return counts(i);
      case K::displs: return displacements(i);
      case K::integers:
      case K::booleans: return d_.list(i, {"int", Columns::plain().word});
      case K::aints: return aints(i);
      case K::ranges: return d_.list(i, {"int[3]", Columns::ranks().word});
      case K::ranks: return ranks_list(i);
      case K::weights: return weights(i);
      case K::datatypes: return d_.list(i, t_.objects.reading(Kind::datatype));
      case K::constants: return d_.list(i, Columns::constants(a.enumeration));
      case K::constant:
      case K::flags: return c_.number(a, Columns::constants(a.enumeration));
      case K::length: return length(a);
      case K::dest:
      case K::source:
      case K::target:
      case K::rank: return c_.peer(a);
      case K::root: return d_.variable(a, c_.peer(a));
      case K::tag:
      case K::color: return c_.number(a, Columns::ranks());
      case K::string: return text(a);
      case K::comm: return c_.object(a, Kind::comm);
      case K::group: return c_.object(a, Kind::group);
      case K::datatype: return c_.object(a, Kind::datatype);
      case K::op: return c_.object(a, Kind::op);
      case K::win: return c_.object(a, Kind::window);
      case K::file: return c_.object(a, Kind::file);
      case K::info:
        if (!c_.function().name.ends_with("set_info")) return "MPI_INFO_NULL";
        t_.source.need("hints");
        return "hints()";
      case K::message: t_.source.need("messages"); return "&taken_message";
      case K::newmessage: t_.source.need("messages"); return "probe()";
      case K::newcomm:
      case K::freecomm: return c_.object_place(a, Kind::comm);
      case K::newgroup: return c_.object_place(a, Kind::group);
      case K::freegroup: return free_copy(a, Kind::group, "MPI_Group");
      case K::committype:
      case K::newtype:
      case K::freetype: return c_.object_place(a, Kind::datatype);
      case K::newop:
      case K::freeop: return c_.object_place(a, Kind::op);
      case K::newwin:
      case K::freewin: return c_.object_place(a, Kind::window);
      case K::session: return c_.object(a, Kind::session);
      case K::newsession:
      case K::freesession: return c_.object_place(a, Kind::session);
      case K::errhandler: return "MPI_ERRORS_ARE_FATAL";
      case K::newfile:
      case K::freefile: return c_.object_place(a, Kind::file);
      case K::newrequest: return new_request_text(d_);
      case K::partrequest:
      case K::request: return "*" + request_text(d_, a);
      case K::freerequest:
      case K::waitrequest:
      case K::startrequest:
      case K::cancelrequest: return request_text(d_, a);
      case K::waitrequests:
      case K::startrequests: return requests_text(d_, a).array;
      case K::status: return c_.has(K::newmessage) ? "&status" : "NO_STATUS";
      case K::statuses: return statuses();
      case K::flag: return out_variable("int flag", "flag");
      case K::outcount: t_.source.need("found"); return "&found";
      case K::index:
      case K::outint:
      case K::outenum: return out_variable("int number", "number");
      case K::indices: t_.source.need("which_ones"); return "which_ones";
      case K::newtypes:
      case K::skip:
      case K::outstring: return scratch(a);
      case K::callback: return callback(a);
      case K::main:
      case K::extrastate: return "NULL";
      case K::errcodes: return "MPI_ERRCODES_IGNORE";
      case K::commands:
      case K::argv:
      case K::argvs:
      case K::infos: break;
      case K::fd:
      case K::newfd:
      case K::freefd:
      case K::dirfd:
      case K::stored:
      case K::loaded:
      case K::storedv:
      case K::loadedv:
      case K::size:
      case K::place:
      case K::moved:
      case K::position:
      case K::mode: break;  // of POSIX
    }
    throw Unwritable{fmt::format("{} has an argument that cannot be written", c_.function().name)};
  }

  // Compilers take the constant for an array of no entries, and warn.
  std::string statuses() {
    t_.source.declare("static MPI_Status *volatile no_statuses = MPI_STATUSES_IGNORE;");
    return "no_statuses";
  }

  std::string scratch(const Argument& a) {
    t_.source.need("scratch");
    const std::string type = a.kind == K::newtypes ? "MPI_Datatype *" : std::string(a.type);
    return fmt::format("({})scratch({})", type, scratches_++);
  }

  std::string callback(const Argument& a) {
    if (a.type == "MPI_User_function*" || a.type == "MPI_User_function_c*") {
      const char* how = a.type == "MPI_User_function*" ? "reduce" : "reduce_large";
      t_.source.need(how);
      return how;
    }
    t_.source.need("grequest");
    return a.type.find("query") != std::string_view::npos  ? "query"
           : a.type.find("free") != std::string_view::npos ? "release"
                                                           : "cancel";
  }

  // Files are other ones than the program's.
  std::string text(const Argument& a) {
    const std::string literal = t_.lists.string(c_.list(a), d_.point, c_.name(a));
    if (a.name != "filename") return literal;
    t_.source.need("file_name");
    const bool makes = std::ranges::any_of(c_.arguments(), [&](const Argument& m) {
      return m.name == "amode" &&
             c_.number(m, Columns::constants(m.enumeration)).find("MPI_MODE_CREATE") !=
                 std::string::npos;
    });
    return fmt::format("file_name({}, {})", literal, makes ? 1 : 0);
  }

  // The count of a message that was probed for is the message's.
  void fit() {
    for (std::size_t i = 0; i + 1 < d_.texts.size(); ++i) {
      if (c_.arguments()[i].kind != K::count) continue;
      const std::string variable = fmt::format("fit_{}", d_.site), type = d_.texts[i + 1];
      d_.out.before.push_back(
          fmt::format("const int {} = fitting({}, {});", variable, d_.texts[i], type));
      d_.texts[i] = variable;
      d_.texts[0] = fmt::format("in({}, {})", variable, type);
      t_.source.need("in");
    }
  }

  const CallTools& t_;
  Columns c_;
  Draft d_;
  int scratches_ = 0;
};

}  // namespace

CallText write_call(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point) {
  return Writer(tools, call, site, point).run();
}

}  // namespace reprise::generate
