// The events of one OTF2 location, told to the stream that they become.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convert/otf2/definitions.hpp"

namespace reprise::convert::otf2 {

class LocationEvents {
 public:
  // REQUIRES: all outlive it.
  LocationEvents(const Definitions& definitions, RegionPaths& paths, CallStream& stream,
                 LossCounts& losses, std::uint32_t rank)
      : definitions_(definitions), paths_(paths), stream_(stream), losses_(losses), rank_(rank) {}

  // How OTF2_EvtReader is to call this; the user data is the LocationEvents.
  static OTF2_EvtReaderCallbacks* new_callbacks();

  // The command line, if a record says it.
  const std::string& program() const { return program_; }

 private:
  friend struct EventCallbacks;

  void enter(OTF2_RegionRef region, OTF2_TimeStamp time);
  void leave(OTF2_TimeStamp time);
  // Runs `record` within the call that is open, or else within one of its own that takes no time.
  template <class Record>
  void in_call(OTF2_TimeStamp time, trace::FunctionId function, const Record& record);
  // None: of a communicator that is not defined.
  std::optional<Message> message(std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                                 std::uint64_t bytes);
  std::optional<Collective> collective(OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                                       CollectiveBytes bytes);

  // A region that has been entered.
  struct Entered {
    RegionDefinition::Kind kind;
    std::uint32_t path_before;
  };

  const Definitions& definitions_;
  RegionPaths& paths_;
  CallStream& stream_;
  LossCounts& losses_;
  std::uint32_t rank_;
  std::vector<Entered> entered_;
  std::uint32_t path_ = RegionPaths::kOutside;
  std::string program_;
};

}  // namespace reprise::convert::otf2
