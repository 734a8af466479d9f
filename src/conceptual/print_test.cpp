// What is printed is read as the tree that it was printed from.
#include "conceptual/print.hpp"

#include <gtest/gtest.h>

#include "conceptual/parse.hpp"

namespace reprise::conceptual {
namespace {

// The statements of a program, printed.
std::string again(const std::string& text) {
  const Result<Program> program = parse_program(text, "p");
  return program ? print_statements(program->statements) : program.error().message;
}

// Of an expression as TASK 0 OUTPUTS it.
std::string expression(const std::string& text) {
  const std::string out = again("LET k BE 1 AND m BE 2 AND n BE 3 WHILE TASK 0 OUTPUTS " + text);
  const std::string front = "OUTPUTS ";
  const std::size_t begin = out.find(front) + front.size();
  return out.substr(begin, out.size() - begin - 2);
}

TEST(Print, HasTheParenthesesThatTheGrammarNeeds) {
  for (const char* text : {"k+m*n", "(k+m)*n", "k-(m-n)", "k-m-n", "k/(m*n)", "k*m/n", "-k",
                           "-(k+m)", "k**m", "k IF m > n OTHERWISE n", "(k IF m > n OTHERWISE n)+1",
                           "k IF m > n OTHERWISE m IF k > n OTHERWISE n",
                           "(k IF m > n OTHERWISE m) IF k > n OTHERWISE n"})
    EXPECT_EQ(expression(text), text);
}

// To a reader MOD, shifts and bits have no order among other operators.
TEST(Print, SetsWordsApart) {
  EXPECT_EQ(expression("k MOD m*n"), "(k MOD m)*n");
  EXPECT_EQ(expression("k+m MOD n"), "k+(m MOD n)");
  EXPECT_EQ(expression("k/m MOD n"), "(k/m) MOD n");
  EXPECT_EQ(expression("(k+m) MOD n"), "(k+m) MOD n");
  EXPECT_EQ(expression("k << m & n"), "(k << m) & n");
  EXPECT_EQ(expression("k XOR m XOR n"), "k XOR m XOR n");
}

// A hyphen before a function is a blank to the language: functions have parentheses in differences.
TEST(Print, PutsParenthesesBehindAMinus) {
  EXPECT_EQ(expression("k-(MAX(m, n))"), "k-(MAX(m, n))");
  EXPECT_EQ(expression("k-(MAX(m, n)*n)"), "k-(MAX(m, n)*n)");
  EXPECT_EQ(expression("MAX(m, n)-k"), "(MAX(m, n))-k");
  EXPECT_EQ(expression("MESH_NEIGHBOR((4*, 3), k, (1, 0))"), "MESH_NEIGHBOR((4*, 3), k, (1, 0))");
}

TEST(Print, WritesStatementsAsTheyAreRead) {
  for (const char* text :
       {"TASKS t SUCH THAT t >= 1 ASYNCHRONOUSLY SEND A 8 BYTE MESSAGE TO UNSUSPECTING TASK "
        "(t-1).\n",
        "TASK 0 SENDS 3 8 BYTE MESSAGES TO TASK 1.\n",
        "TASKS t SUCH THAT t >= 0 RECEIVE A (4*num_tasks) BYTE MESSAGE FROM TASK 0.\n",
        "ALL TASKS AWAIT COMPLETION.\n", "TASK 0 MULTICASTS A 8 BYTE MESSAGE TO ALL OTHER TASKS.\n",
        "ALL TASKS REDUCE 3 DOUBLEWORDS.\n", "ALL TASKS REDUCE 3 INTEGERS TO TASK 2.\n",
        "TASK 0 RESETS ITS COUNTERS.\n", "TASK 0 LOGS THE elapsed_usecs/1000000 AS \"s\".\n",
        "TASKS t SUCH THAT t IS IN {1, 3, 4} COMPUTE FOR t*5 MICROSECONDS.\n",
        "ASSERT THAT \"it is\" WITH num_tasks = 4 \\/ (num_tasks > 6 /\\ num_tasks IS EVEN).\n",
        "FOR EACH i IN {0, ..., num_tasks-1} LET x BE i*2 WHILE IF x > 3 THEN TASK i "
        "SYNCHRONIZES.\n",
        "FOR 5 REPETITIONS {\n  ALL TASKS SYNCHRONIZE THEN\n  TASK 0 SENDS A 0 BYTE MESSAGE TO "
        "TASK "
        "1\n}.\n",
        "ALL TASKS BACKEND EXECUTE \"f(\" AND num_tasks AND \");\".\n"})
    EXPECT_EQ(again(text), text);
}

TEST(Print, KeepsWhatAnIfBelongsTo) {
  const std::string text =
      "IF num_tasks > 2 THEN {IF num_tasks > 3 THEN ALL TASKS SYNCHRONIZE} OTHERWISE TASK 0 "
      "OUTPUTS 2";
  EXPECT_EQ(again(text),
            "IF num_tasks > 2 THEN {\n  IF num_tasks > 3 THEN ALL TASKS SYNCHRONIZE\n} OTHERWISE "
            "TASK 0 OUTPUTS 2.\n");
}

TEST(Print, BreaksLinesOutsideOfParentheses) {
  std::string sum = "num_tasks";
  for (int i = 0; i < 12; ++i) sum += " XOR (num_tasks MOD 1" + std::to_string(i) + ")";
  const std::string text = again("TASK 0 OUTPUTS " + sum);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100u) << text;
    EXPECT_NE(text.substr(at, end - at).back(), '(') << text;
    at = end + 1;
  }
  EXPECT_EQ(again(text), text);
}

TEST(Print, BreaksNoStringsAndComments) {
  const std::string text = "\"" + std::string(60, 'a') + " \\\" " + std::string(60, 'b') + " c\"";
  EXPECT_EQ(again("TASK 0 OUTPUTS " + text), "TASK 0 OUTPUTS\n    " + text + ".\n");
  const std::string comment = std::string(150, 'x') + " y";
  std::vector<Statement> all;
  all.push_back({{}, Synchronize{}, 0, {}, comment});
  EXPECT_EQ(print_statements(all), "# " + comment + "\nALL TASKS SYNCHRONIZE.\n");
}

TEST(Print, DeclaresParameters) {
  const std::string text = "n IS \"How many\" AND COMES FROM \"--n\" OR \"-n\" WITH DEFAULT 4.\n";
  const auto program = parse_program(text + "TASK 0 OUTPUTS n.", "p");
  ASSERT_TRUE(program);
  EXPECT_EQ(print_parameters(program->parameters), text);
}

}  // namespace
}  // namespace reprise::conceptual
