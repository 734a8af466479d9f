#include "conceptual/read/keywords.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace reprise::conceptual {
namespace {

// A line for each meaning, its first form is the one that the parser asks for.
constexpr const char* kForms[] = {"A AN",
                                  "ABSOLUTE",
                                  "AGGREGATES",
                                  "ALIGNED",
                                  "ALL",
                                  "AND",
                                  "ARITHMETIC",
                                  "AS",
                                  "ASSERT",
                                  "ASSIGNED",
                                  "ASYNCHRONOUSLY",
                                  "AWAIT AWAITS",
                                  "BACKEND",
                                  "BE",
                                  "BIT BITS",
                                  "BUFFER BUFFERS",
                                  "BUT",
                                  "BYTE BYTES",
                                  "COMES",
                                  "COMPLETION COMPLETIONS",
                                  "COMPUTE COMPUTES",
                                  "COUNTERS",
                                  "CURRENT",
                                  "DATA",
                                  "DAY DAYS",
                                  "DECLARES",
                                  "DEFAULT",
                                  "DEVIATION",
                                  "DIVIDES",
                                  "DOUBLEWORD DOUBLEWORDS",
                                  "EACH",
                                  "EVEN",
                                  "EXECUTE EXECUTES",
                                  "FINAL",
                                  "FOR",
                                  "FROM",
                                  "GEOMETRIC",
                                  "GIGABYTE",
                                  "GREATER",
                                  "GROUP",
                                  "HALFWORD HALFWORDS",
                                  "HARMONIC",
                                  "HISTOGRAM",
                                  "HOUR HOURS",
                                  "IF",
                                  "IN",
                                  "INTEGER INTEGERS",
                                  "INTO",
                                  "IS ARE",
                                  "IT THEM",
                                  "ITS THEIR",
                                  "KILOBYTE",
                                  "LANGUAGE",
                                  "LESS",
                                  "LET",
                                  "LOG LOGS",
                                  "MAXIMUM",
                                  "MEAN",
                                  "MEDIAN",
                                  "MEGABYTE",
                                  "MEMORY",
                                  "MESSAGE MESSAGES",
                                  "MICROSECOND MICROSECONDS",
                                  "MILLISECOND MILLISECONDS",
                                  "MINIMUM",
                                  "MINUTE MINUTES",
                                  "MISALIGNED",
                                  "MOD",
                                  "MULTICAST MULTICASTS",
                                  "MY",
                                  "NONUNIQUE",
                                  "NOT",
                                  "ODD",
                                  "OF",
                                  "OR",
                                  "OTHER",
                                  "OTHERWISE",
                                  "OUTPUT OUTPUTS",
                                  "PAGE PAGES",
                                  "PERCENTILE",
                                  "PLUS",
                                  "PROCESSOR PROCESSORS",
                                  "QUADWORD QUADWORDS",
                                  "RANDOM",
                                  "REAL",
                                  "RECEIVE RECEIVES",
                                  "REDUCE REDUCES",
                                  "REGION",
                                  "REPETITION REPETITIONS",
                                  "REQUIRE",
                                  "RESET RESETS",
                                  "RESTORE RESTORES",
                                  "RESULT RESULTS",
                                  "SECOND SECONDS",
                                  "SEND SENDS",
                                  "SIZED",
                                  "SLEEP SLEEPS",
                                  "STANDARD",
                                  "STORE STORES",
                                  "STRIDE",
                                  "SUCH",
                                  "SUM",
                                  "SYNCHRONIZATION",
                                  "SYNCHRONIZE SYNCHRONIZES",
                                  "SYNCHRONOUSLY",
                                  "TAG",
                                  "TASK TASKS",
                                  "THAN",
                                  "THAT",
                                  "THE",
                                  "THEN",
                                  "TIME TIMES",
                                  "TO",
                                  "TOUCH TOUCHES",
                                  "TOUCHING",
                                  "UNALIGNED",
                                  "UNIQUE",
                                  "UNSUSPECTING",
                                  "USING",
                                  "VALUE",
                                  "VARIANCE",
                                  "VERIFICATION",
                                  "VERSION",
                                  "WARMUP",
                                  "WHERE",
                                  "WHILE",
                                  "WHO",
                                  "WITH",
                                  "WITHOUT",
                                  "WORD WORDS",
                                  "XOR"};

constexpr std::string_view kFunctions[] = {"ABS",
                                           "BITS",
                                           "CBRT",
                                           "CEILING",
                                           "FACTOR10",
                                           "FLOOR",
                                           "KNOMIAL_CHILD",
                                           "KNOMIAL_CHILDREN",
                                           "KNOMIAL_PARENT",
                                           "LOG10",
                                           "MAX",
                                           "MESH_COORDINATE",
                                           "MESH_DISTANCE",
                                           "MESH_NEIGHBOR",
                                           "MIN",
                                           "RANDOM_GAUSSIAN",
                                           "RANDOM_PARETO",
                                           "RANDOM_POISSON",
                                           "RANDOM_UNIFORM",
                                           "ROOT",
                                           "ROUND",
                                           "SQRT",
                                           "TREE_CHILD",
                                           "TREE_PARENT"};

// Functions that are not executed; their names are reserved all the same.
constexpr std::string_view kOtherFunctions[] = {"FILE_DATA", "PROCESSOR_OF", "STATIC_FILE_DATA",
                                                "TASK_OF"};

using Forms = std::unordered_map<std::string_view, std::string_view>;

Forms make_forms() {
  Forms out;
  for (const std::string_view line : kForms) {
    const std::string_view first = line.substr(0, line.find(' '));
    out.emplace(first, first);
    if (first.size() < line.size()) out.emplace(line.substr(first.size() + 1), first);
  }
  for (const std::string_view name : kFunctions) out.emplace(name, name);
  for (const std::string_view name : kOtherFunctions) out.emplace(name, name);
  return out;
}

}  // namespace

std::string_view first_form(std::string_view word) {
  static const Forms forms = make_forms();
  const auto found = forms.find(word);
  return found == forms.end() ? std::string_view() : found->second;
}

bool is_other_function(std::string_view word) {
  return std::find(std::begin(kOtherFunctions), std::end(kOtherFunctions), word) !=
         std::end(kOtherFunctions);
}

bool is_function(std::string_view word) {
  return std::find(std::begin(kFunctions), std::end(kFunctions), word) != std::end(kFunctions);
}

}  // namespace reprise::conceptual
