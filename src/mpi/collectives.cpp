#include "mpi/collectives.hpp"

#include <cctype>

#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Function;
using trace::Kind;
namespace traits = trace::traits;

bool is_collective(const Function& f) {
  const bool creates = (f.traits & traits::kCreate) && !(f.traits & traits::kLocal) &&
                       trace::made_column(f, Kind::comm);
  return ((f.traits & traits::kCollective) || creates) && !(f.traits & traits::kInit);
}

std::string operation_name(const Function& f) {
  std::string name(f.base.substr(std::string_view("MPI_").size()));
  if ((f.traits & traits::kNonblocking) && name.starts_with('I')) {
    name.erase(0, 1);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  }
  return name;
}

std::optional<std::size_t> root_column(const Function& f) {
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].kind == Kind::peer && f.scalars[c].name == "root") return c;
  }
  return std::nullopt;
}

std::int64_t root_of(const trace::Event& event) {
  const auto column = root_column(*event.function);
  return column ? event.scalars[*column] : trace::kNone;
}

bool is_root(const Communicator& communicator, std::int64_t root) {
  return communicator.is_inter ? root == trace::kRoot : root == communicator.membership.rank;
}

}  // namespace reprise::mpi
