#include "compress/parts/part_layout.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/special.hpp"

namespace reprise::compress {
namespace {

using trace::kNone;

trace::Code no_code(const CallpathTable&, const FunctionOfPath&) { return {}; }

std::uint64_t add_path(CallpathTable& table, std::uint64_t offset) {
  return table.add_path({{table.add_module({"/bin/app", "12"}), offset}});
}

// Rank `rank` of two, with one MPI_Init in its checkpoint.
Process checkpoint(std::uint64_t rank) {
  Process p;
  p.rank = rank;
  p.ranks = 2;
  p.run = 7;
  p.comms = {{static_cast<std::int64_t>(rank), 2}, {0, 1}};
  p.own.comms.resize(2);
  StreamFolder folder;
  const trace::FunctionId init = *trace::find_function("MPI_Init");
  const trace::Function& f = trace::function(init);
  folder.add({init, 0}, {f.scalars.size(), f.lists.size()},
             std::vector<std::int64_t>(f.scalars.size(), 0));
  p.streams.push_back(folder.finish());
  p.names.push_back({{"MPI_Init", add_path(p.own.callpaths, 1)}});
  p.own.graph = FlowGraph(p.streams[0], p.names[0]);
  return p;
}

// The file of a process that is in a call that its checkpoint does not know, and has made `calls`.
struct Image {
  explicit Image(std::uint64_t rank) : bytes(PartLayout::kBodies) {
    header.version = PartLayout::kVersion;
    std::memcpy(header.magic, trace::kPartMagic.data(), sizeof header.magic);
    header.table = PartLayout::hash_of_table();
    header.run = 7;
    header.rank = rank;
    header.ranks = 2;
    header.slots = 1;
    const std::vector<std::uint8_t> body = checkpoint(rank).encode();
    header.bodies[0] = {PartLayout::kBodies, body.size()};
    bytes.insert(bytes.end(), body.begin(), body.end());
  }

  void be_in(const char* function, std::initializer_list<std::int64_t> record,
             std::uint64_t calls) {
    CallpathTable table;
    slot.callpath = add_path(table, 2);
    ByteWriter entry, names;
    table.encode(entry);
    names.varint(entry.size());
    names.raw(entry.bytes().data(), entry.size());
    header.names = names.size();
    std::memcpy(bytes.data() + PartLayout::kNames, names.bytes().data(), names.size());
    slot.state = static_cast<std::uint64_t>(PartLayout::State::within);
    slot.calls = slot.before = calls;
    slot.function = static_cast<std::uint64_t>(*trace::find_function(function));
    slot.words = record.size();
    std::copy(record.begin(), record.end(), slot.record);
  }

  Result<Process> read() {
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + PartLayout::kPage, &slot, sizeof slot);
    return PartLayout::read(bytes, "part");
  }

  PartLayout::Header header{};
  PartLayout::Slot slot{};
  std::vector<std::uint8_t> bytes;
};

// buf count datatype source tag comm and what came out, behind the polls.
const std::initializer_list<std::int64_t> kFromLast = {0, 0, 8, 0, 1, 5, 0, kNone, kNone};
const std::initializer_list<std::int64_t> kFromFirst = {0, 0, 8, 0, 0, 5, 0, kNone, kNone};

TEST(PartLayout, TheCallUnderWayIsBehindTheProgram) {
  Image first(0), last(1);
  first.be_in("MPI_Recv", kFromLast, 1);
  last.be_in("MPI_Recv", kFromFirst, 4);
  Result<Process> a = first.read(), b = last.read();
  ASSERT_TRUE(a) << a.error().message;
  ASSERT_TRUE(b) << b.error().message;
  const trace::Trace t = merge_processes({std::move(*a), std::move(*b)}, no_code);
  const auto unfinished = trace::unfinished_of(t);
  ASSERT_TRUE(unfinished);
  ASSERT_EQ(unfinished->calls.size(), 1u);
  EXPECT_EQ(unfinished->missing.constant_of(0), 0);
  EXPECT_EQ(unfinished->missing.constant_of(1), 3);
  ASSERT_EQ(t.losses.size(), 3u) << "and no code was read";
  const trace::Trace full = trace::with_unfinished(t);
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    trace::Cursor cursor(full, rank);
    ASSERT_TRUE(cursor.next());
    EXPECT_EQ(cursor.event().function->name, "MPI_Init");
    ASSERT_TRUE(cursor.next());
    EXPECT_EQ(cursor.event().function->name, "MPI_Recv");
    EXPECT_EQ(cursor.event().scalars,
              std::vector<std::int64_t>(rank == 0 ? kFromLast : kFromFirst));
    EXPECT_EQ(full.frames[full.callpaths[full.calls[cursor.event().call].callpath][0]].offset, 2u);
    EXPECT_FALSE(cursor.next());
  }
}

TEST(PartLayout, ASignalAfterWhichItsThreadMadeCallsHasEndedNothing) {
  for (const std::uint64_t begun : {3u, 4u}) {
    Image image(0);
    image.header.signal = 11;
    image.header.signal_slot = 1;
    image.header.signal_begun = 3;
    image.slot.begun = begun;
    const Result<Process> read = image.read();
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->tails.at(0).signal, begun == 3 ? 11 : 0);
  }
}

