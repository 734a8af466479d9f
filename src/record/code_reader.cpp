#include "record/code_reader.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "record/options.hpp"

namespace reprise::record {
namespace {

using Read = unsigned char*(const unsigned char* table, std::size_t size, std::size_t* size_out);

std::string folder_of_recorder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&folder_of_recorder), &info) == 0 || !info.dli_fname)
    return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

Read* find_reader() {
  for (const std::string& folder : {environment("REPRISE_LIBDIR") + "/", folder_of_recorder(),
                                    std::string(REPRISE_LIBDIR "/")}) {
    if (folder.empty() || folder == "/") continue;
    void* library = dlopen((folder + "libreprise-code.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    if (void* read = dlsym(library, "reprise_read_code")) return reinterpret_cast<Read*>(read);
  }
  return nullptr;
}

}  // namespace

trace::Code read_code(const compress::CallpathTable& callpaths) noexcept {
  try {
    Read* const read = find_reader();
    if (!read) return {};
    ByteWriter table;
    callpaths.encode(table);
    std::size_t size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
        read(table.bytes().data(), table.size(), &size), std::free);
    if (!bytes) return {};
    ByteReader in(bytes.get(), size);
    trace::Code code = trace::decode_code(in);
    if (in.failed() || code.paths.size() != callpaths.size()) return {};
    return code;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace reprise::record
