#include "convert/write.hpp"

#include "convert/dimemas.hpp"
#include "convert/dimemas_machine.hpp"
#include "convert/goal.hpp"
#include "convert/time_independent.hpp"

namespace reprise::convert {
namespace {

Status closed(TextFile& out, const std::string& path) {
  if (out.close()) return {};
  return Error{path +
               " could not be written (is there room, and the folder?); choose another name"};
}

}  // namespace

std::vector<std::string> files_of(Format format, const std::string& path, std::size_t ranks) {
  std::vector<std::string> out{path};
  if (format == Format::dimemas) out.push_back(path + ".cfg");
  for (std::size_t r = 0; format == Format::ti && r < ranks; ++r)
    out.push_back(fmt::format("{}.{}", path, r));
  return out;
}

Status write_steps(const Steps& steps, Format format, const std::string& path,
                   const WriteOptions& options) {
  const std::vector<std::string> files = files_of(format, path, steps.size());
  TextFile out(path);
  switch (format) {
    case Format::goal: write_goal(steps, out); break;
    case Format::dimemas: {
      write_dimemas(steps, options.name, out);
      TextFile machine(files[1]);
      write_dimemas_machine(options.machine, steps.size(), machine);
      if (Status ok = closed(machine, files[1]); !ok) return ok;
      break;
    }
    case Format::ti:
      for (std::size_t r = 0; r < steps.size(); ++r) {
        out.line("{}", files[r + 1]);
        TextFile one(files[r + 1]);
        write_time_independent(steps[r], r, options.flops, one);
        if (Status ok = closed(one, files[r + 1]); !ok) return ok;
      }
      break;
  }
  return closed(out, path);
}

}  // namespace reprise::convert
