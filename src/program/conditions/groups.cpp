#include "program/conditions/groups.hpp"

#include <map>

#include "expr/print.hpp"
#include "program/nodes/slots.hpp"

namespace reprise::program {
namespace {

constexpr std::size_t kLeastRanks = 4;  // fewer are as short as a name and what it stands for
// Shorter conditions say more than a name, and so do longer ones that are read once or twice.
constexpr std::uint32_t kLeastNodes = 9;
constexpr std::size_t kLeastUses = 3;

// "A" to "Z", then "A1" and so on.
std::string name_of(std::size_t group) {
  const std::string letter(1, static_cast<char>('A' + group % 26));
  return group < 26 ? letter : letter + std::to_string(group / 26);
}

void for_each_who(std::vector<Node>& nodes, const std::function<void(Who&)>& visit) {
  const auto look = [&](Who& who) {
    if (!who.parameter) visit(who);
  };
  for_each_slot(nodes, [&](const Slot& slot) {
    if (slot.who) look(*slot.who);
    if (!slot.value) return;
    for (Case& c : slot.value->cases) look(c.who);
  });
}

void for_each_who(Program& program, const std::function<void(Who&)>& visit) {
  for (Procedure& p : program.procedures) for_each_who(p.body, visit);
  for_each_who(program.body, visit);
}

void name_sets(Program& program) {
  std::map<Streams, std::vector<Who*>> uses;
  std::vector<const Streams*> order;
  const auto add = [&](Who& who) {
    if (who.condition || !who.streams || who.streams->size() < kLeastRanks) return;
    const auto [entry, is_new] = uses.try_emplace(*who.streams);
    if (is_new) order.push_back(&entry->first);
    entry->second.push_back(&who);
  };
  for_each_who(program, add);
  for (const Streams* streams : order) {
    const std::vector<Who*>& all = uses.at(*streams);
    if (all.size() < 2) continue;
    for (Who* who : all) who->group = program.groups.size();
    program.groups.push_back({name_of(program.groups.size()), all.front()->streams});
  }
}

void name_conditions(Program& program) {
  std::map<std::string, std::vector<Who*>> uses;
  std::vector<std::string> order;
  for_each_who(program, [&](Who& who) {
    if (!who.condition || who.condition->nodes() < kLeastNodes) return;
    const std::string text = expr::print(*who.condition);
    const auto [entry, is_new] = uses.try_emplace(text);
    if (is_new) order.push_back(text);
    entry->second.push_back(&who);
  });
  for (const std::string& text : order) {
    const std::vector<Who*>& all = uses.at(text);
    if (all.size() < kLeastUses) continue;
    for (Who* who : all) who->group = program.groups.size();
    program.groups.push_back(
        {name_of(program.groups.size()), all.front()->streams, all.front()->condition});
  }
}

}  // namespace

void find_groups(Program& program) {
  name_sets(program);
  if (!program.domain) name_conditions(program);
}

}  // namespace reprise::program
