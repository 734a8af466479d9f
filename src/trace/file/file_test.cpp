#include "trace/file/file.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/hash.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/callpath_codec.hpp"

namespace reprise::trace {
namespace {

// 3 ranks: MPI_Init, then 10 times MPI_Barrier, twice on rank 2.
Trace small_trace() {
  Trace t;
  t.program = "mpirun -n 3 ./app";
  t.mpi = "Some MPI 1.0";
  t.ranks = 3;
  t.losses = {{"calls that returned an error", 2}};
  t.texts = {"", "main", "app.c"};
  t.modules = {{"/usr/lib/libapp.so", "00ff"}};
  t.frames = {{.function = 1, .file = 2, .line = 7}, {.module = 0, .offset = 0x1234}};
  t.wrappers = {{1, 2}};
  t.callpaths = {{0}, {1, 0}};
  const auto call = [&](const char* name, std::uint32_t callpath) {
    Call c{*find_function(name), callpath, {}};
    c.columns.resize(function(c.function).columns(), Value::constant(0));
    t.calls.push_back(c);
  };
  call("MPI_Init", 0);
  call("MPI_Barrier", 1);
  Item init{.call = 0, .body = {}}, barrier{.call = 1, .body = {}}, loop;
  barrier.trips.by_stream = Series({{.value = 1, .count = 2}, {.value = 2, .count = kUnbounded}});
  loop.trips = Value::constant(10);
  loop.body = {barrier};
  t.root.body = {init, loop};
  return t;
}

std::uint64_t count_calls(const Trace& t, std::uint64_t stream) {
  std::uint64_t n = 0;
  for (Cursor c(t, stream); c.next();) ++n;
  return n;
}

TEST(TraceFile, ReadsWhatWasWritten) {
  const Trace t = small_trace();
  const std::vector<std::uint8_t> data = *encode_trace(t);
  const Result<Trace> read = decode_trace(data, "test");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*encode_trace(*read), data);
  EXPECT_EQ(read->program, t.program);
  EXPECT_EQ(read->losses.at(0).count, 2u);
  EXPECT_EQ(read->frames, t.frames);
  EXPECT_EQ(read->wrappers, t.wrappers);
  EXPECT_EQ(count_calls(*read, 0), 11u);
  EXPECT_EQ(count_calls(*read, 2), 21u);
}

TEST(TraceFile, SectionsMakeAnotherVersion) {
  Trace t = small_trace();
  EXPECT_EQ((*encode_trace(t))[7], kFormatVersion);
  t.sections = {{"laws", 1, {1, 2, 3}}};
  const std::vector<std::uint8_t> data = *encode_trace(t);
  EXPECT_EQ(data[7], kSectionsVersion);
  const Result<Trace> read = decode_trace(data, "test", Accept::scalable_too);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->sections.size(), 1u);
  EXPECT_EQ(read->sections[0].content, t.sections[0].content);
  EXPECT_NE(decode_trace(data, "app").error().message.find("app is a scalable trace"),
            std::string::npos);
  t.sections[0].name = "future";
  EXPECT_NE(decode_trace(*encode_trace(t), "app", Accept::scalable_too)
                .error()
                .message.find("does not know (future)"),
            std::string::npos);
  // The version says whether there are sections.
  const auto lies = pack_body(encode_body(small_trace()), kSectionsVersion);
  EXPECT_FALSE(decode_trace(*lies, "app", Accept::scalable_too));
}

TEST(TraceFile, WhatNoReaderTakesIsNotWritten) {
  const std::uint8_t byte = 0;
  // Refused before anything is read.
  const auto packed = pack_body({&byte, (std::size_t{1} << 32) + 1});
  ASSERT_FALSE(packed);
  EXPECT_NE(packed.error().message.find("too large"), std::string::npos);
}

TEST(TraceFile, AFileCutShortAnywhereIsAnError) {
  const std::vector<std::uint8_t> data = *encode_trace(small_trace());
  for (std::size_t n = 0; n < data.size(); ++n) {
    const Result<Trace> read = decode_trace(std::span(data).first(n), "cut");
    ASSERT_FALSE(read) << "cut to " << n << " bytes";
    EXPECT_NE(read.error().message.find("cut"), std::string::npos);
  }
}

TEST(TraceFile, AnyFlippedByteIsAnError) {
  const std::vector<std::uint8_t> data = *encode_trace(small_trace());
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::vector<std::uint8_t> damaged = data;
      damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ flip);
      EXPECT_FALSE(decode_trace(damaged, "damaged")) << "byte " << i;
    }
  }
}

