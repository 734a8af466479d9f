// What is read, and what is said about what is not.
#include "conceptual/parse.hpp"

#include <gtest/gtest.h>

#include "conceptual/read/token.hpp"

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
  const auto tokens = tokens_of("64K 2M 1G 1T 8E3 0e5 7 1st 22nd 3rd 4TH 5kth");
  const std::int64_t wanted[] = {65536, 2097152, 1073741824, 1099511627776, 8000, 0, 7, 1,
                                 22,    3,       4,          5120};
  for (std::size_t i = 0; i < std::size(wanted); ++i) EXPECT_EQ(tokens[i].value, wanted[i]);
}

TEST(Tokens, OtherLettersBehindANumberAreAWord) {
  const auto tokens = tokens_of("64BYTE 2Mx 3e");
  const char* wanted[] = {"a number", "BYTE", "a number", "x", "a number", "e"};
  for (std::size_t i = 0; i < std::size(wanted); ++i) EXPECT_EQ(tokens[i].text, wanted[i]);
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
  EXPECT_EQ(tokens_of("n-MAX(1)")[1].text, "MAX");
  EXPECT_TRUE(tokens_of("n-MAX(1)")[1].after_hyphen);
  EXPECT_EQ(tokens_of("5--BYTE")[1].text, "-");
}

