#include "mpi/requests/matching.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

namespace traits = trace::traits;

const trace::Function& function(std::string_view name) {
  return trace::function(*trace::find_function(name));
}

TEST(Matching, ATagBelongsToThePeerBeforeIt) {
  const trace::Function& f = function("MPI_Sendrecv");
  const SendColumns sends = *send_columns(f);
  EXPECT_EQ(f.scalars[sends.dest].name, "dest");
  EXPECT_EQ(f.scalars[sends.tag].name, "sendtag");
  const ReceiveColumns receives = *receive_columns(f);
  EXPECT_EQ(f.scalars[receives.source].name, "source");
  EXPECT_EQ(f.scalars[receives.tag].name, "recvtag");
}

TEST(Matching, AllThatSendAndAllThatReceiveOrProbe) {
  for (const trace::Function& f : trace::functions()) {
    if (f.traits & traits::kSend) {
      EXPECT_TRUE(send_columns(f)) << f.name;
    }
    const bool has_source = f.traits & (traits::kRecv | traits::kProbe);
    // The message of these was taken when it was probed for.
    const bool is_matched = f.base == "MPI_Mrecv" || f.base == "MPI_Imrecv";
    if (has_source) {
      EXPECT_EQ(receive_columns(f).has_value(), !is_matched) << f.name;
    }
  }
  EXPECT_FALSE(send_columns(function("MPI_Bcast")));
  EXPECT_FALSE(receive_columns(function("MPI_Send")));
}

TEST(Matching, WildcardsInEitherPlace) {
  const auto wild = [](std::int64_t source, std::int64_t tag) {
    const trace::Event e = event("MPI_Recv", {{"source", source}, {"tag", tag}});
    return is_wild(e, *receive_columns(*e.function));
  };
  EXPECT_FALSE(wild(3, 4));
  EXPECT_TRUE(wild(trace::kAnySource, 4));
  EXPECT_TRUE(wild(3, trace::kAnyTag));
  EXPECT_FALSE(wild(trace::kProcNull, 4));
}

TEST(Matches, OneRequestHasScalars) {
  const trace::Event wait = event("MPI_Wait", {{"matched_source", 2}, {"matched_tag", 9}});
  EXPECT_EQ(scalar_match(wait).source, 2);
  Matches all(wait);
  EXPECT_TRUE(all.has_next());
  EXPECT_EQ(all.next().tag, 9);
}

TEST(Matches, SeveralHaveLists) {
  const trace::Event wait =
      event("MPI_Waitall", {},
            {{"matched_source", {2, trace::kCancelled, 4}}, {"matched_tag", {9, trace::kNone, 8}}});
  EXPECT_EQ(scalar_match(wait).source, trace::kNone);
  Matches all(wait);
  EXPECT_EQ(all.next().source, 2);
  EXPECT_TRUE(all.skip_cancelled());
  EXPECT_FALSE(all.skip_cancelled());
  EXPECT_EQ(all.next().tag, 8);
  EXPECT_FALSE(all.has_next());
  EXPECT_EQ(all.next().source, trace::kNone);
}

TEST(Matches, OthersHaveNone) {
  const trace::Event free = event("MPI_Request_free", {});
  EXPECT_FALSE(Matches(free).has_next());
  EXPECT_EQ(Matches(free).next().source, trace::kNone);
}

}  // namespace
}  // namespace reprise::mpi
