#include "program/groups.hpp"

#include <map>

#include "program/slots.hpp"

namespace reprise::program {
namespace {

constexpr std::size_t kLeastRanks = 4;  // fewer are as short as a name and what it stands for

// "A" to "Z", then "A1" and so on.
std::string name_of(std::size_t group) {
  const std::string letter(1, static_cast<char>('A' + group % 26));
  return group < 26 ? letter : letter + std::to_string(group / 26);
}

void for_each_set(std::vector<Node>& nodes, const std::function<void(Who&)>& visit) {
  const auto look = [&](Who& who) {
    if (!who.condition && !who.parameter && who.streams && who.streams->size() >= kLeastRanks)
      visit(who);
  };
  for_each_slot(nodes, [&](const Slot& slot) {
    if (slot.who) look(*slot.who);
    if (!slot.value) return;
    for (Case& c : slot.value->cases) look(c.who);
  });
}

}  // namespace

void find_groups(Program& program) {
  std::map<Streams, std::vector<Who*>> uses;
  std::vector<const Streams*> order;
  const auto add = [&](Who& who) {
    const auto [entry, is_new] = uses.try_emplace(*who.streams);
    if (is_new) order.push_back(&entry->first);
    entry->second.push_back(&who);
  };
  for (Procedure& p : program.procedures) for_each_set(p.body, add);
  for_each_set(program.body, add);
  for (const Streams* streams : order) {
    const std::vector<Who*>& all = uses.at(*streams);
    if (all.size() < 2) continue;
    for (Who* who : all) who->group = program.groups.size();
    program.groups.push_back({name_of(program.groups.size()), all.front()->streams});
  }
}

}  // namespace reprise::program