TEST(TraceFile, SaysWhatIsWrong) {
  std::vector<std::uint8_t> data = *encode_trace(small_trace());
  data[7] = kSectionsVersion + 1;
  EXPECT_NE(decode_trace(data, "new").error().message.find("use a newer reprise"),
            std::string::npos);
  data[7] = kFormatVersion - 1;
  EXPECT_NE(
      decode_trace(data, "old")
          .error()
          .message.find(
              "old has version 2 of the format (this program reads versions 3 and 4); use the "
              "reprise that wrote it, or record again"),
      std::string::npos);
  const std::string text = "#!/bin/sh\n";
  const std::vector<std::uint8_t> other(text.begin(), text.end());
  EXPECT_NE(decode_trace(other, "script").error().message.find("script is not a trace"),
            std::string::npos);
  EXPECT_NE(read_trace("/nowhere/at/all").error().message.find("cannot be opened"),
            std::string::npos);
}

TEST(TraceFile, ADamagedBodyIsAnErrorOrATraceThatCanBeWalked) {
  const std::vector<std::uint8_t> body = encode_body(small_trace());
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::vector<std::uint8_t> damaged = body;
      damaged[i] = static_cast<std::uint8_t>(value);
      const Result<Trace> read = decode_body(damaged, "damaged");
      if (!read) continue;
      Cursor c(*read, 0);
      for (int n = 0; n < 100 && c.next(); ++n) {
      }
    }
  }
}

TEST(TraceFile, AFailedWriteLeavesTheOldFile) {
  const auto folder = std::filesystem::temp_directory_path() / "reprise_file_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "old.reprise").string();
  ASSERT_TRUE(write_trace(small_trace(), path));
  // Where the new one would be written.
  std::filesystem::create_directories(path + ".partial-" + std::to_string(::getpid()));
  const Status status = write_trace(small_trace(), path);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("cannot be written"), std::string::npos);
  EXPECT_TRUE(read_trace(path));
  std::filesystem::remove_all(folder);
}

// What a header claims costs nothing before it is true.
TEST(TraceFile, BoundsRanksAndThreads) {
  Trace t = small_trace();
  const auto reads = [&](std::uint64_t ranks, std::uint64_t threads) {
    t.ranks = ranks;
    t.threads = threads;
    return static_cast<bool>(decode_trace(*encode_trace(t), "test"));
  };
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;
  EXPECT_TRUE(reads(1'000'000, 16));
  EXPECT_FALSE(reads(kHalf, 1));
  EXPECT_FALSE(reads(kHalf, kHalf));
  EXPECT_FALSE(reads(3, kHalf));
  EXPECT_FALSE(reads(0, 1));
}

TEST(TraceFile, BoundsCallPathsThatShareAll) {
  Trace t = small_trace();
  t.callpaths.assign(2, std::vector<std::uint32_t>(100'000, 0));
  const std::vector<std::uint8_t> one = *encode_trace(t);
  ASSERT_TRUE(decode_trace(one, "long")) << decode_trace(one, "long").error().message;
  t.callpaths.resize(1000, t.callpaths.front());
  const std::vector<std::uint8_t> many = *encode_trace(t);
  EXPECT_LT(many.size(), one.size() + 100);
  EXPECT_FALSE(decode_trace(many, "long")) << "400 MB of frames";
}

TEST(TraceFile, BoundsTheSizeThatAFrameClaims) {
  std::vector<std::uint8_t> frame{0x28, 0xb5, 0x2f, 0xfd, 0xe0};  // zstd, eight bytes of size
  const std::uint64_t size = std::uint64_t{1} << 32;
  for (int i = 0; i < 8; ++i) frame.push_back(static_cast<std::uint8_t>(size >> (8 * i)));
  frame.insert(frame.end(), {1, 0, 0});  // one empty block
  std::vector<std::uint8_t> file = *encode_trace(small_trace());
  ByteWriter header;
  header.raw(file.data(), 8);
  header.fixed64(hash_bytes(frame.data(), frame.size(), kFormatVersion));
  header.raw(frame.data(), frame.size());
  const Result<Trace> read = decode_trace(header.bytes(), "bomb");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("claims to hold more than a trace"), std::string::npos)
      << read.error().message;
}

// Line 0 would be written again as an offset in a module, of which there may be none.
TEST(File, RefusesAFrameAtLineZero) {
  for (const std::uint64_t line : {std::uint64_t{0}, std::uint64_t{1}}) {
    ByteWriter out;
    out.varint(1);
    out.varint(0);
    out.varint(line);
    ByteReader in(out.bytes().data(), out.size());
    Trace trace;
    trace.texts = {""};
    decode_frame(in, trace);
    EXPECT_EQ(in.failed(), line == 0);
  }
}

}  // namespace
}  // namespace reprise::trace
