// Flat text (docs/import.md) as a trace: a log for each thread, a line for each call.
#pragma once

#include "base/result.hpp"
#include "convert/import/finish.hpp"
#include "trace/file/flat_log.hpp"

namespace reprise::convert::text {

// Progress counts ranks. Memory: what the folded ranks take.
Result<trace::Trace> import_logs(const trace::FlatLogs& logs, const ImportSettings& settings);

}  // namespace reprise::convert::text
