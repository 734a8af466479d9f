// Programs in, what tasks do out; and errors with their places.
#include <gtest/gtest.h>

#include <sstream>

#include "conceptual/evaluate.hpp"
#include "conceptual/execute.hpp"
#include "conceptual/parser.hpp"

namespace reprise::conceptual {
namespace {

// Writes down what it is asked to do.
class Scribe : public Machine {
 public:
  Scribe(std::int64_t task, std::int64_t tasks) : task_(task), tasks_(tasks) {}
  std::string text() const { return out_.str(); }

  std::int64_t task() const override { return task_; }
  std::int64_t tasks() const override { return tasks_; }
  void send(std::int64_t to, std::int64_t bytes, std::int64_t tag, Completion when) override {
    out_ << (when == Completion::later ? "isend " : "send ") << bytes << " to " << to << " tag "
         << tag << "\n";
  }
  void receive(std::int64_t from, std::int64_t bytes, std::int64_t tag, Completion when) override {
    out_ << (when == Completion::later ? "irecv " : "recv ") << bytes << " from " << from << " tag "
         << tag << "\n";
  }
  void await_all() override { out_ << "await\n"; }
  void synchronize(const std::vector<std::int64_t>& m) override {
    out_ << "barrier" << list(m) << "\n";
  }
  void broadcast(const std::vector<std::int64_t>& m, std::int64_t root,
                 std::int64_t bytes) override {
    out_ << "bcast " << bytes << " of " << root << list(m) << "\n";
  }
  void exchange(const Exchange& e) override {
    out_ << (e.is_uniform ? "alltoall" : "alltoallv") << list(e.members) << " out"
         << list(e.outgoing) << " in" << list(e.incoming) << "\n";
  }
  void reduce(const std::vector<std::int64_t>& m, std::int64_t root, std::int64_t count,
              std::int64_t unit) override {
    out_ << "reduce " << count << "x" << unit << " to " << root << list(m) << "\n";
  }
  void compute(std::int64_t us) override { out_ << "compute " << us << "\n"; }
  void sleep(std::int64_t us) override { out_ << "sleep " << us << "\n"; }
  std::int64_t now_us() override { return now_ += 10; }
  void print(const std::string& text) override { out_ << text; }

 private:
  static std::string list(const std::vector<std::int64_t>& all) {
    std::string out;
    for (const std::int64_t v : all) out += " " + std::to_string(v);
    return out;
  }

