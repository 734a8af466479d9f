// What is read, and what is said about what is not.
#include "conceptual/parse.hpp"

#include <gtest/gtest.h>

#include "conceptual/token.hpp"

namespace reprise::conceptual {
namespace {

std::string error_of(const std::string& text) {
  const Result<Program> program = parse_program(text, "p.ncptl");
  return program ? "" : program.error().message;
}

void expect_read(const std::string& text) { EXPECT_EQ(error_of(text), "") << text; }

void expect_error(const std::string& text, const std::string& at, const std::string& part) {
  const std::string error = error_of(text);
  EXPECT_TRUE(error.starts_with("p.ncptl:" + at + ": ")) << text << "\n" << error;
  EXPECT_NE(error.find(part), std::string::npos) << text << "\n" << error;
}

TEST(Tokens, NumbersHaveMultipliers) {
  const auto tokens = tokens_of("64K 2M 1G 1T 8E3 0e5 7");
  const std::int64_t wanted[] = {65536, 2097152, 1073741824, 1099511627776, 8000, 0, 7};
  for (std::size_t i = 0; i < std::size(wanted); ++i) EXPECT_EQ(tokens[i].value, wanted[i]);
}

TEST(Tokens, KeywordsHaveForms) {
  for (const char* word : {"SENDS", "send", "sEnD"}) EXPECT_EQ(tokens_of(word)[0].text, "SEND");
  EXPECT_EQ(tokens_of("An")[0].text, "A");
  EXPECT_EQ(tokens_of("their")[0].text, "ITS");
  EXPECT_EQ(tokens_of("Potato_1")[0].text, "potato_1");
  EXPECT_EQ(tokens_of("Potato_1")[0].kind, Token::Kind::word);
}

TEST(Tokens, AHyphenBeforeAKeywordIsABlank) {
  EXPECT_EQ(tokens_of("64-BYTE")[1].text, "BYTE");
  EXPECT_EQ(tokens_of("x-3")[1].text, "-");
  EXPECT_EQ(tokens_of("n-MAX(1)")[1].text, "-");
}

TEST(Tokens, StringsAndComments) {
  const auto tokens = tokens_of("# nothing\n\"a\\\"b\\\\c\\n\\\nd\" # more\n1");
  EXPECT_EQ(tokens[0].text, "a\"b\\c\nd");
  EXPECT_EQ(tokens[0].at.line, 2u);
  EXPECT_EQ(tokens[1].value, 1);
  EXPECT_EQ(tokens[1].at.line, 4u);
}

TEST(Parse, ReadsEveryStatement) {
  for (
      const char* text : {
          "REQUIRE LANGUAGE VERSION \"1.5\". TASK 0 SENDS A 0 BYTE MESSAGE TO TASK 1.",
          "reps IS \"Repetitions\" AND COMES FROM \"--reps\" OR \"-r\" WITH DEFAULT 50. "
          "FOR reps REPETITIONS ALL TASKS SYNCHRONIZE",
          "TASK num_tasks-1 SENDS 5 53 BYTE PAGE ALIGNED MESSAGES TO ALL OTHER TASKS",
          "TASKS upper SUCH THAT upper>=num_tasks/2 ASYNCHRONOUSLY SEND A 0 BYTE MESSAGE TO TASK "
          "upper/2 THEN ALL TASKS AWAIT COMPLETION",
          "TASKS nonzero SUCH THAT nonzero>0 SEND nonzero 1E3 BYTE MESSAGES TO UNSUSPECTING TASK 0",
          "TASK 0 SENDS A 1 MEGABYTE MESSAGE TO TASK 1 WHO RECEIVES IT ASYNCHRONOUSLY",
          "TASKS left SUCH THAT left IS EVEN SEND 5 2 KILOBYTE 64 BYTE ALIGNED MESSAGES TO TASKS "
          "left+1 WHO RECEIVE THEM AS UNALIGNED MESSAGES WITH DATA TOUCHING",
          "TASK leaf SUCH THAT KNOMIAL_CHILDREN(leaf,2)=0 SENDS A UNIQUE 1536 BYTE MESSAGE WITH "
          "DATA TOUCHING TO TASK KNOMIAL_PARENT(leaf,2) WHO RECEIVES IT ASYNCHRONOUSLY AS A "
          "NONUNIQUE QUADWORD ALIGNED MESSAGE WITHOUT DATA TOUCHING INTO BUFFER 3",
          "TASKS x SUCH THAT x IS IN {1,4,5} SEND A 768 BYTE MESSAGE FROM 4 DOUBLEWORDS INTO THE "
          "DEFAULT BUFFER TO TASKS y SUCH THAT y IS IN {6,2,3}",
          "TASKS src-1 RECEIVE A 1 MEGABYTE MESSAGE FROM ALL TASKS src",
          "ALL TASKS dst RECEIVE A PAGE SIZED MESSAGE USING TAG 3 FROM TASKS dst+1",
          "TASK 0 MULTICASTS A 16 BYTE MESSAGE TO TASKS recip SUCH THAT recip<4",
          "TASKS rsrc SUCH THAT rsrc IS EVEN REDUCE 32 64-BYTE-ALIGNED INTEGERS WITH DATA TOUCHING "
          "FROM BUFFER 2 TO TASKS rtarg SUCH THAT rtarg<num_tasks/4 \\/ rtarg>(3*num_tasks)/4 WHO "
          "RECEIVE THE RESULT AS 32 UNIQUE PAGE-ALIGNED INTEGERS WITHOUT DATA TOUCHING.",
          "TASKS rt SUCH THAT 3 DIVIDES rt REDUCE AN INTEGER",
          "ALL TASKS REDUCE 5 DOUBLEWORDS TO TASK 0",
          "ALL TASKS me OUTPUT \"Task \" AND me AND \" on \" AND THE VALUE OF \"Host name\"",
          "TASK 0 LOGS THE num_tasks AS \"n\" AND THE MEDIAN OF elapsed_usecs/2 AS \"us\" AND A "
          "HISTOGRAM OF THE bytes_sent AS \"h\" AND THE STANDARD DEVIATION OF 1/2 AS \"s\"",
          "TASK 0 COMPUTES AGGREGATES",
          "ALL TASKS RESET THEIR COUNTERS THEN TASK 0 STORES ITS COUNTERS THEN TASK 0 RESTORES ITS "
          "COUNTERS THEN ALL TASKS RESET ALL COUNTERS",
          "FOR 1000 REPETITIONS PLUS 3 WARMUP REPETITIONS AND A SYNCHRONIZATION TASK 0 MULTICASTS "
          "A 1 MEGABYTE MESSAGE TO ALL OTHER TASKS",
          "FOR EACH i IN {0}, {1, 2, 4, ..., 256} TASK 0 OUTPUTS i",
          "FOR 3 SECONDS TASK 0 SENDS A 1 MEGABYTE MESSAGE TO TASK 1",
          "LET src BE num_tasks-1 AND dst BE A RANDOM TASK OTHER THAN src WHILE TASK src SENDS A "
          "55E6 "
          "BIT MESSAGE TO TASK dst",
          "LET g BE TASKS t SUCH THAT t < num_tasks/2 WHILE TASK GROUP g SENDS A 1 KILOBYTE "
          "MESSAGE "
          "TO TASK num_tasks-g-1",
          "LET x BE A RANDOM TASK IN [1, num_tasks-2] BUT NOT 3 WHILE TASK x SLEEPS FOR 2 SECONDS",
          "IF num_tasks>2 THEN {} OTHERWISE TASK 0 OUTPUTS \"few\"",
          "IF (num_tasks)>2 /\\ (num_tasks>3 \\/ (num_tasks+1)*2 IS ODD) THEN {}",
          "ASSERT THAT \"there are two\" WITH num_tasks >= 2",
          "TASK 0 TOUCHES 100 WORDS OF A 799 BYTE MEMORY REGION THEN ALL TASKS TOUCH A 6 MEGABYTE "
          "MEMORY REGION 5 TIMES WITH STRIDE 8 WORDS",
          "TASK n SUCH THAT n<(num_tasks+1)/2 IS ASSIGNED TO PROCESSOR n*2",
          "TASK MESH_NEIGHBOR((4*, 3), 1, (+1, -1)) COMPUTES FOR 3 MICROSECONDS",
      }) {
    expect_read(text);
  }
}

TEST(Parse, SaysWhereAndWhatIsWrong) {
  expect_error("TASK 0 SENDS 10 BYTE MESSAGES TO TASK 1", "1:17", "A 10 BYTE MESSAGE");
  expect_error("TASK 0 SENDS A 1 BYTE MESSAGE TO ALL TASKS", "1:38", "ALL OTHER TASKS");
  expect_error("ALL OTHER TASKS SYNCHRONIZE", "1:17", "RECEIVE");
  expect_error("TASK 0\n  SENDS A x BYTE MESSAGE TO TASK 1", "2:11", "x is not known");
  expect_error("LET num_tasks BE 3 WHILE {}", "1:5", "cannot be declared");
  expect_error("LET my BE 3 WHILE {}", "1:5", "reserved");
  expect_error("ALL TASKS ASYNCHRONOUSLY MULTICAST A 1 BYTE MESSAGE TO TASK 0", "1:1",
               "ASYNCHRONOUSLY");
  expect_error("FOR elapsed_usecs REPETITIONS {}", "1:5", "differs between tasks");
  expect_error("TASK RANDOM_UNIFORM(0, 3) SYNCHRONIZES", "1:6", "differs between tasks");
  expect_error("TASK 0 OUTPUTS ABS(1, 2)", "1:16", "2 arguments");
  expect_error("TASK 0 OUTPUTS \"open", "1:16", "does not end");
  expect_error("TASK 0 OUTPUTS 9223372036854775808", "1:16", "too large");
  expect_error("TASK 0 OUTPUTS 12x", "1:18", "ends in letters");
  expect_error("TASK 0 OUTPUTS 1 $", "1:18", "character");
  expect_error("TASK GROUP g SYNCHRONIZES", "1:1", "no group");
  expect_error("LET g BE ALL TASKS WHILE TASK g SYNCHRONIZES", "1:31", "group of tasks");
  expect_error("", "1:1", "no statement");
  expect_error(
      "LET bbb BE 5 WHILE TASKS aaa SUCH THAT aaa < bbb RECEIVE A 1 BYTE MESSAGE FROM TASKS bbb "
      "SUCH THAT bbb > 3",
      "1:20", "two ways");
  expect_error(
      "p IS \"x\" AND COMES FROM \"--p\" OR \"-p\" WITH DEFAULT 1. q IS \"x\" AND COMES FROM "
      "\"--q\" OR \"-p\" WITH DEFAULT 1. {}",
      "1:55", "-p is taken");
  // A variable of a LET ends with its statement.
  expect_error("LET year BE 1984 WHILE TASK 0 OUTPUTS year THEN TASK 0 OUTPUTS year", "1:64",
               "not known");
}

TEST(Parse, ReadsWhatIsForTheOriginalCompilerAndSaysWhereItIs) {
  const auto at = [](const char* text) -> std::string {
    const auto program = parse_program(text, "p");
    if (!program) return program.error().message;
    const Status status = check_executable(*program);
    return status ? "executable" : status.error().message.substr(0, 7);
  };
  EXPECT_EQ(at("TASK 0 OUTPUTS 1"), "executable");
  EXPECT_EQ(
      at("TASK 0 OUTPUTS 1 THEN\n FOR 3 REPETITIONS {\n  TASK 0 BACKEND EXECUTES \"f(\" AND 3 "
         "AND \");\"}"),
      "p:3:3: ");
  EXPECT_EQ(at("REQUIRE LANGUAGE VERSION \"1.5\".\nTHE BACKEND DECLARES \"int n;\".\nTASK 0 "
               "BACKEND EXECUTES \"n++;\"."),
            "p:2:1: ");
  EXPECT_EQ(at("IF 1 > 0 THEN {} OTHERWISE\nTASK 0 BACKEND EXECUTES \"f();\""), "p:2:1: ");
}

TEST(Parse, NestingIsBounded) {
  const std::string open(100000, '('), braces(100000, '{'), minus(100000, '-');
  for (const std::string& text : {"TASK 0 OUTPUTS " + open, braces, "TASK 0 OUTPUTS " + minus + "1",
                                  "IF " + open, "TASK 0 OUTPUTS MESH_NEIGHBOR(" + open}) {
    EXPECT_NE(error_of(text).find("nested too deeply"), std::string::npos);
  }
  std::string sum = "TASK 0 OUTPUTS 1";
  for (int i = 0; i < 100000; ++i) sum += "+1";
  EXPECT_NE(error_of(sum).find("too long"), std::string::npos);
}

TEST(Parse, WarnsOfOtherVersions) {
  const auto program =
      parse_program("REQUIRE LANGUAGE VERSION \"1.4\". ALL TASKS SYNCHRONIZE.", "p");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->warnings.size(), 1u);
}

}  // namespace
}  // namespace reprise::conceptual
