// Writes traces that no recorder writes: small files that claim a lot, or hold what a terminal
// obeys. And some that are as extreme as a program can make them, which must be read.
//
//   make_traces FOLDER
#include <zstd.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "analyze/program_text.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/file/file.hpp"
#include "trace/values/special.hpp"

namespace {

using namespace reprise;
using trace::Item;
using trace::Series;
using trace::Term;
using trace::Trace;
using trace::Value;

constexpr std::int64_t kHuge = std::int64_t{1} << 61;
constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24;

// On many ranks: a ring of messages and a collective.
Trace ring(std::uint64_t ranks, const std::string& trips = "10") {
  return analyze::parse_program("ranks " + std::to_string(ranks) + "\nMPI_Init @ main a.c:1\n" +
                                trips + R"(:
  MPI_Isend count=8 datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:2
  MPI_Recv count=8 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:3
  MPI_Wait request=0 @ main a.c:4
  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM @ main a.c:5
MPI_Finalize @ main a.c:6
)");
}

Item& loop_of(Trace& t) { return t.root.body[1]; }

Trace with_trips(Value trips) {
  Trace t = ring(4);
  loop_of(t).trips = std::move(trips);
  return t;
}

// The calls of a trace many times over, each with a line of its own, or all alike.
Trace many_sites(std::size_t sites, bool have_lines) {
  Trace t = ring(4, "1");
  const trace::Call call = t.calls[4];
  for (std::size_t i = 0; i < sites; ++i) {
    if (have_lines) {
      trace::Frame f = t.frames[t.callpaths[call.callpath][0]];
      f.line = static_cast<std::uint32_t>(10 + i);
      t.callpaths.push_back({static_cast<std::uint32_t>(t.frames.size())});
      t.frames.push_back(f);
    }
    loop_of(t).body.push_back({.call = static_cast<std::uint32_t>(t.calls.size()), .body = {}});
    t.calls.push_back(call);
    if (have_lines) t.calls.back().callpath = static_cast<std::uint32_t>(t.callpaths.size() - 1);
  }
  return t;
}

// Items of a few kinds of ranks each, so that no two ranks do the same.
Trace many_branches(std::uint64_t ranks, std::size_t branches) {
  Trace t = many_sites(branches, true);
  t.ranks = ranks;
  for (std::size_t i = 0; i < branches; ++i) {
    Term half{.value = 0, .count = 1 + i}, other{.value = 1, .count = 2 + i};
    Term both{.count = trace::kUnbounded, .period = 3 + 2 * i, .body = {half, other}};
    loop_of(t).body[4 + i].trips.by_stream = Series({both});
  }
  return t;
}

Trace long_lists(std::int64_t length, const std::string& trips) {
  Trace t = analyze::parse_program(
      "ranks 2\n" + trips +
      ":\n  MPI_Waitall requests=(1){0} matched_source=(1){0} matched_tag=(1){0}\n");
  trace::Call& call = t.calls[0];
  for (std::size_t c = trace::function(call.function).scalars.size(); c < call.columns.size();
       c += 2)
    call.columns[c] = Value::constant(length);
  return t;
}

Value by_execution(Series series) {
  Value v;
  v.classes.push_back(std::move(series));
  return v;
}

// Gives the file that a trace opens another name.
void name_file(Trace& t, const std::string& name) {
  for (trace::Call& call : t.calls) {
    const trace::Function& f = trace::function(call.function);
    if (f.name != "MPI_File_open") continue;
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      if (f.lists[l].name != "filename") continue;
      Value& length = call.columns[f.scalars.size() + 2 * l];
      length = Value::constant(static_cast<std::int64_t>(name.size()));
      std::vector<Term> bytes;
      for (const char c : name)
        bytes.push_back({.value = static_cast<std::uint8_t>(c), .count = 1});
      const Term text{.count = trace::kUnbounded, .period = bytes.size(), .body = bytes};
      call.columns[f.scalars.size() + 2 * l + 1] = by_execution(Series({text}));
    }
  }
}

// What would end a comment, a string or a line in some kind of output, or talk to a terminal.
const std::string kEvil[] = {
    "\x1b]0;owned\x07\x1b[2J\nrm -rf /\r\x9b"
    "31m\xc2\x9b"
    "2J*/\"?",
    "\"; system(\"touch EXECUTED\"); \"",
    "*/ int HOSTILE; /*",
    "*\\\n/ int HOSTILE; /*",
    "*?\?/\n/ int HOSTILE; /*",
    "\"\"\"\nimport os\nos.system('touch EXECUTED')\n\"\"\"",
    "\r\n\f\v\x85\xe2\x80\xa8HOSTILE()",
    "# -*- coding: utf-7 -*-\n+AAo-HOSTILE()",
    "}\nALL TASKS BACKEND EXECUTE \"system(\\\"touch EXECUTED\\\");\"",
    "#{HOSTILE} {HOSTILE} %s%n%1000000d",
    "\xff\xfe\xc0\xaf\xed\xa0\x80",
    "\xe2\x80\xae\xe2\x81\xa6 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
    "\\",
    "?\?/",
    "operator*",
    "operator/",
    "operator\"\"_x",
    "$(touch EXECUTED)`touch EXECUTED`",
};

