#include "convert/write.hpp"

#include <cstring>

#include "convert/dimemas.hpp"
#include "convert/dimemas_machine.hpp"
#include "convert/goal.hpp"
#include "convert/time_independent.hpp"

namespace reprise::convert {

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
      if (Status ok = machine.close(); !ok) return ok;
      if (Status ok = collectives.close(); !ok) return ok;
      break;
    }
    case Format::ti:
      for (std::uint64_t r = 0; r < steps.ranks(); ++r) {
        out.line("{}", files[r + 1]);
        TextFile one(files[r + 1]);
        write_time_independent(steps, r, options.flops, one);
        if (options.progress) options.progress(r);
        if (Status ok = one.close(); !ok) return ok;
      }
      break;
  }
  if (const int error = steps.error(); error != 0) {
    return Error{std::string("its steps cannot be read again beside the output (") +
                 std::strerror(error) + "); choose an output in another folder"};
  }
  return out.close();
}

}  // namespace reprise::convert