  std::int64_t task_, tasks_, now_ = 0;
  std::ostringstream out_;
};

std::string run(const std::string& text, std::int64_t task, std::int64_t tasks,
                const std::vector<std::string>& words = {}) {
  const auto program = parse_program(text, "p");
  if (!program) return program.error().message;
  const auto arguments = read_arguments(*program, words, tasks);
  if (!arguments) return arguments.error().message;
  Scribe machine(task, tasks);
  const Status done = execute(*program, *arguments, machine, "p");
  return machine.text() + (done ? "" : done.error().message);
}

TEST(Conceptual, SendsAndReceives) {
  const char* ring =
      "ALL TASKS t SEND A 1K BYTE MESSAGE USING TAG 3 TO UNSUSPECTING TASK "
      "(t+1) MOD num_tasks THEN ALL TASKS t RECEIVE A 1024 BYTE MESSAGE USING TAG 3 "
      "FROM TASK (t+num_tasks-1) MOD num_tasks.";
  EXPECT_EQ(run(ring, 0, 4), "send 1024 to 1 tag 3\nrecv 1024 from 3 tag 3\n");
  EXPECT_EQ(run(ring, 3, 4), "send 1024 to 0 tag 3\nrecv 1024 from 2 tag 3\n");
}

TEST(Conceptual, WhoIsSentToReceives) {
  const char* program =
      "task 0 asynchronously sends 2 3 integer messages to all other tasks then "
      "all tasks await completion.";
  EXPECT_EQ(run(program, 0, 3),
            "isend 12 to 1 tag 0\nisend 12 to 1 tag 0\nisend 12 to 2 tag 0\n"
            "isend 12 to 2 tag 0\nawait\n");
  EXPECT_EQ(run(program, 2, 3), "irecv 12 from 0 tag 0\nirecv 12 from 0 tag 0\nawait\n");
}

TEST(Conceptual, LoopsChoicesAndNames) {
  EXPECT_EQ(run("FOR EACH i IN {1, ..., 3} IF i IS ODD THEN TASK 0 COMPUTES FOR i MICROSECONDS "
                "OTHERWISE TASK 0 SLEEPS FOR i MILLISECONDS.",
                0, 1),
            "compute 1\nsleep 2000\ncompute 3\n");
  EXPECT_EQ(run("FOR EACH i IN {10, 8, ..., 5} TASK 0 COMPUTES FOR i MICROSECONDS.", 0, 1),
            "compute 10\ncompute 8\ncompute 6\n");
  EXPECT_EQ(run("LET n BE 2 AND m BE n*3 WHILE { FOR n REPETITIONS TASKS t SUCH THAT t>0 /\\ "
                "t<m SYNCHRONIZE }.",
                1, 3),
            "barrier 1 2\nbarrier 1 2\n");
}

TEST(Conceptual, Collectives) {
  EXPECT_EQ(run("TASK 1 MULTICASTS A 8 BYTE MESSAGE TO ALL OTHER TASKS.", 0, 3),
            "bcast 8 of 1 0 1 2\n");
  EXPECT_EQ(run("ALL TASKS t MULTICAST A 8 BYTE MESSAGE TO TASKS u SUCH THAT u>=0.", 1, 2),
            "alltoall 0 1 out 8 8 in 8 8\n");
  EXPECT_EQ(run("TASKS t SUCH THAT t<>1 MULTICAST A 8 BYTE MESSAGE TO TASK 1.", 1, 3),
            "alltoallv 0 1 2 out 0 0 0 in 8 0 8\n");
  EXPECT_EQ(run("ALL TASKS REDUCE 5 DOUBLEWORDS TO TASK 2.", 0, 3), "reduce 5x8 to 2 0 1 2\n");
  EXPECT_EQ(run("ALL TASKS REDUCE AN INTEGER.", 0, 2), "reduce 1x4 to -1 0 1\n");
}

TEST(Conceptual, ParametersAndLogs) {
  const char* program =
      "REQUIRE LANGUAGE VERSION \"1.5\".\n# a comment\n"
      "reps IS \"Iterations\" AND COMES FROM \"--reps\" OR \"-r\" WITH DEFAULT 2.\n"
      "ASSERT THAT \"there are two tasks\" WITH num_tasks = 2.\n"
      "FOR reps REPETITIONS { TASK 0 RESETS ITS COUNTERS THEN TASK 0 SENDS A 4 BYTE MESSAGE TO "
      "TASK 1 THEN TASK 0 LOGS the bytes_sent/8 AS \"words\" AND elapsed_usecs AS \"time\" }.";
  EXPECT_EQ(run(program, 0, 2, {"-r", "1"}), "send 4 to 1 tag 0\n\"words\",\"time\"\n0.5,20\n");
  EXPECT_EQ(run(program, 0, 3), "p:4:1: it does not hold that there are two tasks");
  EXPECT_EQ(run(program, 0, 2, {"--steps", "1"}),
            "the program has no parameter --steps (--help lists them)");
}

TEST(Conceptual, ErrorsHaveAPlace) {
  EXPECT_EQ(run("TASK 0 SENDS A 8 BYTE MESSAGE\nTO TASK x.", 0, 2),
            "p:2:9: x is not known here (it is no variable of a loop, LET or parameter around it); "
            "declare it");
  EXPECT_EQ(run("ALL TASKS SYNCHRONIZE", 0, 2),
            "p:1:22: the program ends too early (it takes . here)");
  EXPECT_EQ(run("TASK 0 SENDS A 8 BYTE MESSAGE TO ALL TASKS.", 0, 2).substr(0, 7), "p:1:34:");
  EXPECT_EQ(run("FOR 1/(num_tasks-2) REPETITIONS ALL TASKS SYNCHRONIZE.", 0, 2),
            "p:1:6: a division by zero");
  EXPECT_EQ(run("TASK 0 ASYNCHRONOUSLY COMPUTES FOR 1 SECOND.", 0, 2).substr(0, 7), "p:1:23:");
  EXPECT_EQ(run("OUTPUT $.", 0, 2), "p:1:8: '$' is no word of the language; take it out");
  EXPECT_NE(run("TASK " + std::string(100000, '('), 0, 1).find("nests too deeply"),
            std::string::npos);
  EXPECT_NE(run(std::string(100000, '{'), 0, 1).find("nest too deeply"), std::string::npos);
}

TEST(Conceptual, NumbersAreThoseOfTheLanguage) {
  const auto value = [](const std::string& e) {
    return run("TASK 0 COMPUTES FOR " + e + " MICROSECONDS.", 0, 9);
  };
  EXPECT_EQ(value("2+3*4**2"), "compute 50\n");
  EXPECT_EQ(value("(0-1) MOD 9"), "compute 8\n");
  EXPECT_EQ(value("7/2"), "compute 3\n");
  EXPECT_EQ(value("(3 IF num_tasks > 8 OTHERWISE 4)"), "compute 3\n");
  EXPECT_EQ(value("MAX(2, 1 << 4, 5 XOR 1) & 24"), "compute 16\n");
  EXPECT_EQ(value("9223372036854775807 + 1"), "p:1:41: a number does not fit into 64 bits");
}

}  // namespace
}  // namespace reprise::conceptual
