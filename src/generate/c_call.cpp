#include "generate/c_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Encoding;
using trace::Kind;
using trace::Value;

namespace {

constexpr std::size_t kLongText = 28;  // what is longer and needed twice becomes a variable

std::string upper(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

class Writer {
 public:
  Writer(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point)
      : t_(tools),
        call_(tools.trace.calls[call]),
        function_(trace::function(call_.function)),
        arguments_(arguments(call_.function)),
        site_(site),
        point_(point) {}

  CallText run() {
    if (const auto why = why_unwritable(function_.name); !why.empty())
      throw Unwritable{fmt::format("{} ({})", function_.name, why)};
    texts_.resize(arguments_.size());
    lists_.resize(arguments_.size());
    // Objects first, since ranks are ranks of them; sizes before the buffers that have them.
    for (const bool buffers : {false, true}) {
      for (std::size_t i = 0; i < arguments_.size(); ++i) {
        // A length may have asked for its list already.
        if (is_buffer(arguments_[i]) == buffers && texts_[i].empty()) texts_[i] = argument(i);
      }
    }
    std::string passed;
    for (const std::string& text : texts_) passed += (passed.empty() ? "" : ", ") + text;
    finish(fmt::format("{}({})", function_.name, passed));
    return std::move(out_);
  }

 private:
  using K = ArgumentKind;

  static bool is_buffer(const Argument& a) {
    return a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf ||
           a.kind == K::base;
  }
  bool has(K kind) const {
    return std::ranges::any_of(arguments_, [&](const Argument& a) { return a.kind == kind; });
  }
  std::string name(const Argument& a) const { return fmt::format("{}_{}", upper(a.name), site_); }
  const Value& scalar(const Argument& a) const {
    return call_.columns[static_cast<std::size_t>(a.column)];
  }
  ListColumn list(const Argument& a) const {
    const std::size_t at = function_.scalars.size() + 2 * static_cast<std::size_t>(a.column);
    return {call_.columns[at], call_.columns[at + 1]};
  }

  // A number that stands for itself; what was not recorded is 0.
  static Reading plain() {
    return {"long long",
            [](std::int64_t v) { return trace::is_special(v) ? "0" : number_text(v); }};
  }

  static std::string special_word(std::int64_t v) {
    return v == trace::kNone ? "0" : std::string(trace::special_name(v));
  }

  static Reading ranks() {
    return {"int",
            [](std::int64_t v) { return trace::is_special(v) ? special_word(v) : number_text(v); }};
  }

  static Reading constants(int enumeration) {
    const trace::Enumeration& e = trace::enumerations()[static_cast<std::size_t>(enumeration)];
    const auto word = [&e](std::int64_t v) -> std::string {
      if (trace::is_special(v)) return "0";
      const auto n = std::ssize(e.constants);
      if (!e.is_flags) {
        if (v < 0) return number_text(v);
        return v < n ? std::string(e.constants[static_cast<std::size_t>(v)]) : number_text(v - n);
      }
      std::string out;
      for (std::size_t i = 0; i < e.constants.size(); ++i) {
        if (v >> i & 1) out += (out.empty() ? "" : " | ") + std::string(e.constants[i]);
      }
      return out.empty() ? "0" : out;
    };
    return {"int", word, false};
  }

  std::string number(const Argument& a, const Reading& reading) {
    return t_.values.at(scalar(a), point_, reading, name(a));
  }

  // The communicator whose ranks the call's peers are; those of a window are that of its making.
  std::string communicator() {
    for (const Argument& a : arguments_) {
      if (a.kind != K::win) continue;
      return window_communicator();
    }
    if (function_.communicator < 0) return "MPI_COMM_WORLD";
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].column == function_.communicator && !arguments_[i].is_list)
        return t_.objects.use(Kind::comm, scalar(arguments_[i]), point_, name(arguments_[i]));
    }
    return "MPI_COMM_WORLD";
  }

  std::string window_communicator() {
    std::string found;
    for (const trace::Call& c : t_.trace.calls) {
      const trace::Function& f = trace::function(c.function);
      if (!(f.traits & trace::traits::kCreate)) continue;
      const bool makes = std::ranges::any_of(
          f.scalars, [](const trace::Column& col) { return col.kind == Kind::window; });
      for (std::size_t i = 0; makes && i < f.scalars.size(); ++i) {
        if (f.scalars[i].kind != Kind::comm) continue;
        const Value& v = c.columns[i];
        const std::string text =
            v.is_constant() ? t_.objects.reading(Kind::comm).word(v.by_stream.at(0)) : "?";
        if (!found.empty() && found != text) found = "?";
        if (found.empty()) found = text;
      }
    }
    if (found == "?" || found.empty())
      throw Unwritable{
          "the targets in its windows are relative to the rank in several communicators"};
    return found;
  }

  bool is_world() const {
    if (has(K::win)) return false;
    return function_.communicator >= 0 &&
           call_.columns[static_cast<std::size_t>(function_.communicator)] ==
               Value::constant(trace::kWorld);
  }

  std::string peer(const Argument& a) {
    const Value& v = scalar(a);
    if (v.encoding == Encoding::absolute) return number(a, ranks());
    bool decoded = false;
    if (is_world()) {
      const auto size = static_cast<std::int64_t>(t_.trace.ranks);
      const Decode decode = [&](std::uint64_t s, std::int64_t stored) {
        return trace::decode_rank(v.encoding, stored,
                                  static_cast<std::int64_t>(s / t_.trace.threads), size);
      };
      const std::string text = t_.values.at(v, point_, ranks(), name(a), decode, &decoded);
      if (decoded) return text;
    }
    const std::string written = number(a, ranks());
    return wrap(v.encoding, written);
  }

  std::string wrap(Encoding encoding, const std::string& written) {
    if (encoding == Encoding::absolute || written == "MPI_PROC_NULL") return written;
    const char* how = encoding == Encoding::relative ? "around" : "across";
    t_.source.need(how);
    const std::string comm = communicator();
    if (written == "0") {
      t_.source.need("comms");
      return fmt::format("rank_in({})", comm);
    }
    return fmt::format("{}({}, {})", how, comm, written);
  }

  std::string count(const Argument& a) {
    const std::string text = number(a, plain());
    if (has(K::message)) return text;
    const char* how = a.scale == Scale::sent       ? "sent"
                      : a.scale == Scale::received ? "received"
                      : a.scale == Scale::all      ? "scaled"
                                                   : nullptr;
    // A scalar stays one.
    if (!how || text == "0" || text == "1") return variable(a, text);
    t_.source.need("scaled");
    return variable(a, fmt::format("{}({})", how, text));
  }

  // A variable of the call, if the text is long; equal texts share one.
  std::string variable(const Argument& a, const std::string& text) {
    if (text.size() <= kLongText && text.find("of(") == std::string::npos) return text;
    for (const auto& [known, variable] : variables_) {
      if (known == text) return variable;
    }
    const std::string variable = fmt::format("{}_{}", a.name, site_);
    const std::string bare =
        text.front() == '(' && text.find('(', 1) == std::string::npos && text.back() == ')'
            ? text.substr(1, text.size() - 2)
            : text;
    out_.before.push_back(fmt::format("const int {} = (int)({});", variable, bare));
    variables_.emplace_back(text, variable);
    return variable;
  }

  std::string write_list(std::size_t i, const Reading& reading) {
    const Argument& a = arguments_[i];
    ListText text = t_.lists.write(list(a), point_, reading, name(a));
    if (!text.before.empty()) out_.before.push_back(text.before);
    lists_[i] = text;
    return text.array;
  }

  // The length of the list that a length belongs to.
  std::string length(const Argument& a) {
    if (!a.is_list) return a.column < 0 ? "0" : number(a, plain());
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& other = arguments_[i];
      if (&other == &a || !other.is_list || other.column != a.column || other.kind == K::length)
        continue;
      if (other.kind == K::waitrequests || other.kind == K::startrequests)
        return requests(other).length;
      if (texts_[i].empty()) texts_[i] = argument(i);
      return lists_[i].length;
    }
    return "0";
  }

  // How many there are and the pointer to them.
  ListText requests(const Argument& a) {
    t_.source.need("requests");
    if (Lists::counts_down(list(a), point_)) {
      const std::string n = variable(a, t_.lists.length(list(a), point_, name(a)));
      return {{}, n, fmt::format("last({})", n)};
    }
    const auto one = t_.lists.only_list(list(a), point_);
    if (one && std::ranges::any_of(*one, [](std::int64_t v) { return v < 0 && v != trace::kNull; }))
      refuse_request();
    t_.source.need("these");
    const Reading ages{"int",
                       [](std::int64_t v) { return v == trace::kNull ? "-1" : number_text(v); }};
    ListText text = t_.lists.write(list(a), point_, ages, name(a));
    if (!text.before.empty() && std::ranges::find(out_.before, text.before) == out_.before.end())
      out_.before.push_back(text.before);
    text.length = variable(a, text.length);
    text.array = fmt::format("these({}, {})", text.length, text.array);
    return text;
  }

  [[noreturn]] static void refuse_request() {
    throw Unwritable{
        "it completes requests that another thread made, or that nothing in the trace made"};
  }

  // The request of a scalar column.
  std::string request(const Argument& a) {
    t_.source.need("requests");
    const Reading age{"int", [](std::int64_t v) {
                        if (v < 0 && v != trace::kNull) refuse_request();
                        return v == trace::kNull ? "-1" : number_text(v);
                      }};
    const std::string text = number(a, age);
    if (text == "0") return "last(1)";
    t_.source.need("these");
    return fmt::format("these(1, (int[]){{{}}})", text);
  }

  std::string size_times(const Argument& a, const std::string& count) {
    const auto comm = [&] { return communicator(); };
    switch (a.blocks) {
      case Blocks::one: return count;
      case Blocks::members:
        t_.source.need("comms");
        return fmt::format("(long long){} * size_of({})", operand(count), comm());
      case Blocks::local_members:
        t_.source.need("local");
        return fmt::format("(long long){} * local_size({})", operand(count), comm());
      default:
        t_.source.need("degree");
        return fmt::format("(long long){} * degree({}, {})", operand(count), comm(),
                           a.blocks == Blocks::sources ? 1 : 0);
    }
  }

  // An ordinary buffer, as large as it has to be.
  std::string memory(const Argument& a) {
    const bool is_sent = a.kind == K::sendbuf;
    const char* name = is_sent ? "out" : "in";
    if (a.datatype < 0) {  // the second half of a split collective
      t_.source.need(name);
      return fmt::format("{}(1, MPI_BYTE)", name);
    }
    const std::string type = texts_[static_cast<std::size_t>(a.datatype)];
    std::string count = a.count < 0 ? "1" : texts_[static_cast<std::size_t>(a.count)];
    // Buffers make room for larger messages by themselves.
    for (const char* scale : {"sent(", "received(", "scaled("}) {
      if (count.starts_with(scale))
        count = count.substr(std::string_view(scale).size(),
                             count.size() - std::string_view(scale).size() - 1);
    }
    const bool listed = a.count >= 0 && arguments_[static_cast<std::size_t>(a.count)].is_list;
    if (!listed) {
      t_.source.need(name);
      return fmt::format("{}({}, {})", name, size_times(a, count), type);
    }
    const std::string length = lists_[static_cast<std::size_t>(a.count)].length;
    const std::string displs =
        a.displacements < 0 ? "NULL" : texts_[static_cast<std::size_t>(a.displacements)];
    const bool typed_each = arguments_[static_cast<std::size_t>(a.datatype)].kind == K::datatypes;
    const bool wide = a.displacements >= 0 &&
                      arguments_[static_cast<std::size_t>(a.displacements)].kind == K::aints;
    const char* room = !typed_each ? "room_v" : wide ? "room_a" : "room_w";
    t_.source.need(room);
    t_.source.need("buffers");
    return fmt::format("space({}, {}({}, {}, {}, {}))", is_sent ? 0 : 1, room, length, count,
                       displs, type);
  }

  // Where a root changes, only the root of the moment has a buffer of what all send or get.
  std::optional<std::string> root_buffer(const Argument& a, const std::string& ordinary) {
    const Seen seen = seen_by(scalar(a), point_.streams, point_.times);
    if (seen.is_constant_each() || communicator() != "MPI_COMM_WORLD") return std::nullopt;
    for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
      trace::SeriesCursor cursor(seen.distinct[i]);
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(seen.length[i], 1 << 16); ++k) {
        const std::int64_t v = cursor.next();
        if (v != 0 && v != trace::kNone) return std::nullopt;
      }
    }
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].kind != K::root || texts_[i].empty()) continue;
      return fmt::format("rank == {} ? {} : NULL", operand(texts_[i]), ordinary);
    }
    return std::nullopt;
  }

  std::string buffer(const Argument& a) {
    const std::string ordinary = memory(a);
    const auto word = [&ordinary](std::int64_t v) -> std::string {
      if (v == trace::kInPlace) return "MPI_IN_PLACE";
      if (v == trace::kBottom) return "MPI_BOTTOM";
      return v == trace::kNone ? "NULL" : ordinary;
    };
    if (const auto text = root_buffer(a, ordinary)) return *text;
    return number(a, {"void *", word, false, true});
  }

  std::string base(const Argument& a) {
    t_.source.need("memory");
    std::string size = "0";
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].name == "size") size = texts_[i];
    }
    const std::string ordinary = fmt::format("memory({}, {})", site_, size);
    return number(a, {"void *",
                      [&](std::int64_t v) {
                        return v == trace::kBottom ? std::string("MPI_BOTTOM") : ordinary;
                      },
                      false});
  }

  // A list of which one may name ranks.
  std::string ranks_list(std::size_t i) {
    const Encoding encoding = list(arguments_[i]).elements.encoding;
    const std::string text = write_list(i, ranks());
    if (encoding == Encoding::absolute || text == "NULL") return text;
    const char* how = encoding == Encoding::relative ? "all_around" : "all_across";
    t_.source.need(how);
    return fmt::format("{}({}, {}, {})", how, communicator(), lists_[i].length, text);
  }

  std::string aints(std::size_t i) {
    const std::string text = write_list(i, {"MPI_Aint", plain().word});
    if (!lists_[i].is_addresses) return text;
    std::string lengths = "NULL", types = "NULL";
    bool each = false;
    for (std::size_t j = 0; j < arguments_.size(); ++j) {
      const Argument& a = arguments_[j];
      if (texts_[j].empty() && j != i) texts_[j] = argument(j);
      if (a.kind == K::counts) lengths = texts_[j], each = true;
      if (a.name == "blocklength") lengths = fmt::format("(int[]){{{}}}", texts_[j]);
      if (a.kind == K::datatypes) types = texts_[j];
      if (a.kind == K::datatype) types = fmt::format("(MPI_Datatype[]){{{}}}", texts_[j]);
    }
    if (each != (types.find("[]){") != std::string::npos && has(K::datatypes)))
      throw Unwritable{"a datatype of addresses has blocks of one length and several types"};
    t_.source.need("placed");
    return fmt::format("placed({}, {}, {}, {}, {})", lists_[i].length, text, lengths, types,
                       each ? 1 : 0);
  }

  std::string object(const Argument& a, Kind kind) {
    return t_.objects.use(kind, scalar(a), point_, name(a));
  }

  std::string object_place(const Argument& a, Kind kind) {
    return t_.objects.place(kind, scalar(a), point_, name(a));
  }

  // A copy of the handle is freed: what MPI gave out several times is to be freed as often.
  std::string free_copy(const Argument& a, Kind kind, const char* type) {
    return fmt::format("&({}){{{}}}", type, object(a, kind));
  }

  std::string out_variable(const std::string& declaration, const std::string& name) {
    t_.source.declare("OWN " + declaration + ";");
    return "&" + name;
  }

  // Arrays that take a call or much room are made once, in front.
  std::string argument(std::size_t i) {
    const Argument& a = arguments_[i];
    const std::string text = written(i);
    const bool is_wide = a.kind == K::aints;
    const bool is_array = is_wide || a.kind == K::counts || a.kind == K::displs ||
                          a.kind == K::integers || a.kind == K::ranks || a.kind == K::booleans;
    const bool is_made = text.find("ints(") != std::string::npos || text.starts_with("all_") ||
                         text.size() > 2 * kLongText;
    if (!is_array || !is_made) return text;
    const std::string variable = fmt::format("{}_{}", a.name, site_);
    out_.before.push_back(
        fmt::format("{} *{} = {};", is_wide ? "MPI_Aint" : "int", variable, text));
    return variable;
  }

  std::string written(std::size_t i) {
    const Argument& a = arguments_[i];
    switch (a.kind) {
      case K::sendbuf:
      case K::recvbuf:
      case K::sendrecvbuf: return buffer(a);
      case K::base: return base(a);
      case K::newbase:
      case K::oldbase: return out_variable("void *base", "base");
      case K::count: return count(a);
      case K::integer:
      case K::aint:
      case K::offset:
      case K::disp:
      case K::boolean: return number(a, plain());
      case K::counts: {
        const std::string text = write_list(i, {"int", plain().word});
        if (a.scale != Scale::all || text == "NULL") return text;
        t_.source.need("all_scaled");
        return fmt::format("all_scaled({}, {})", lists_[i].length, text);
      }
      case K::displs:
      case K::integers:
      case K::booleans: return write_list(i, {"int", plain().word});
      case K::aints: return aints(i);
      case K::ranges: return write_list(i, {"int[3]", ranks().word});
      case K::ranks: return ranks_list(i);
      case K::weights: {
        const auto only = t_.lists.only_list(list(a), point_);
        if (only && only->size() == 1 && trace::is_special(only->front())) {
          t_.source.need("hidden");
          return "hidden(" + special_word(only->front()) + ")";
        }
        return write_list(i, {"int", plain().word});
      }
      case K::datatypes: return write_list(i, t_.objects.reading(Kind::datatype));
      case K::constants: {
        Reading r = constants(a.enumeration);
        return write_list(i, r);
      }
      case K::constant:
      case K::flags: return number(a, constants(a.enumeration));
      case K::length: return length(a);
      case K::dest:
      case K::source:
      case K::target:
      case K::root:
      case K::rank: return peer(a);
      case K::tag:
      case K::color: return number(a, ranks());
      case K::string: return text(a);
      case K::comm: return object(a, Kind::comm);
      case K::group: return object(a, Kind::group);
      case K::datatype: return object(a, Kind::datatype);
      case K::op: return object(a, Kind::op);
      case K::win: return object(a, Kind::window);
      case K::file: return object(a, Kind::file);
      case K::committype: return object_place(a, Kind::datatype);
      case K::info:
        if (!function_.name.ends_with("set_info")) return "MPI_INFO_NULL";
        t_.source.need("hints");
        return "hints()";
      case K::message: t_.source.need("messages"); return "&taken_message";
      case K::newmessage: t_.source.need("messages"); return "probe()";
      case K::newcomm: return object_place(a, Kind::comm);
      case K::newgroup: return object_place(a, Kind::group);
      case K::newtype: return object_place(a, Kind::datatype);
      case K::newop: return object_place(a, Kind::op);
      case K::newwin: return object_place(a, Kind::window);
      case K::newfile: return object_place(a, Kind::file);
      case K::freecomm: return object_place(a, Kind::comm);
      case K::freegroup: return free_copy(a, Kind::group, "MPI_Group");
      case K::freetype: return object_place(a, Kind::datatype);
      case K::freeop: return object_place(a, Kind::op);
      case K::freewin: return object_place(a, Kind::window);
      case K::freefile: return object_place(a, Kind::file);
      case K::newrequest:
        t_.source.need("requests");
        t_.source.need("buffers");
        if (!(function_.traits & trace::traits::kPersistent)) return "request()";
        t_.source.need("kept");
        return "kept_request()";
      case K::request: return "*" + request(a);
      case K::freerequest:
      case K::waitrequest:
      case K::startrequest:
      case K::cancelrequest: return request(a);
      case K::waitrequests:
      case K::startrequests: return requests(a).array;
      case K::status: return has(K::newmessage) ? "&status" : "MPI_STATUS_IGNORE";
      case K::statuses: return statuses();
      case K::flag: return out_variable("int flag", "flag");
      case K::outcount:
        t_.source.declare(
            "OWN int ahead, found; /* completions that a call brought beside its own */");
        return "&found";
      case K::index:
      case K::outint:
      case K::outenum: return out_variable("int number", "number");
      case K::indices: return "which_ones";
      case K::newtypes:
      case K::skip:
      case K::outstring: return fmt::format("({})scratch({})", scratch_type(a), scratches());
      case K::callback: return callback(a);
      case K::main:
      case K::extrastate: return "NULL";
      case K::errcodes: return "MPI_ERRCODES_IGNORE";
      case K::commands:
      case K::argv:
      case K::argvs:
      case K::infos: break;
    }
    throw Unwritable{fmt::format("{} has an argument that cannot be written", function_.name)};
  }

  // Compilers take the constant for an array of no entries, and warn.
  std::string statuses() {
    t_.source.declare("static MPI_Status *volatile no_statuses = MPI_STATUSES_IGNORE;");
    return "no_statuses";
  }

  static std::string scratch_type(const Argument& a) {
    return a.kind == K::newtypes ? "MPI_Datatype *" : std::string(a.type);
  }
  int scratches() {
    t_.source.need("scratch");
    return scratches_++;
  }

  std::string callback(const Argument& a) {
    if (a.type == "MPI_User_function*") {
      t_.source.need("reduce");
      return "reduce";
    }
    t_.source.need("grequest");
    return a.type.find("query") != std::string_view::npos  ? "query"
           : a.type.find("free") != std::string_view::npos ? "release"
                                                           : "cancel";
  }

  // Files are other ones than the program's.
  std::string text(const Argument& a) {
    const std::string literal = t_.lists.string(list(a), point_, name(a));
    if (a.name != "filename") return literal;
    t_.source.need("files");
    const bool makes = std::ranges::any_of(arguments_, [&](const Argument& m) {
      return m.name == "amode" &&
             number(m, constants(m.enumeration)).find("MPI_MODE_CREATE") != std::string::npos;
    });
    return fmt::format("file_name({}, {})", literal, makes ? 1 : 0);
  }

  // Repeats a call that may come back empty-handed, and keeps the requests in order.
  void finish(const std::string& call) {
    const bool some = has(K::indices), index = some || has(K::index);
    out_.call = call + ";";
    if (has(K::flag)) {
      out_.call = fmt::format("do {} while (!flag);", out_.call);
    } else if (function_.traits & trace::traits::kPoll) {
      out_.call = fmt::format("do {} while (found == 0);", out_.call);
    }
    if (has(K::message)) fit();
    if (has(K::newrequest) && (has(K::recvbuf) || has(K::sendrecvbuf)))
      out_.after.push_back("hold();");
    if (has(K::newmessage)) out_.after.push_back("keep_probed();");
    if (has(K::freerequest)) return out_.after.push_back(over("-1, 1"));
    const bool names = has(K::waitrequest) || has(K::waitrequests);
    if (!names) return;
    if (!index) return out_.after.push_back("over();");
    if (some) {
      const Argument& list = *std::ranges::find_if(
          arguments_, [](const Argument& a) { return a.kind == K::waitrequests; });
      const std::string given = requests(list).array;
      out_.call = fmt::format(
          "if (ahead > 0) ahead--, {}; else {{ {} ahead = found > 0 ? found - 1 : 0; }}", given,
          out_.call);
    }
    for (const Argument& a : arguments_) {
      if (a.kind != K::index && a.kind != K::indices) continue;
      const Reading reading{
          "int", [](std::int64_t v) { return trace::is_special(v) ? "INT_MAX" : number_text(v); }};
      out_.after.push_back(over(number(a, reading) + ", 0"));
    }
  }

  std::string over(const std::string& how) {
    t_.source.need("over_one");
    return "over_one(" + how + ");";
  }

  // The count of a message that was probed for is the message's.
  void fit() {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].kind != K::count) continue;
      const Argument& type = arguments_[i + 1];
      const std::string variable = fmt::format("fit_{}", site_), old = texts_[i];
      out_.before.push_back(
          fmt::format("const int {} = fitting({}, {});", variable, old, texts_[i + 1]));
      (void)type;
      std::string passed;
      texts_[i] = variable;
      texts_[0] = fmt::format("in({}, {})", variable, texts_[i + 1]);
      t_.source.need("in");
      for (const std::string& t : texts_) passed += (passed.empty() ? "" : ", ") + t;
      out_.call = fmt::format("{}({});", function_.name, passed);
    }
  }

  const CallTools& t_;
  const trace::Call& call_;
  const trace::Function& function_;
  std::span<const Argument> arguments_;
  std::size_t site_;
  Point& point_;
  std::vector<std::string> texts_;
  std::vector<ListText> lists_;
  std::vector<std::pair<std::string, std::string>> variables_;  // text, name
  int scratches_ = 0;
  CallText out_;
};

}  // namespace

CallText write_call(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point) {
  return Writer(tools, call, site, point).run();
}

}  // namespace reprise::generate
