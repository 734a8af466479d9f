#include "infer/predicate.hpp"

#include <gtest/gtest.h>

#include "expr/print.hpp"
#include "infer/sample_of.hpp"

namespace reprise::infer {
namespace {

const std::vector<World> kDiverse = {grid({4, 2}), grid({5, 3}), grid({6, 4}), grid({3, 8}),
                                     grid({7, 4})};

// The text of the condition, after its prediction for another world was compared with the truth.
std::string condition_of(const std::vector<World>& worlds, const Truth& truth,
                         const World& target) {
  const Result<Law> law = infer_ranks(sample(worlds, truth));
  if (!law) return law.error().message;
  EXPECT_EQ(law->standing, Standing::confirmed) << print(law->expression);
  EXPECT_TRUE(explains(law->expression, make_table(sample({target}, truth))))
      << print(law->expression);
  return print(law->expression);
}

std::string on_line(const Truth& truth) {
  return condition_of(lines({4, 7, 9, 12}), truth, {100, {}});
}
std::string on_grid(const Truth& truth) { return condition_of(kDiverse, truth, grid({9, 7})); }

TEST(Predicate, NamesEndsAndStrides) {
  EXPECT_EQ(on_line([](auto, auto&) { return 1; }), "1");
  EXPECT_EQ(on_line([](auto r, auto&) { return r == 0; }), "rank == 0");
  EXPECT_EQ(on_line([](auto r, auto&) { return r != 0; }), "rank > 0");
  EXPECT_EQ(on_line([](auto r, auto& w) { return r == w.ranks - 1; }), "rank + 1 == ranks");
  EXPECT_EQ(on_line([](auto r, auto& w) { return r < w.ranks / 2; }), "ranks / 2 > rank");
  EXPECT_EQ(on_line([](auto r, auto& w) { return r > 0 && r < w.ranks - 1; }),
            "rank > 0 && rank + 1 < ranks");
  on_line([](auto r, auto&) { return r % 2 == 0; });
  on_line([](auto r, auto&) { return r % 2 == 1; });
  on_line([](auto r, auto&) { return r % 4 == 0; });
}

TEST(Predicate, NamesPartsOfAGrid) {
  const auto x = [](std::int64_t r, const World& w, std::size_t i) {
    return coordinates(r, w.extents)[i];
  };
  EXPECT_EQ(on_grid([&](auto r, auto& w) { return x(r, w, 1) == 0; }), "x1 == 0");
  on_grid([&](auto r, auto& w) { return x(r, w, 0) == w.extents[0] - 1; });
  on_grid([&](auto r, auto& w) { return x(r, w, 0) % 2 == 1; });
  on_grid([&](auto r, auto& w) { return (x(r, w, 0) + x(r, w, 1)) % 2 == 0; });
  on_grid([&](auto r, auto& w) { return x(r, w, 0) == 0 && x(r, w, 1) == 0; });
  on_grid([&](auto r, auto& w) { return x(r, w, 0) > 0 && x(r, w, 1) < w.extents[1] - 1; });
  on_grid([&](auto r, auto& w) {
    return x(r, w, 0) > 0 && x(r, w, 0) < w.extents[0] - 1 && x(r, w, 1) > 0 &&
           x(r, w, 1) < w.extents[1] - 1;
  });
  on_grid([&](auto r, auto& w) {
    return x(r, w, 0) == 0 || x(r, w, 0) == w.extents[0] - 1 || x(r, w, 1) == 0 ||
           x(r, w, 1) == w.extents[1] - 1;
  });
}

TEST(Predicate, NamesPartsOfACube) {
  const std::vector<World> worlds = {grid({2, 3, 4}), grid({4, 3, 2}), grid({3, 5, 2}),
                                     grid({4, 4, 4})};
  const auto inside = [](std::int64_t r, const World& w) {
    const auto x = coordinates(r, w.extents);
    return x[0] > 0 && x[1] > 0 && x[2] > 0;
  };
  EXPECT_EQ(condition_of(worlds, inside, grid({5, 6, 7})), "x0 > 0 && x1 > 0 && x2 > 0");
}

// On square grids the last row may end where the columns do.
TEST(Predicate, RefusesWhatSquaresDoNotShow) {
  const auto last_row = [](std::int64_t r, const World& w) {
    return coordinates(r, w.extents)[1] == w.extents[1] - 1;
  };
  const Samples samples = sample({grid({3, 3}), grid({4, 4}), grid({5, 5})}, last_row);
  EXPECT_TRUE(infer_ranks(samples, {.target = grid({9, 9})}));
  const Result<Law> law = infer_ranks(samples, {.target = grid({9, 4})});
  ASSERT_FALSE(law) << print(law->expression);
  EXPECT_NE(law.error().message.find("do not tell"), std::string::npos);
}

TEST(Predicate, RefusesWhatNothingExplains) {
  const auto odd = [](std::int64_t r, const World&) { return 0x5a3c96e1 >> (r * 7 % 31) & 1; };
  const Result<Law> law = infer_ranks(sample(lines({11, 17, 23}), odd));
  EXPECT_TRUE(!law || law->standing == Standing::contradicted);
}

}  // namespace
}  // namespace reprise::infer
