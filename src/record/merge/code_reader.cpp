#include "record/merge/code_reader.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "record/options.hpp"

namespace reprise::record {
namespace {

constexpr const char* kInstall =
    "install all of Reprise in one place, or set REPRISE_LIBDIR to where it is";
constexpr const char* kReport = "please report it";

using Read = unsigned char*(const unsigned char* table, std::size_t size, std::size_t* size_out);

void report(const std::string& why, const std::string& advice) {
  std::fprintf(
      stderr,
      "reprise: loops are found from repetition alone, not from the program's machine code "
      "(%s); %s\n",
      why.c_str(), advice.c_str());
}

std::string folder_of_recorder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&folder_of_recorder), &info) == 0 || !info.dli_fname)
    return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

// Where the library is; empty: nowhere.
std::string find_library() {
  for (const std::string& folder : {environment("REPRISE_LIBDIR") + "/", folder_of_recorder(),
                                    std::string(REPRISE_LIBDIR "/")}) {
    if (folder.empty() || folder == "/") continue;
    std::string path = folder + "libreprise-code.so";
    if (::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

Read* load_reader(const std::string& path) {
  if (path.empty()) return nullptr;  // as was said when the run began
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* read = library ? dlsym(library, "reprise_read_code") : nullptr;
  if (!read) report(dlerror(), kInstall);
  return reinterpret_cast<Read*>(read);
}

}  // namespace

void report_missing_reader() {
  if (find_library().empty())
    report("libreprise-code.so is not beside the recorder, in " + folder_of_recorder(), kInstall);
}

trace::Code read_code(const compress::CallpathTable& callpaths,
                      const compress::FunctionOfPath& functions) {
  try {
    Read* const read = load_reader(find_library());
    if (!read) return {};
    ByteWriter table;
    callpaths.encode(table);
    callpaths.for_each_path([&](std::uint64_t path, const auto&) {
      const auto function = functions.find(path);
      table.text(function == functions.end() ? std::string_view() : function->second);
    });
    std::size_t size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
        read(table.bytes().data(), table.size(), &size), std::free);
    if (!bytes) return report("its reader failed", kReport), trace::Code();
    ByteReader in(bytes.get(), size);
    trace::Code code = trace::decode_code(in);
    if (in.failed() || code.paths.size() != callpaths.size())
      return report("its reader failed", kReport), trace::Code();
    return code;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return report(e.what(), kReport), trace::Code();
  }
}

}  // namespace reprise::record