TEST(Tokens, StringsAndComments) {
  const auto tokens = tokens_of("# nothing\n\"a\\\"b\\\\c\\n\\\nd\\t\\r\\q\" # more\r\n1");
  EXPECT_EQ(tokens[0].text, "a\"b\\c\nd\t\r");
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
          "TASKS nonzero SUCH THAT nonzero>0 SEND 3 1E3 BYTE MESSAGES TO UNSUSPECTING TASK 0",
          "TASKS {0, 2, ..., 6} SEND A 64BYTE MESSAGE TO UNSUSPECTING TASK 1",
          "TASK 0 SENDS A MESSAGE TO TASK 1 WHO RECEIVES IT USING TAG 7",
          "ALL TASKS t SYNCHRONOUSLY SEND 2 MESSAGES TO TASK t+1 WHO RECEIVES THEM SYNCHRONOUSLY",
          "TASK 0 SENDS A 1 MEGABYTE MESSAGE TO TASK 1 WHO RECEIVES IT ASYNCHRONOUSLY",
          "TASKS left SUCH THAT left IS EVEN SEND 5 2 KILOBYTE 64 BYTE ALIGNED MESSAGES TO TASKS "
          "left+1 WHO RECEIVE THEM AS UNALIGNED MESSAGES WITH DATA TOUCHING",
          "TASK leaf SUCH THAT KNOMIAL_CHILDREN(leaf,2)=0 SENDS A UNIQUE 1536 BYTE MESSAGE WITH "
          "DATA TOUCHING TO TASK KNOMIAL_PARENT(leaf,2) WHO RECEIVES IT ASYNCHRONOUSLY AS A "
          "NONUNIQUE QUADWORD ALIGNED MESSAGE WITHOUT DATA TOUCHING INTO BUFFER 3",
          "TASKS x SUCH THAT x IS IN {1,4,5} SEND A 768 BYTE MESSAGE FROM 4 DOUBLEWORDS INTO THE "
          "DEFAULT BUFFER TO TASKS y SUCH THAT y IS IN {6,2,3}",
          "TASKS src-1 RECEIVE A 1 MEGABYTE MESSAGE FROM ALL TASKS src",
          "TASKS dst SUCH THAT dst>=0 RECEIVE A PAGE SIZED MESSAGE USING TAG 3 FROM TASKS dst+1",
          "ALL OTHER TASKS RECEIVE A MESSAGE FROM ALL TASKS t",
          "TASKS t SUCH THAT t>u RECEIVE A MESSAGE FROM TASKS u SUCH THAT u<5",
          "FOR EACH t IN {1} TASKS t SUCH THAT t>0 RECEIVE A MESSAGE FROM TASK t+1",
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
          "COUNTERS",
          "FOR 1000 REPETITIONS PLUS 3 WARMUP REPETITIONS AND A SYNCHRONIZATION TASK 0 MULTICASTS "
          "A 1 MEGABYTE MESSAGE TO ALL OTHER TASKS",
          "FOR EACH i IN {0}, {1, 2, 4, ..., 256} TASK 0 OUTPUTS i",
          "FOR 3 SECONDS PLUS 1 WARMUP MINUTE AND A SYNCHRONIZATION TASK 0 SENDS A 1 MEGABYTE "
          "MESSAGE TO TASK 1",
          "LET src BE num_tasks-1 AND dst BE A RANDOM TASK OTHER THAN src WHILE TASK src SENDS A "
          "55E6 "
          "BIT MESSAGE TO TASK dst",
          "LET g BE TASKS t SUCH THAT t < num_tasks/2 WHILE TASK GROUP g SENDS A 1 KILOBYTE "
          "MESSAGE "
          "TO TASK num_tasks-g-1",
          "LET g BE TASKS {1, 2} WHILE LET g BE 3 WHILE TASK GROUP g OUTPUTS 1 THEN {}",
          "LET x BE A RANDOM TASK IN [1, num_tasks-2] BUT NOT 3 WHILE TASK x SLEEPS FOR 2 SECONDS",
          "IF num_tasks IS IN [1, 3] \\/ num_tasks IS NOT IN [5, 6] THEN {}",
          "IF 1>0 THEN IF 1>2 THEN {} OTHERWISE TASK 0 OUTPUTS 1",
          "REQUIRE LANGUAGE VERSION \"1.5\".",
          "",
          "IF num_tasks>2 THEN {} OTHERWISE TASK 0 OUTPUTS \"few\"",
          "IF (num_tasks)>2 /\\ (num_tasks>3 \\/ (num_tasks+1)*2 IS ODD) THEN {}",
          "ASSERT THAT \"there are two\" WITH num_tasks >= 2",
          "TASK 0 TOUCHES 100 WORDS OF A 799 BYTE MEMORY REGION THEN ALL TASKS TOUCH A 6 MEGABYTE "
          "MEMORY REGION 5 TIMES WITH STRIDE 8 WORDS",
          "TASK n SUCH THAT n<(num_tasks+1)/2 IS ASSIGNED TO PROCESSOR n*2",
          "TASKS n SUCH THAT (n<3) IS ASSIGNED TO A RANDOM PROCESSOR",
          "TASKS n SUCH THAT (n+3) IS EVEN SYNCHRONIZE THEN TASK 0 TOUCHES A MEMORY REGION",
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
  expect_error("TASK 0 OUTPUTS 12x", "1:18", "not understood");
  expect_error("TASK 0 OUTPUTS 1 $", "1:18", "character");
  expect_error("TASK GROUP g SYNCHRONIZES", "1:1", "is not a group");
  expect_error("LET g BE ALL TASKS WHILE TASK g SYNCHRONIZES", "1:31", "group of tasks");
  expect_error(
      "LET bbb BE 5 WHILE TASKS aaa SUCH THAT aaa < bbb RECEIVE A 1 BYTE MESSAGE FROM TASKS bbb "
      "SUCH THAT bbb > 3",
      "1:20", "two ways");
  expect_error("TASKS t SUCH THAT t>0 RECEIVE A MESSAGE FROM TASKS t SUCH THAT t<9", "1:1",
               "two ways");
  expect_error(
      "p IS \"x\" AND COMES FROM \"--p\" OR \"-p\" WITH DEFAULT 1. q IS \"x\" AND COMES FROM "
      "\"--q\" OR \"-p\" WITH DEFAULT 1. {}",
      "1:55", "-p is taken");
  // A variable of a LET ends with its statement.
  expect_error("LET year BE 1984 WHILE TASK 0 OUTPUTS year THEN TASK 0 OUTPUTS year", "1:64",
               "not known");
}