// The streams of two ranks with two threads each are 0 to 3.
TEST(PartLayout, TheSignalIsKeptWithTheThreadThatReceivedIt) {
  for (const auto& [slot, stream, is_elsewhere] :
       {std::tuple{1, 2, 0}, std::tuple{2, 3, 0}, std::tuple{0, 2, 1}}) {
    Image first(0), last(1);
    last.header.slots = 2;
    last.header.signal = 11;
    last.header.signal_slot = static_cast<std::uint64_t>(slot);
    Result<Process> a = first.read(), b = last.read();
    ASSERT_TRUE(a) << a.error().message;
    ASSERT_TRUE(b) << b.error().message;
    // As a process writes it where it has no file.
    b = Process::decode(b->encode(), "whole");
    ASSERT_TRUE(b) << b.error().message;
    const trace::Trace t = merge_processes({std::move(*a), std::move(*b)}, no_code);
    const auto unfinished = trace::unfinished_of(t);
    ASSERT_TRUE(unfinished);
    for (int s = 0; s < 4; ++s) {
      const auto at = static_cast<std::uint64_t>(s);
      EXPECT_EQ(unfinished->signal.constant_of(at), s == stream ? 11 : 0) << slot;
      EXPECT_EQ(unfinished->is_signal_elsewhere.constant_of(at), s == stream ? is_elsewhere : 0)
          << slot;
    }
  }
}

TEST(PartLayout, AnImpossibleSignalIsRefused) {
  Image image(0);
  image.header.signal = 66;
  EXPECT_FALSE(image.read());
}

// Killed between the two stores that say so.
TEST(PartLayout, ACallThatIsCountedIsOver) {
  Image last(1);
  last.be_in("MPI_Recv", kFromFirst, 4);
  ++last.slot.calls;
  const Result<Process> p = last.read();
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_FALSE(p->tails[0].is_in_call);
  EXPECT_EQ(p->tails[0].missing, 4);
}

TEST(PartLayout, WithoutACheckpointTheCallIsKnown) {
  Image image(1);
  image.header.bodies[0] = {};
  image.be_in("MPI_Recv", kFromFirst, 4);
  Result<Process> p = image.read();
  ASSERT_TRUE(p) << p.error().message;
  const trace::Trace t = merge_processes({std::move(*p)}, no_code);
  EXPECT_EQ(t.ranks, 2u);
  EXPECT_EQ(trace::unfinished_of(t)->missing.constant_of(1), 4);
}

TEST(PartLayout, ACallIsKnownOfARankWithoutAnythingElse) {
  Image first(0), last(1);
  first.be_in("MPI_Recv", kFromLast, 1);
  last.header.bodies[0] = {};
  last.be_in("MPI_Recv", kFromFirst, 4);
  Result<Process> a = first.read(), b = last.read();
  ASSERT_TRUE(a) << a.error().message;
  ASSERT_TRUE(b) << b.error().message;
  const trace::Trace t = merge_processes({std::move(*a), std::move(*b)}, no_code);
  const trace::Trace full = trace::with_unfinished(t), only = trace::only_unfinished(t);
  for (const trace::Trace* calls : {&full, &only}) {
    trace::Cursor cursor(*calls, 1);
    ASSERT_TRUE(cursor.next());
    EXPECT_EQ(cursor.event().function->name, "MPI_Recv");
    EXPECT_FALSE(cursor.next());
  }
}

TEST(PartLayout, RanksThatLeftNothingAreInNoCall) {
  Image image(0);
  image.be_in("MPI_Recv", kFromLast, 4);
  image.slot.waited = 3;
  Result<Process> p = image.read();
  ASSERT_TRUE(p) << p.error().message;
  p->ranks = 4;
  p->comms[0] = {0, 4};
  const trace::Trace t = merge_processes({std::move(*p)}, no_code);
  const auto unfinished = trace::unfinished_of(t);
  ASSERT_TRUE(unfinished);
  ASSERT_EQ(unfinished->calls.size(), 1u);
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(unfinished->calls[0].trips.constant_of(rank), rank == 0 ? 1 : 0) << rank;
    EXPECT_EQ(unfinished->missing.constant_of(rank), rank == 0 ? 3 : 0) << rank;
    EXPECT_EQ(unfinished->waited.constant_of(rank), rank == 0 ? 3 : 0) << rank;
  }
}

TEST(PartLayout, CallPathsThatAreCutAreSaid) {
  Image image(0);
  image.header.bodies[0] = {};
  image.be_in("MPI_Recv", kFromLast, 4);
  image.bytes.resize(PartLayout::kNames + image.header.names);
  EXPECT_TRUE(image.read());
  image.bytes.pop_back();
  EXPECT_FALSE(image.read());
}

TEST(PartLayout, AListThatIsCutOffIsLeftOut) {
  Image image(0);
  image.be_in("MPI_Waitall", {0, 3, 2, 1}, 1);  // three requests, of which two were kept
  Result<Process> p = image.read();
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->tails[0].record, std::vector<std::int64_t>{0});
  EXPECT_TRUE(trace::unfinished_of(merge_processes({std::move(*p)}, no_code)));
}

TEST(PartLayout, DamageIsNoCrash) {
  Image image(0);
  image.be_in("MPI_Waitall", {0, 2, 1, 0}, 1);
  ASSERT_TRUE(image.read());
  const std::vector<std::uint8_t> whole = image.bytes;
  for (const std::size_t part : {std::size_t{7}, PartLayout::kPage, PartLayout::kNames}) {
    for (std::size_t i = part; i < part + 200; ++i) {
      for (const int value : {0, 1, 255}) {
        std::vector<std::uint8_t> damaged = whole;
        damaged[i] = static_cast<std::uint8_t>(value);
        Result<Process> p = PartLayout::read(damaged, "damaged");
        if (p && p->ranks <= 4) (void)merge_processes({std::move(*p)}, no_code);
      }
    }
  }
  for (const std::size_t size : {std::size_t{9}, PartLayout::kNames, whole.size() - 1})
    EXPECT_FALSE(PartLayout::read(std::span(whole).first(size), "short")) << size;
}

}  // namespace
}  // namespace reprise::compress
