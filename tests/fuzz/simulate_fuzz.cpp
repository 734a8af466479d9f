#include "simulate_fuzz.hpp"

#include "convert/write.hpp"
#include "simulate/results/efficiency.hpp"

namespace reprise {
namespace {

constexpr std::uint64_t kWork = 20'000;

simulate::Machine machine(simulate::MessageModel model) {
  simulate::Machine m;
  m.model = model;
  m.overhead = m.gap = m.overhead_per_byte = 1000;
  m.eager = 1000;
  return m;
}

void simulate_on(const trace::Trace& trace, const simulate::Machine& m, bool recorded) {
  simulate::Options options;
  options.work = kWork;
  options.paths = !recorded;
  if (recorded) options.matching = simulate::Matching::recorded;
  const auto out = simulate::simulate(trace, m, options);
  if (!out || !out->blocked.empty()) return;
  const auto ideal = simulate::simulate(trace, m.with_ideal_network(), options);
  if (ideal) (void)simulate::efficiency_of(*out, *ideal);
}

void export_to(const trace::Trace& trace, convert::Format format) {
  const auto steps = convert::Steps::beside("fuzz-export", trace.ranks);
  if (!steps) return;
  simulate::Options options;
  options.work = kWork;
  const convert::Collecting how{.has_meetings = format == convert::Format::dimemas,
                                .options = options};
  if (convert::collect(trace, {}, how, *steps))
    (void)convert::write_steps(*steps, format, "fuzz-export", {.name = "fuzz"});
}

}  // namespace

void simulate_all(const trace::Trace& trace) {
  using simulate::MessageModel;
  for (const MessageModel model :
       {MessageModel::dimemas, MessageModel::hockney, MessageModel::loggp, MessageModel::loggops})
    simulate_on(trace, machine(model), model == MessageModel::hockney);
  simulate::Machine crowded = machine(MessageModel::dimemas);
  crowded.buses = crowded.input_links = 1;
  crowded.processors = 2;
  crowded.collectives = simulate::CollectiveModel::dimemas;
  simulate_on(trace, crowded, false);
  constexpr std::uint64_t kFiles = 16;
  if (trace.ranks > kFiles) return;
  for (const convert::Format f :
       {convert::Format::goal, convert::Format::ti, convert::Format::dimemas})
    export_to(trace, f);
}

}  // namespace reprise
