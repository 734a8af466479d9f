#include "conceptual/options.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace reprise::conceptual {

namespace {

// CLI11 knows nothing of the words behind a prefix command.
class UsageWithOperands : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string out = CLI::Formatter::make_usage(app, std::move(name));
    out.insert(out.find_last_not_of('\n') + 1, std::string(" ") + kOperands);
    return out;
  }
};

}  // namespace

void add_options(CLI::App& app, Options& o) {
  app.prefix_command();
  app.formatter(std::make_shared<UsageWithOperands>());
  app.add_option("--seed", o.seed, "Seed for random tasks and numbers")->capture_default_str();
  app.add_flag("--force", o.force, "Replace existing logs");
}

void take_words(const CLI::App& app, Options& o) {
  o.words = app.remaining();
  if (!o.words.empty() && o.words.front() == "--") o.words.erase(o.words.begin());
  if (o.words.empty()) throw CLI::RequiredError("a program (FILE.ncptl)");
  o.file = o.words.front();
  if (o.file.starts_with("-")) throw CLI::ExtrasError({o.file});
  o.words.erase(o.words.begin());
}

std::vector<std::string> words_of(const Options& o) {
  std::vector<std::string> out;
  if (o.seed != Options{}.seed) out.insert(out.end(), {"--seed", std::to_string(o.seed)});
  if (o.force) out.emplace_back("--force");
  out.push_back(o.file);
  out.insert(out.end(), o.words.begin(), o.words.end());
  return out;
}

}  // namespace reprise::conceptual
