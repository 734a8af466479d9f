#include "convert/write.hpp"

#include "convert/dimemas.hpp"
#include "convert/dimemas_machine.hpp"
#include "convert/goal.hpp"
#include "convert/time_independent.hpp"

namespace reprise::convert {
namespace {

Status closed(TextFile& out, const std::string& path) {
  if (out.close()) return {};
  return Error{
      path +
      " cannot be written (the disk may be full, or the folder missing); choose another output"};
}

}  // namespace

std::vector<std::string> files_of(Format format, const std::string& path, std::size_t ranks) {
  std::vector<std::string> out{path};
  if (format == Format::dimemas) out.insert(out.end(), {path + ".cfg", path + ".collectives"});
  for (std::size_t r = 0; format == Format::ti && r < ranks; ++r)
    out.push_back(fmt::format("{}.{}", path, r));
  return out;
}

Status write_steps(const Steps& steps, Format format, const std::string& path,
                   const WriteOptions& options) {
  const std::vector<std::string> files = files_of(format, path, steps.ranks());
  TextFile out(path);
  switch (format) {
    case Format::goal: write_goal(steps, out, options.progress); break;
    case Format::dimemas: {
      write_dimemas(steps, options.name, out, options.progress);
      TextFile machine(files[1]), collectives(files[2]);
      write_dimemas_machine(options.machine, steps.ranks(), files[2], machine);
      write_dimemas_collectives(options.machine, collectives);
      if (Status ok = closed(machine, files[1]); !ok) return ok;
      if (Status ok = closed(collectives, files[2]); !ok) return ok;
      break;
    }
    case Format::ti:
      for (std::uint64_t r = 0; r < steps.ranks(); ++r) {
        out.line("{}", files[r + 1]);
        TextFile one(files[r + 1]);
        write_time_independent(steps, r, options.flops, one);
        if (options.progress) options.progress(r);
        if (Status ok = closed(one, files[r + 1]); !ok) return ok;
      }
      break;
  }
  if (!steps.is_good())
    return Error{"the steps that were collected cannot be read again; try another folder"};
  return closed(out, path);
}

}  // namespace reprise::convert
