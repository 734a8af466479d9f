// Files of the program, which are other ones in a replay: in a folder of its own.
#pragma once

#include <string>

#include "base/result.hpp"

namespace reprise::replay {

// A fresh folder within `parent`, or TMPDIR where that is empty.
Result<std::string> make_scratch(const std::string& parent);
void remove_scratch(const std::string& folder);

// The file in the scratch folder that stands for one of that name.
std::string scratch_path(const std::string& folder, const std::string& name);

// A file that the program found there: all zeros, and as large as anyone may read.
void ensure_file(const std::string& path);

}  // namespace reprise::replay
