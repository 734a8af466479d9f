// Calls in words, and read back from them.
#include "analyze/text/describe.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trace/calls/predefined.hpp"
#include "trace/file/call_text.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {
namespace {

using trace::Event;
using trace::Kind;

std::int64_t as_number(std::string_view name) { return std::stoll(std::string(name)); }

// Values as traces have them: ordinary ones, those with names, and whatever a damaged one may hold.
class Values {
 public:
  std::int64_t of(Kind kind) {
    switch (random_() % 4) {
      case 0: return trace::kSpecialBase + static_cast<std::int64_t>(random_() % 20);
      case 1: return static_cast<std::int64_t>(random_());
      case 2: return static_cast<std::int64_t>(random_() % 200);
      default: break;
    }
    return kind == Kind::request ? -1 - static_cast<std::int64_t>(random_() % 100'000)
                                 : static_cast<std::int64_t>(random_() % 3);
  }
  std::size_t length() { return random_() % 5; }

 private:
  std::mt19937_64 random_{7};
};

Event random_event(const trace::Function& function, Values& values) {
  Event event;
  event.function = &function;
  for (const trace::Column& c : function.scalars) event.scalars.push_back(values.of(c.kind));
  for (const trace::Column& c : function.lists) {
    auto& list = event.lists.emplace_back();
    for (std::size_t n = values.length(); n > 0; --n) list.push_back(values.of(c.kind));
  }
  return event;
}

TEST(Describe, EveryCallOfEveryFunctionIsReadBack) {
  Values values;
  Event read;
  for (const trace::Function& f : trace::functions()) {
    for (int i = 0; i < 50; ++i) {
      const Event event = random_event(f, values);
      const std::string line = describe_event(event);
      const Status status = trace::parse_call(line, as_number, read);
      ASSERT_TRUE(status) << line << ": " << status.error().message;
      EXPECT_EQ(read.function, event.function) << line;
      EXPECT_EQ(read.scalars, event.scalars) << line;
      EXPECT_EQ(read.lists, event.lists) << line;
    }
  }
}

TEST(Describe, TextsAreQuotedForPeople) {
  Event event;
  event.function = &trace::function(*trace::find_function("MPI_File_delete"));
  event.lists.push_back({'a', '.', 'd'});
  EXPECT_EQ(describe_event(event), "MPI_File_delete filename=[97,46,100]");
  EXPECT_EQ(describe_event(event, Texts::quoted), "MPI_File_delete filename=\"a.d\"");
}

// Whatever becomes of a line, it is refused or it is one.
TEST(Describe, DamagedLinesAreRefusedOrRead) {
  Values values;
  Event read;
  std::mt19937_64 random(1);
  const std::string characters = "MPI_[],=- 0az/:.\n\x01\xff";
  std::size_t refused = 0;
  for (const trace::Function& f : trace::functions()) {
    for (int i = 0; i < 50; ++i) {
      std::string line = describe_event(random_event(f, values));
      const std::size_t at = random() % line.size();
      if (i % 3 == 0) {
        line.resize(at);
      } else if (i % 3 == 1) {
        line[at] = characters[random() % characters.size()];
      } else {
        line.erase(at, 1 + random() % 8);
      }
      const Status status = trace::parse_call(
          line, [](std::string_view name) { return std::ssize(name); }, read);
      refused += status ? 0 : 1;
      EXPECT_TRUE(status || !status.error().message.empty());
    }
  }
  EXPECT_GT(refused, trace::functions().size() * 25);
}

}  // namespace
}  // namespace reprise::analyze