// Everything that may be printed holds it.
Trace talking(std::uint64_t ranks, const std::string& evil) {
  Trace t = analyze::parse_program("ranks " + std::to_string(ranks) + R"(
MPI_Init @ main a.c:1
MPI_File_open filename='data' amode=1 fh=0 @ main a.c:2
MPI_File_close fh=0 @ main a.c:3
10:
  MPI_Isend count=8 datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:4 > put b.c:2
  MPI_Recv count=8 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:4 > put b.c:3
  MPI_Wait request=0 @ main a.c:4 > put b.c:4
  MPI_Isend count=8 datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:5 > put b.c:2
  MPI_Recv count=8 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:5 > put b.c:3
  MPI_Wait request=0 @ main a.c:5 > put b.c:4
  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM @ main a.c:6 > sum c.c:2
MPI_Finalize @ main a.c:7
)");
  t.program = "run " + evil;
  t.mpi = "MPI " + evil;
  t.options = "options " + evil;
  t.losses.push_back({"lost " + evil, 3});
  for (std::size_t i = 1; i < t.texts.size(); ++i) t.texts[i] += evil + std::to_string(i);
  t.modules.push_back({"/bin/" + evil, evil});
  trace::Frame unknown;
  unknown.offset = 12;
  t.callpaths.front().front() = static_cast<std::uint32_t>(t.frames.size());
  t.frames.push_back(unknown);
  return t;
}

Trace with_comms(const std::string& trips) {
  return analyze::parse_program("ranks 4\n" + trips + R"(:
  MPI_Comm_dup comm=0 newcomm={2 3 4 5 6 7} newcomm_rank=0 newcomm_size=4
)");
}

Trace with_types() {
  return analyze::parse_program(R"(
ranks 4
1000:
  MPI_Type_contiguous count=4611686018427387904 oldtype=MPI_DOUBLE newtype=128 newtype_size=4611686018427387904
  MPI_Send count=4611686018427387904 datatype=128 dest=rank+1 tag=4611686018427387904
  MPI_Recv count=-5 datatype=100000 source=4611686018427387904 tag=-7
  MPI_Bcast count=8 datatype=MPI_INT root=-9 comm=77
)");
}

Trace deep() {
  Trace t = ring(2);
  Item innermost = t.root;
  for (int i = 0; i < 1000; ++i) {
    Item around;
    around.trips = Value::constant(2);
    around.body.push_back(std::move(innermost));
    innermost = std::move(around);
  }
  t.root = std::move(innermost);
  return t;
}

// Bodies that make no call, between calls: a walk is busy, and gets nowhere.
Trace idle(std::int64_t passes, std::int64_t calls) {
  Trace t = ring(2, std::to_string(calls));
  Item nothing;
  nothing.trips = Value::constant(passes);
  loop_of(t).body.push_back(nothing);
  return t;
}

Trace many_threads() {
  Trace t = with_comms("1000");
  t.ranks = 64;
  t.threads = kMostRanks / 64;
  return t;
}

Trace with_times(std::uint64_t ranks) {
  Trace t = ring(ranks);
  t.timing = {trace::TimeMode::paths, "tsc", 5};
  t.times.resize(t.calls.size());
  for (trace::CallTimes& times : t.times) {
    times.arrivals = Value::constant(0);
    trace::Histogram h(2);
    h.add(1000);
    h.add(std::int64_t{1} << 40);
    times.communicate.classes = {h};
    times.communicate.counts = Series::constant(std::int64_t{1} << 40);
    times.communicate.sums = Series::constant(-5);
    times.paths.push_back(
        {.from = trace::Path::kAny, .compute = times.communicate, .modes = {}, .mode_of = {}});
  }
  return t;
}

Series falling(std::int64_t from) {
  return Series({Term{.value = from, .step = -1, .count = trace::kUnbounded}});
}

