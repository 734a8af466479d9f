// An OTF2 archive (Score-P, Extrae, TAU) as a trace.
//
// Locations are read one after the other, each as a stream of events that is folded as it comes:
// memory is what the folded ranks take. Where the archive marks too little of how communicators
// were made, it is read a second time (import/communicators.hpp).
#pragma once

#include <string>

#include "base/result.hpp"
#include "convert/import/finish.hpp"

namespace reprise::convert::otf2 {

// `path`: of the anchor file, traces.otf2. Cost: all events.
Result<trace::Trace> import_archive(const std::string& path, const ImportSettings& settings);

}  // namespace reprise::convert::otf2
