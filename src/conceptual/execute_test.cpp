// What every rank does, against the language's definition worked out by hand.
#include "conceptual/execute.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "conceptual/execute/fake_machine.hpp"

namespace reprise::conceptual {
namespace {

using Lines = std::vector<std::string>;

Program program_of(const std::string& text) {
  auto program = parse_program(text, "p.ncptl");
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

FakeMachine ran(const std::string& text, std::int64_t rank, std::int64_t ranks,
                const Lines& words = {}) {
  const Program program = program_of(text);
  FakeMachine machine(rank, ranks);
  const auto arguments = parse_arguments(program, words, ranks);
  if (!arguments) throw std::runtime_error(arguments.error().message);
  run_on(program, *arguments, machine);
  return machine;
}

Lines lines(const std::string& text, std::int64_t rank, std::int64_t ranks) {
  return ran(text, rank, ranks).lines;
}

std::string problem_of(const std::string& text, std::int64_t ranks, Finders finders) {
  try {
    for (std::int64_t rank = 0; rank < ranks; ++rank) lines(text, rank, ranks);
  } catch (const Problem& p) {
    EXPECT_EQ(p.finders, finders) << p.text;
    return describe("p.ncptl", p);
  }
  return "";
}

TEST(Messages, PingPong) {
  const std::string text =
      "FOR 2 REPETITIONS { TASK 0 SENDS A 10 BYTE MESSAGE TO TASK 1 THEN TASK 1 SENDS 2 1 KILOBYTE "
      "MESSAGES TO TASK 0 }";
  EXPECT_EQ(lines(text, 0, 3), (Lines{"send 10 to 1", "recv 1024 from 1", "recv 1024 from 1",
                                      "send 10 to 1", "recv 1024 from 1", "recv 1024 from 1"}));
  EXPECT_EQ(lines(text, 1, 3), (Lines{"recv 10 from 0", "send 1024 to 0", "send 1024 to 0",
                                      "recv 10 from 0", "send 1024 to 0", "send 1024 to 0"}));
  EXPECT_EQ(lines(text, 2, 3), Lines{});
}

// The manual's examples of the order of sends and receives.
TEST(Messages, ReceivesComeFirst) {
  const std::string chain =
      "TASKS ev SUCH THAT ev IS EVEN /\\ ev<6 SEND A 4 WORD MESSAGE TO TASK ev+2";
  EXPECT_EQ(lines(chain, 0, 7), Lines{"send 16 to 2"});
  EXPECT_EQ(lines(chain, 2, 7), (Lines{"recv 16 from 0", "send 16 to 4"}));
  EXPECT_EQ(lines(chain, 6, 7), Lines{"recv 16 from 4"});
  const std::string many =
      "TASKS x SUCH THAT x IS IN {1,4,5} SEND A 768 BYTE MESSAGE TO TASKS y SUCH THAT y IS IN "
      "{6,2,3}";
  EXPECT_EQ(lines(many, 4, 7), (Lines{"send 768 to 2", "send 768 to 3", "send 768 to 6"}));
  EXPECT_EQ(lines(many, 6, 7), (Lines{"recv 768 from 1", "recv 768 from 4", "recv 768 from 5"}));
}

TEST(Messages, ARingHasToBeAsynchronous) {
  const std::string ring = "SEND A 1 BYTE MESSAGE USING TAG 5 TO TASK (t+1) MOD num_tasks";
  EXPECT_EQ(lines("ALL TASKS t ASYNCHRONOUSLY " + ring + " THEN ALL TASKS AWAIT COMPLETION", 0, 4),
            (Lines{"irecv 1 from 3 tag 5", "isend 1 to 1 tag 5", "wait 2"}));
  EXPECT_EQ(lines("ALL TASKS t " + ring +
                      " WHO RECEIVES IT ASYNCHRONOUSLY THEN ALL TASKS AWAIT "
                      "COMPLETION",
                  0, 4),
            (Lines{"irecv 1 from 3 tag 5", "send 1 to 1 tag 5", "wait 1"}));
  EXPECT_NE(problem_of("ALL TASKS t " + ring, 4, Finders::all).find("for ever"), std::string::npos);
  EXPECT_NE(problem_of("ALL TASKS t ASYNCHRONOUSLY " + ring + " WHO RECEIVES IT SYNCHRONOUSLY", 4,
                       Finders::all)
                .find("for ever"),
            std::string::npos);
  EXPECT_NE(problem_of("TASK 0 SENDS A 0 BYTE MESSAGE TO TASK 0", 2, Finders::all).find("for ever"),
            std::string::npos);
  // Without the last link it is a pipeline.
  EXPECT_EQ(problem_of("ALL TASKS t SEND A 1 BYTE MESSAGE TO TASK t+1", 4, Finders::all), "");
}

TEST(Messages, AReceiverMayHaveItsOwnTag) {
  const std::string text =
      "TASK 0 SENDS A 1 BYTE MESSAGE USING TAG 3 TO TASK 1 WHO RECEIVES IT USING TAG 4";
  EXPECT_EQ(lines(text, 0, 2), Lines{"send 1 to 1 tag 3"});
  EXPECT_EQ(lines(text, 1, 2), Lines{"recv 1 from 0 tag 4"});
}

TEST(Messages, UnsuspectingAndReceives) {
  EXPECT_EQ(lines("TASK 0 SENDS A 1 BYTE MESSAGE TO UNSUSPECTING TASK 1", 1, 2), Lines{});
  const std::string receive =
      "TASK (n+1) MOD 3 RECEIVES A 7 BYTE MESSAGE FROM TASK n SUCH THAT n<2";
  EXPECT_EQ(lines(receive, 0, 4), Lines{});
  EXPECT_EQ(lines(receive, 1, 4), Lines{"recv 7 from 0"});
  EXPECT_EQ(lines(receive, 2, 4), Lines{"recv 7 from 1"});
  EXPECT_EQ(lines("TASKS dst SUCH THAT dst >= 0 ASYNCHRONOUSLY RECEIVE A 1 BYTE MESSAGE FROM TASK "
                  "dst+1 THEN ALL TASKS AWAIT COMPLETION",
                  0, 2),
            (Lines{"irecv 1 from 1", "wait 1"}));
  EXPECT_EQ(lines("ALL OTHER TASKS RECEIVE A 3 BYTE MESSAGE FROM TASK 2", 0, 4),
            Lines{"recv 3 from 2"});
  EXPECT_EQ(lines("ALL OTHER TASKS RECEIVE A 3 BYTE MESSAGE FROM TASK 2", 2, 4), Lines{});
}

TEST(Messages, OutOfBoundsTasksAreIgnored) {
  EXPECT_EQ(lines("ALL TASKS t SEND A 1 BYTE MESSAGE TO TASK t+1 THEN TASK 9 SYNCHRONIZES", 1, 2),
            Lines{"recv 1 from 0"});
}

TEST(Messages, Units) {
  const std::pair<const char*, int> kSizes[] = {{"17 BIT", 3},
                                                {"3 BYTE", 3},
                                                {"3 HALFWORD", 6},
                                                {"3 WORD", 12},
                                                {"3 INTEGER", 12},
                                                {"3 DOUBLEWORD", 24},
                                                {"3 QUADWORD", 48},
                                                {"3 KILOBYTE", 3072},
                                                {"DOUBLEWORD SIZED", 8},
                                                {"", 0},
                                                {"64 BYTE ALIGNED", 0},
                                                {"5 BYTE 64 BYTE ALIGNED", 5},
                                                {"5 BYTE PAGE ALIGNED", 5}};
  for (const auto& [size, bytes] : kSizes) {
    EXPECT_EQ(lines(std::string("TASK 0 SENDS A ") + size + " MESSAGE TO TASK 1", 0, 2),
              Lines{"send " + std::to_string(bytes) + " to 1"})
        << size;
  }
}

TEST(Messages, WhatCannotBeSentIsSaidByThoseWhoWould) {
  EXPECT_NE(problem_of("TASK 0 SENDS A 3 GIGABYTE MESSAGE TO TASK 1", 2, Finders::some)
                .find("MPI counts"),
            std::string::npos);
  EXPECT_NE(
      problem_of("TASK 0 SENDS A 0-3 BYTE MESSAGE TO TASK 1", 2, Finders::some).find("negative"),
      std::string::npos);
  EXPECT_NE(problem_of("TASK 0 SENDS A 1 BYTE MESSAGE USING TAG 32768 TO TASK 1", 2, Finders::some)
                .find("tag"),
            std::string::npos);
}

// Plans that are kept must not outlive the values that they were made from.
TEST(Messages, PlansFollowVariables) {
  EXPECT_EQ(
      lines("FOR EACH i IN {1, 2, 1} FOR 2 REPETITIONS TASK 0 SENDS A i BYTE MESSAGE TO TASK i", 0,
            3),
      (Lines{"send 1 to 1", "send 1 to 1", "send 2 to 2", "send 2 to 2", "send 1 to 1",
             "send 1 to 1"}));
  EXPECT_EQ(lines("LET k BE 2 WHILE LET g BE TASKS t SUCH THAT t<k WHILE FOR EACH k IN {3, 1} TASK "
                  "GROUP g SYNCHRONIZES",
                  1, 4),
            (Lines{"barrier among 0,1", "barrier among 0,1"}));
}

TEST(Collectives, Multicasts) {
  EXPECT_EQ(lines("TASK 2 MULTICASTS 2 16 BYTE MESSAGES TO ALL OTHER TASKS", 0, 3),
            (Lines{"bcast 16 root 2 among 0,1,2", "bcast 16 root 2 among 0,1,2"}));
  EXPECT_EQ(lines("TASK 4 MULTICASTS A 8 BYTE MESSAGE TO TASKS r SUCH THAT r IS ODD", 4, 6),
            Lines{"bcast 8 root 2 among 1,3,4,5"});
  EXPECT_EQ(lines("TASK 4 MULTICASTS A 8 BYTE MESSAGE TO TASKS r SUCH THAT r IS ODD", 0, 6),
            Lines{});
  EXPECT_EQ(lines("ALL TASKS s MULTICAST A 8 BYTE MESSAGE TO ALL OTHER TASKS", 1, 3),
            Lines{"alltoall 8 among 0,1,2"});
  EXPECT_EQ(
      lines("TASKS s SUCH THAT s<2 MULTICAST 3 8 BYTE MESSAGES TO TASKS t SUCH THAT t<2", 1, 3),
      Lines{"alltoall 24 among 0,1"});
  EXPECT_EQ(lines("ALL TASKS s MULTICAST A 8 BYTE MESSAGE TO TASK 1", 0, 3),
            Lines{"alltoallv 0,8,0 / 0,0,0 among 0,1,2"});
  EXPECT_EQ(lines("ALL TASKS s MULTICAST A 8 BYTE MESSAGE TO TASK 1", 1, 3),
            Lines{"alltoallv 0,8,0 / 8,8,8 among 0,1,2"});
  EXPECT_EQ(lines("ALL TASKS s MULTICAST A 8 BYTE MESSAGE TO TASKS t SUCH THAT t < s", 1, 3),
            Lines{"alltoallv 8,0,0 / 0,0,8 among 0,1,2"});
}

TEST(Collectives, Reductions) {
  EXPECT_EQ(lines("ALL TASKS REDUCE 5 DOUBLEWORDS TO TASK 1", 0, 3),
            Lines{"reduce 5 root 1 among 0,1,2"});
  EXPECT_EQ(lines("TASKS t SUCH THAT 2 DIVIDES t REDUCE AN INTEGER", 2, 4),
            Lines{"allreduce 1 among 0,2"});
  EXPECT_EQ(lines("ALL TASKS REDUCE AN INTEGER TO ALL TASKS", 2, 4),
            Lines{"allreduce 1 among 0,1,2,3"});
  const std::string shifted =
      "TASKS x SUCH THAT x<num_tasks/2 REDUCE 100 DOUBLEWORDS TO TASKS x+num_tasks/4";
  EXPECT_EQ(lines(shifted, 0, 8), Lines{"reduce 100 root 2 among 0,1,2,3"});
  EXPECT_EQ(lines(shifted, 2, 8),
            (Lines{"reduce 100 root 2 among 0,1,2,3", "bcast 800 root 0 among 2,3,4,5"}));
  EXPECT_EQ(lines(shifted, 5, 8), Lines{"bcast 800 root 0 among 2,3,4,5"});
  EXPECT_EQ(lines(shifted, 7, 8), Lines{});
}

TEST(Control, LoopsAndBranches) {
  EXPECT_EQ(lines("FOR 2 REPETITIONS PLUS 3 WARMUP REPETITIONS AND A SYNCHRONIZATION { TASK 0 "
                  "OUTPUTS 1 THEN ALL TASKS SLEEP FOR 4 MILLISECONDS }",
                  0, 1),
            (Lines{"sleep 4000", "sleep 4000", "sleep 4000", "barrier of all", "print",
                   "sleep 4000", "print", "sleep 4000"}));
  EXPECT_EQ(lines("FOR 10 MICROSECONDS PLUS 1 WARMUP MILLISECOND AND A SYNCHRONIZATION { TASK 0 "
                  "OUTPUTS 1 THEN ALL TASKS SLEEP FOR 600 MICROSECONDS }",
                  0, 1),
            (Lines{"sleep 600", "sleep 600", "barrier of all", "print", "sleep 600"}));
  EXPECT_EQ(lines("FOR 10 MICROSECONDS ALL TASKS COMPUTE FOR 4 MICROSECONDS", 0, 1),
            (Lines{"spin 4", "spin 4", "spin 4"}));
  EXPECT_EQ(
      lines("IF num_tasks IS ODD THEN ALL TASKS SYNCHRONIZE OTHERWISE TASK 0 SYNCHRONIZES", 0, 2),
      Lines{"barrier among 0"});
  EXPECT_EQ(ran("LET num BE 1000 AND num BE num*2 WHILE TASK 0 OUTPUTS num", 0, 1).printed,
            Lines{"2000\n"});
  EXPECT_EQ(ran("LET year BE 1984 WHILE {{LET year BE 2084 WHILE TASK 0 OUTPUTS year} THEN TASK 0 "
                "OUTPUTS year}",
                0, 1)
                .printed,
            (Lines{"2084\n", "1984\n"}));
  EXPECT_EQ(ran("TASK 0 OUTPUTS \"Yes\" AND \"No\" AND THE VALUE OF \"Host name\"", 0, 1).printed,
            Lines{"YesNo<Host name>\n"});
}

TEST(Control, Asserts) {
  EXPECT_EQ(
      problem_of("{} THEN\n ASSERT THAT \"there are two\" WITH num_tasks>=2", 1, Finders::all),
      "p.ncptl:2:2: the program cannot run like this (it asserts that there are two); change the "
      "number of tasks (-n) or its parameters");
  EXPECT_NE(problem_of("TASK 0 ASYNCHRONOUSLY SENDS A 1 BYTE MESSAGE TO UNSUSPECTING TASK 1", 2,
                       Finders::some)
                .find("1 operation is still under way"),
            std::string::npos);
}

TEST(Control, RandomTasksAreTheSameForAll) {
  const std::string text =
      "FOR 20 REPETITIONS LET x BE A RANDOM TASK AND b BE A RANDOM TASK OTHER THAN x AND c BE A "
      "RANDOM TASK IN [1, 3] BUT NOT 2 AND d BE A RANDOM TASK GREATER THAN num_tasks WHILE ALL "
      "TASKS OUTPUT x AND \" \" AND b AND \" \" AND c AND \" \" AND d";
  const Lines first = ran(text, 0, 5).printed;
  for (int rank = 1; rank < 5; ++rank) EXPECT_EQ(ran(text, rank, 5).printed, first);
  for (const std::string& line : first) {
    int a = 0, b = 0, c = 0, d = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%d %d %d %d", &a, &b, &c, &d), 4);
    EXPECT_TRUE(a != b && a >= 0 && a < 5 && b >= 0 && b < 5 && (c == 1 || c == 3) && d == -1)
        << line;
  }
}

// The manual's timeline of TASK n SUCH THAT n<(num_tasks+1)/2 IS ASSIGNED TO PROCESSOR n*2.
TEST(Control, ProcessorsAreExchanged) {
  const std::string text =
      "TASK n SUCH THAT n<(num_tasks+1)/2 IS ASSIGNED TO PROCESSOR n*2 THEN ALL TASKS me OUTPUT me";
  const int task_of_processor[] = {0, 4, 1, 6, 2, 5, 3, 7};
  for (int p = 0; p < 8; ++p)
    EXPECT_EQ(ran(text, p, 8).printed, Lines{std::to_string(task_of_processor[p]) + "\n"});
}

TEST(Counters, CountAndForget) {
  const std::string text =
      "TASK 0 SENDS 3 10 BYTE MESSAGES TO TASK 1 THEN TASK 1 ASYNCHRONOUSLY SENDS A 5 BYTE MESSAGE "
      "TO TASK 0 THEN "
      "TASK 0 OUTPUTS msgs_sent AND \" \" AND bytes_sent AND \" \" AND msgs_received THEN ALL "
      "TASKS AWAIT COMPLETION THEN "
      "TASK 0 OUTPUTS msgs_received AND \" \" AND bytes_received AND \" \" AND total_msgs AND \" "
      "\" AND total_bytes THEN "
      "TASK 0 RESETS ITS COUNTERS THEN TASK 0 OUTPUTS total_msgs";
  EXPECT_EQ(ran(text, 0, 2).printed, (Lines{"3 30 0\n", "1 5 4 35\n", "0\n"}));
}

// The manual's example of nested stores.
TEST(Counters, StoresNest) {
  const std::string text =
      "ALL TASKS RESET THEIR COUNTERS THEN ALL TASKS COMPUTE FOR 2 SECONDS THEN ALL TASKS STORE "
      "THEIR COUNTERS THEN "
      "ALL TASKS COMPUTE FOR 5 SECONDS THEN ALL TASKS STORE THEIR COUNTERS THEN ALL TASKS COMPUTE "
      "FOR 9 SECONDS THEN "
      "ALL TASKS LOG ROUND(elapsed_usecs/1E6) AS \"16\" THEN ALL TASKS RESTORE THEIR COUNTERS THEN "
      "ALL TASKS LOG ROUND(elapsed_usecs/1E6) AS \"7\" THEN ALL TASKS STORE THEIR COUNTERS THEN "
      "ALL TASKS COMPUTE FOR 1 SECOND THEN "
      "ALL TASKS LOG ROUND(elapsed_usecs/1E6) AS \"8\" THEN ALL TASKS RESTORE THEIR COUNTERS THEN "
      "ALL TASKS RESTORE THEIR COUNTERS THEN "
      "ALL TASKS LOG ROUND(elapsed_usecs/1E6) AS \"2\"";
  EXPECT_EQ(ran(text, 0, 1).log,
            "\"16\",\"7\",\"8\",\"2\"\n\"(all data)\",\"(all data)\",\"(all data)\",\"(all "
            "data)\"\n16,7,8,2\n");
  EXPECT_NE(problem_of("ALL TASKS RESTORE THEIR COUNTERS", 1, Finders::some).find("not stored"),
            std::string::npos);
}

TEST(Logs, TablesAndAggregates) {
  EXPECT_EQ(ran("TASK 0 LOGS 314/100 AS \"Pi\" AND 22/7 AS \"Pi\"", 0, 1).log,
            "\"Pi\",\"Pi\"\n\"(all data)\",\"(all data)\"\n3.14,3.142857143\n");
  EXPECT_EQ(ran("FOR EACH s IN {1, 2} { FOR EACH i IN {4, 1, 1} TASK 0 LOGS THE s AS \"s\" AND THE "
                "MEDIAN OF i AS \"m\" AND i AS \"i\" AND A HISTOGRAM OF i AS \"h\" THEN TASK 0 "
                "COMPUTES AGGREGATES }",
                0, 1)
                .log,
            "\"s\",\"m\",\"i\",\"h\",\"h\"\n\"(only value)\",\"(median)\",\"(all data)\",\"(hist. "
            "values)\",\"(hist. tallies)\"\n"
            "1,1,4,1,2\n2,1,1,4,1\n,,1,1,2\n,,4,4,1\n,,1,,\n,,1,,\n");
  EXPECT_EQ(ran("TASK 0 LOGS 111 AS \"First\". TASK 0 LOGS 222 AS \"a \\\"b\\\"\".", 0, 1).log,
            "\"First\"\n\"(all data)\"\n111\n\"a \\\"b\\\"\"\n\"(all data)\"\n222\n");
  EXPECT_NE(problem_of("FOR EACH i IN {1, 2} TASK 0 LOGS THE i AS \"i\"", 1, Finders::some)
                .find("THE value is 1 and then 2"),
            std::string::npos);
}

TEST(Logs, AggregatesOfNumbers) {
  const std::vector<double> v{1, 2, 3, 6};
  const auto of = [&](Aggregate a) { return aggregate_of(a, v)[0][0]; };
  EXPECT_DOUBLE_EQ(of(Aggregate::mean), 3);
  EXPECT_DOUBLE_EQ(of(Aggregate::sum), 12);
  EXPECT_DOUBLE_EQ(of(Aggregate::variance), 14.0 / 3);
  EXPECT_DOUBLE_EQ(of(Aggregate::standard_deviation), std::sqrt(14.0 / 3));
  EXPECT_DOUBLE_EQ(of(Aggregate::median), 2.5);
  EXPECT_DOUBLE_EQ(of(Aggregate::minimum), 1);
  EXPECT_DOUBLE_EQ(of(Aggregate::maximum), 6);
  EXPECT_DOUBLE_EQ(of(Aggregate::final_value), 6);
  EXPECT_DOUBLE_EQ(of(Aggregate::harmonic_mean), 2);
  EXPECT_NEAR(of(Aggregate::geometric_mean), std::pow(36.0, 0.25), 1e-12);
}

TEST(Parameters, ComeFromTheCommandLine) {
  const std::string text =
      "reps IS \"Repetitions\" AND COMES FROM \"--reps\" OR \"-r\" WITH DEFAULT 25*4. size IS "
      "\"Bytes\" AND COMES FROM "
      "\"--size\" OR \"-s\" WITH DEFAULT 100*2. TASK 0 OUTPUTS reps AND \" \" AND size.";
  EXPECT_EQ(ran(text, 0, 1).printed, Lines{"100 200\n"});
  EXPECT_EQ(ran(text, 0, 1, {"--reps", "3"}).printed, Lines{"3 200\n"});
  EXPECT_EQ(ran(text, 0, 1, {"--reps=-3", "-s64K"}).printed, Lines{"-3 65536\n"});
  EXPECT_EQ(ran(text, 0, 1, {"-r", "1E3", "-s", "1"}).printed, Lines{"1000 1\n"});
  const Program program = program_of(text);
  for (const Lines& words : {Lines{"--nope"}, Lines{"--reps"}, Lines{"--reps", "x"}, Lines{"file"}})
    EXPECT_EQ(parse_arguments(program, words, 1).error().kind, Error::Kind::usage);
  EXPECT_NE(help_text(program).find("-r, --reps=<number>   Repetitions [default: 100]"),
            std::string::npos);
  EXPECT_TRUE(parse_arguments(program, {"-h"}, 1)->help);
  const Program heights = program_of(
      "height IS \"Height\" AND COMES FROM \"--height\" OR \"-h\" WITH DEFAULT 1. "
      "TASK 0 OUTPUTS height.");
  EXPECT_FALSE(parse_arguments(heights, {"-h", "3"}, 1)->help);
  EXPECT_EQ(log_path("a-%p-%%.log", 12), "a-12-%.log");
}

// Whatever the pattern, each message that is sent is received, in the order of sends.
RC_GTEST_PROP(Messages, SendsMeetReceives, ()) {
  const std::int64_t ranks = *rc::gen::inRange(1, 9), k = *rc::gen::inRange(1, 5),
                     shift = *rc::gen::inRange(0, 4);
  const std::string text =
      "FOR EACH i IN {1, ..., 3} { TASKS s SUCH THAT " + std::to_string(k) +
      " DIVIDES s+i ASYNCHRONOUSLY SEND 2 7*i BYTE MESSAGES USING TAG i TO TASKS t SUCH THAT "
      "(t+s+" +
      std::to_string(shift) + ") MOD 3 < i THEN ALL TASKS AWAIT COMPLETION }";
  std::map<std::pair<std::int64_t, std::int64_t>, Lines> sent, received;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    for (const std::string& line : lines(text, rank, ranks)) {
      char verb[16] = "", side[16] = "";
      long bytes = 0, peer = 0, tag = 0;
      if (std::sscanf(line.c_str(), "%15s %ld %15s %ld tag %ld", verb, &bytes, side, &peer, &tag) <
          4)
        continue;
      const std::string what = std::to_string(bytes) + "/" + std::to_string(tag);
      (verb[1] == 's' ? sent[{rank, peer}] : received[{peer, rank}]).push_back(what);
    }
  }
  RC_ASSERT(sent == received);
}

}  // namespace
}  // namespace reprise::conceptual