const std::map<std::string, std::function<Trace()>> kHostile = {
    {"most_ranks", [] { return ring(kMostRanks); }},
    {"most_ranks_with_times", [] { return with_times(kMostRanks); }},
    {"branches_of_many_ranks", [] { return many_branches(kMostRanks, 30); }},
    {"many_threads", many_threads},
    {"equal_sites", [] { return many_sites(1'000'000, false); }},
    {"negative_trips", [] { return with_trips(Value::constant(-1)); }},
    {"least_trips", [] { return with_trips(Value::constant(trace::kSpecialBase + 200)); }},
    {"special_trips", [] { return with_trips(Value::constant(trace::kSpecialBase)); }},
    {"falling_trips",
     [] {
       Trace t = with_trips(Value::constant(100));
       loop_of(t).body[1].trips = by_execution(falling(5));
       return t;
     }},
    {"negative_on_some_ranks",
     [] {
       Value v;
       v.by_stream = falling(1);
       return with_trips(v);
     }},
    {"endless", [] { return ring(4, std::to_string(kHuge)); }},
    {"endless_on_most_ranks", [] { return ring(kMostRanks, std::to_string(kHuge)); }},
    {"long_run", [] { return ring(4, "1000000000000000"); }},
    {"endless_nothing", [] { return idle(kHuge, 1); }},
    {"busy_nothing", [] { return idle(60'000, kHuge); }},
    {"deep", deep},
    {"long_lists", [] { return long_lists(trace::kMaxList, "1000"); }},
    {"endless_long_lists", [] { return long_lists(trace::kMaxList, std::to_string(kHuge)); }},
    {"longer_lists", [] { return long_lists(kHuge, "1"); }},
    {"negative_lists", [] { return long_lists(-1, "1"); }},
    {"many_communicators", [] { return with_comms(std::to_string(kHuge)); }},
    {"odd_types", with_types},
    {"call_paths",
     [] {
       Trace t = ring(4);
       t.callpaths.resize(5000, std::vector<std::uint32_t>(10'000, 0));
       return t;
     }},
    {"equal_texts",
     [] {
       Trace t = ring(4);
       t.texts.resize(3'000'000);
       return t;
     }},
    {"many_cases",
     [] {
       Trace t = ring(4);
       Value& v = t.calls[1].columns[1];
       v.classes.assign(2'000'000, Series::constant(7));
       return t;
     }},
};

const std::map<std::string, std::function<Trace()>> kHonest = {
    {"sites", [] { return many_sites(100'000, true); }},
    {"ranks", [] { return ring(1 << 20); }},
    {"classes_of_ranks", [] { return many_branches(4096, 100); }},
};

void write(const std::string& path, std::span<const std::uint8_t> bytes) {
  if (!write_file(path, bytes)) std::perror(path.c_str());
}

// A file around a body, whatever a writer would say to it.
std::vector<std::uint8_t> file_of(const std::vector<std::uint8_t>& body) {
  std::vector<std::uint8_t> frame(ZSTD_compressBound(body.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), body.data(), body.size(), 19));
  ByteWriter out;
  out.raw("REPRISE", 7);
  out.byte(trace::kFormatVersion);
  out.fixed64(hash_bytes(frame.data(), frame.size(), trace::kFormatVersion));
  out.raw(frame.data(), frame.size());
  return out.take();
}

// A body that says how many texts there are, and then has as many empty ones.
std::vector<std::uint8_t> bomb(std::size_t texts) {
  ByteWriter out;
  for (int i = 0; i < 3; ++i) out.text("");
  for (const int v : {0, 0, 1, 1, 1, 0}) out.varint(static_cast<std::uint64_t>(v));
  out.varint(texts);
  std::vector<std::uint8_t> body = out.take();
  body.resize(body.size() + texts);
  return body;
}

// One trace of all evil names, or, for programs, one of each, one of harmless names, and samples of
// them for laws.
void write_talking(const std::string& folder, bool for_programs) {
  const auto write_one = [&](const std::string& name, const std::string& evil) {
    Trace t = talking(4, evil);
    name_file(t, "data" + evil);
    write(folder + name, file_of(encode_body(t)));
  };
  const auto write_all = [&](const std::string& number, const std::string& evil) {
    write_one(number + ".talking", evil);
    for (const std::uint64_t ranks : {4, 6, 9}) {
      Trace t = talking(ranks, evil);
      t.root.body.erase(t.root.body.begin() + 1, t.root.body.begin() + 3);  // laws have no texts
      const std::string sample = "." + std::to_string(ranks) + ".sample";
      write(folder + number + sample, file_of(encode_body(t)));
    }
  };
  std::string all;
  for (const std::string& evil : kEvil) all += evil;
  if (!for_programs) return write_one("talking.hostile", all);
  write_all("a", "a");
  for (std::size_t i = 0; i < std::size(kEvil); ++i) write_all(std::to_string(i), kEvil[i]);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_talking = argc == 3 && std::string(argv[2]) == "talking";
  if (argc != 2 && !is_talking)
    return std::fputs("usage: make_traces FOLDER [talking]\n", stderr), 2;
  const std::string folder = std::string(argv[1]) + "/";
  write_talking(folder, is_talking);
  if (is_talking) return 0;
  for (const auto& [name, make] : kHostile)
    write(folder + name + ".hostile", file_of(encode_body(make())));
  write(folder + "bomb.hostile", file_of(bomb(std::size_t{1} << 30)));
  for (const auto& [name, make] : kHonest) {
    if (const auto written = trace::write_trace(make(), folder + name + ".honest"); !written)
      return std::fprintf(stderr, "%s\n", written.error().message.c_str()), 1;
  }
  return 0;
}
