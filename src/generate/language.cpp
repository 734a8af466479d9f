#include "generate/language.hpp"

#include <algorithm>
#include <array>

#include "generate/c_language.hpp"
#include "generate/conceptual_language.hpp"
#include "generate/python_language.hpp"

namespace reprise::generate {

std::span<const Language* const> languages() {
  static const std::array<const Language*, 3> all{&c_language(), &conceptual_language(),
                                                  &python_language()};
  return all;
}

const Language* find_language(std::string_view name) {
  const auto all = languages();
  const auto found = std::ranges::find(all, name, &Language::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace reprise::generate