// What the language's own compiler refuses.
TEST(Parse, RefusesWhatTheGrammarRefuses) {
  // A parameter has both options, in this order.
  const auto parameter = [](const std::string& options) {
    return "p IS \"x\" AND COMES FROM " + options + " WITH DEFAULT 1. TASK p OUTPUTS 1";
  };
  expect_read(parameter("\"--p_1-x\" OR \"-7\""));
  expect_error(parameter("\"--p\""), "1:31", "\"--p\" OR \"-x\"");
  for (const char* options : {"\"-p\" OR \"--p\"", "\"--p\" OR \"-P\"", "\"--p\" OR \"-pp\"",
                              "\"--p\" OR \"-?\"", "\"--p+\" OR \"-p\"", "\"--\" OR \"-p\""})
    expect_error(parameter(options), "1:25", "not understood");
  expect_error(
      "p IS \"x\" AND COMES FROM \"--p\" OR \"-p\" WITH DEFAULT num_tasks. TASK p OUTPUTS 1",
      "1:52", "num_tasks");
  expect_error(
      "p IS \"x\" AND COMES FROM \"--p\" OR \"-p\" WITH DEFAULT 1. q IS \"x\" AND COMES FROM "
      "\"--q\" OR \"-q\" WITH DEFAULT p. TASK p OUTPUTS q",
      "1:106", "variable p");
  // Who sends does not change what is sent.
  for (const char* size : {"t 1 BYTE MESSAGES", "A t BYTE MESSAGE", "A MESSAGE USING TAG t"}) {
    for (const char* verb : {"SEND", "MULTICAST"})
      EXPECT_NE(error_of(std::string("ALL TASKS t ") + verb + " " + size + " TO TASK 0")
                    .find("FOR EACH t IN"),
                std::string::npos);
    EXPECT_NE(error_of(std::string("TASKS t SUCH THAT t>0 RECEIVE ") + size + " FROM TASK 0")
                  .find("FOR EACH t IN"),
              std::string::npos);
  }
  expect_error("ALL TASKS t REDUCE t INTEGERS", "1:20", "FOR EACH t IN");
  expect_read("FOR EACH t IN {1} ALL TASKS t SEND A t BYTE MESSAGE TO TASK t+1");
  // Who receives is a target.
  expect_error("ALL TASKS t RECEIVE A MESSAGE FROM TASK t+1", "1:1", "TASKS t SUCH THAT t >= 0");
  expect_error("LET g BE ALL TASKS WHILE TASK GROUP g RECEIVES A MESSAGE FROM TASK 0", "1:26",
               "group");
  expect_error("TASK 0 RECEIVES A MESSAGE FROM ALL OTHER TASKS", "1:36", "ALL OTHER TASKS");
  expect_error("TASK 0 MULTICASTS A MESSAGE TO ALL TASKS", "1:36", "ALL OTHER TASKS");
  expect_error("ALL TASKS SEND A MESSAGE TO ALL OTHER TASKS", "1:1", "for ever");
  expect_error(
      "FOR EACH t IN {1} TASKS u SUCH THAT u>t RECEIVE A MESSAGE FROM TASKS t SUCH THAT t<9",
      "1:19", "two ways");
  // Attributes of messages have an order.
  expect_error("TASK 0 SENDS A 1 BYTE UNIQUE MESSAGE TO TASK 1", "1:23", "MESSAGE should follow");
  expect_error("TASK 0 SENDS A PAGE ALIGNED 1 BYTE MESSAGE TO TASK 1", "1:29",
               "MESSAGE should follow");
  expect_error("TASK 0 SENDS A MESSAGE USING TAG 1 WITH DATA TOUCHING TO TASK 1", "1:36", "TO");
  expect_error("TASK 0 SENDS A MESSAGE FROM BUFFER 3 USING TAG 1 TO TASK 1", "1:38", "TO");
  expect_error("TASK 0 SENDS A MEGABYTE SIZED MESSAGE TO TASK 1", "1:16", "type of data");
  expect_error("TASK 0 SENDS A 2 KILOBYTES MESSAGE TO TASK 1", "1:18", "unit");
  expect_error("TASK 0 SENDS A MESSAGE TO UNSUSPECTING TASK 1 WHO RECEIVES IT ASYNCHRONOUSLY",
               "1:47", "UNSUSPECTING");
  expect_error("TASK 0 SENDS A MESSAGE TO TASK 1 WHO RECEIVES IT", "1:49", "how they receive it");
  expect_error("TASK 0 SENDS A MESSAGE TO TASK 1 WHO RECEIVES IT AS A 3 BYTE MESSAGE", "1:62",
               "ALIGNED");
  expect_error(
      "TASK 0 SENDS A MESSAGE WITH VERIFICATION TO TASK 1 WHO RECEIVES IT WITH DATA TOUCHING",
      "1:68", "one side");
  expect_error("ALL TASKS REDUCE 3 INTEGERS TO 3 DOUBLEWORDS", "1:1", "differ");
  expect_error("ALL TASKS REDUCE 3 INTEGERS TO 4 INTEGERS", "1:1", "differ");
  expect_error("ALL TASKS REDUCE 3 INTEGERS WITH VERIFICATION", "1:29", "VERIFICATION");
  expect_error("ALL TASKS REDUCE 3 WORDS", "1:20", "only INTEGERS");
  expect_error("TASK 0 SENDS A 1 BYTE n BYTE ALIGNED MESSAGE TO TASK 1", "1:23", "not known");
  expect_error("TASK 0 SENDS A MESSAGE FROM BUFFER n TO TASK 1", "1:36", "not known");
  expect_error("TASK 1 RECEIVES A PAGE ALIGNED MESSAGE FROM TASK 0", "1:17", "no size");
  expect_error("TASK 0 SENDS A 1 BYTE PAGE ALIGNED MESSAGE USING TAG 3 TO TASK 1", "1:16", "a tag");
  // Words that a statement has, or lacks.
  expect_error("ALL TASKS SYNCHRONOUSLY SYNCHRONIZE", "1:1", "SYNCHRONOUSLY");
  expect_error("ALL TASKS RESET ALL COUNTERS", "1:17", "ITS");
  expect_error("FOR 3 REPETITIONS PLUS A WARMUP REPETITION {}", "1:24", "number");
  expect_error("FOR 3 REPETITIONS PLUS 1 WARMUP REPETITION AND SYNCHRONIZATION {}", "1:48", "A");
  expect_error("TASK MESH_NEIGHBOR((3, 4), 0, (1)) OUTPUTS 1", "1:31", "as many offsets");
  // A hyphen before a keyword is a blank, even before a function.
  expect_error("TASK 0 OUTPUTS 5-MAX(1, 2)", "1:18", "minus before MAX");
  for (const char* word : {"where", "percentile", "absolute", "task_of", "file_data"})
    expect_error(std::string("LET ") + word + " BE 3 WHILE {}", "1:5", "reserved");
  // Blanks, and what may be escaped.
  expect_error("TASK 0\fOUTPUTS 1", "1:7", "character");
  expect_error("TASK 0 OUTPUTS 1\rTHEN {}", "1:17", "character");
  expect_error("TASK 0 OUTPUTS \"\\\xc3\xa4\"", "1:18", "ASCII");
}

TEST(Parse, SaysWhatIsNotExecuted) {
  expect_error("TASK 0 OUTPUTS PROCESSOR_OF(0)", "1:16", "not executed");
  expect_error("IF MY TASK = 3 THEN {}", "1:4", "not executed");
  expect_error("FOR EACH x IN {y FOR EACH y IN {1}} {}", "1:18", "not executed");
}

TEST(Parse, WarnsOfAMinusThatIsNone) {
  const auto program = parse_program("TASK 0 OUTPUTS -MAX(1, 2)", "p");
  ASSERT_TRUE(program);
  ASSERT_EQ(program->warnings.size(), 1u);
  EXPECT_NE(program->warnings[0].find("minus before MAX"), std::string::npos);
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
