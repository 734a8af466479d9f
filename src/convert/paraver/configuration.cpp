#include "convert/paraver/configuration.hpp"

#include <map>
#include <string_view>

#include "convert/text_file.hpp"

namespace reprise::convert::paraver {
namespace {

struct StateName {
  State state;
  const char* name;
  const char* color;  // red, green, blue
};

constexpr StateName kStates[] = {
    {State::running, "Running", "0,0,255"},
    {State::not_created, "Not created", "255,255,255"},
    {State::receive, "Waiting a message", "255,0,0"},
    {State::send, "Blocking Send", "255,0,174"},
    {State::probe, "Test/Probe", "0,255,0"},
    {State::wait, "Wait/WaitAll", "235,0,0"},
    {State::immediate_send, "Immediate Send", "255,0,255"},
    {State::immediate_receive, "Immediate Receive", "100,100,177"},
    {State::io, "I/O", "172,174,41"},
    {State::collective, "Group Communication", "255,144,26"},
    {State::other, "Others", "192,224,0"},
    {State::send_and_receive, "Send Receive", "66,66,66"},
    {State::one_sided, "Memory transfer", "255,0,96"},
};

constexpr std::pair<CallType, const char*> kTypes[] = {
    {CallType::point_to_point, "MPI Point-to-point"},
    {CallType::collective, "MPI Collective Comm"},
    {CallType::other, "MPI Other"},
    {CallType::one_sided, "MPI One-sided"},
    {CallType::io, "MPI I/O"},
};

// The gradient of colors that Paraver draws values of a type with.
constexpr int kOfCalls = 9, kOfSizes = 1, kOfCallers = 0;

void write_states(TextFile& to) {
  to.line(
      "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n"
      "LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n"
      "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
      "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n");
  to.line("STATES");
  for (const StateName& s : kStates) to.line("{}    {}", static_cast<int>(s.state), s.name);
  to.line("\n\nSTATES_COLOR");
  for (const StateName& s : kStates) to.line("{}    {{{}}}", static_cast<int>(s.state), s.color);
  to.line("\n");
}

void write_calls(TextFile& to, const trace::Trace& trace) {
  std::map<CallType, std::map<std::uint32_t, std::string_view>> used;
  for (const trace::Call& c : trace.calls) {
    const CallValue value = value_of(c.function);
    const std::string_view known = name_of_value(value.value);
    used[value.type][value.value] = known.empty() ? trace::function(c.function).name : known;
  }
  for (const auto& [type, name] : kTypes) {
    if (!used.contains(type)) continue;
    to.line("EVENT_TYPE\n{}   {}    {}\nVALUES", kOfCalls, static_cast<std::uint32_t>(type), name);
    for (const auto& [value, function] : used[type]) to.line("{}   {}", value, function);
    to.line("0   Outside MPI\n\n");
  }
  to.line(
      "EVENT_TYPE\n{0}   {1}    Send Size in MPI Global OP\n{0}   {2}    Recv Size in MPI Global "
      "OP\n"
      "{0}   {3}    Root in MPI Global OP\n{0}   {4}    Communicator in MPI Global OP\n\n",
      kOfSizes, kSentSize, kReceivedSize, kRoot, kCommunicator);
}

void write_levels(TextFile& to, const Callers& callers, std::uint32_t type, const char* name,
                  const std::vector<std::string>& values) {
  to.line("EVENT_TYPE");
  for (std::uint32_t level = 1; level <= callers.most_levels(); ++level)
    to.line("{}    {}    {} at level {}", kOfCallers, type + level, name, level);
  to.line("VALUES\n0   End");
  for (std::size_t v = 0; v < values.size(); ++v) to.line("{}   {}", v + 1, values[v]);
  to.line("\n");
}

}  // namespace

std::string beside(const std::string& path, const char* extension) {
  return path.substr(0, path.rfind('.')) + extension;
}

Status write_names(const std::string& path, const trace::Trace& trace, const Callers& callers) {
  TextFile to(path);
  write_states(to);
  write_calls(to, trace);
  if (callers.most_levels() > 0) {
    write_levels(to, callers, kCaller, "Caller", callers.functions());
    write_levels(to, callers, kCallerLine, "Caller line", callers.lines());
  }
  return to.close();
}

Status write_rows(const std::string& path, std::uint64_t ranks) {
  TextFile to(path);
  to.line("LEVEL CPU SIZE {}", ranks);
  for (std::uint64_t r = 1; r <= ranks; ++r) to.line("{}.node", r);
  to.line("\nLEVEL NODE SIZE 1\nnode\n\nLEVEL THREAD SIZE {}", ranks);
  for (std::uint64_t r = 1; r <= ranks; ++r) to.line("THREAD 1.{}.1", r);
  return to.close();
}

}  // namespace reprise::convert::paraver
