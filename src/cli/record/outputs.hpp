// Where a recording goes: what stands there before the run, and what the run has put there.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise::cli {

class Outputs {
 public:
  // The trace at `path`, or, for each rank, `path`.<rank>.
  Outputs(std::string path, bool each_rank);
  // The same where nothing stood before the run.
  static Outputs of_new(std::string path, bool each_rank);

  // Throws CommandError if the run could not write there, or would replace something unasked.
  void check(bool force) const;
  // Removes what earlier runs left that would be taken for this one's. Earlier traces stay until
  // there are new ones.
  void make_room() const;

  // The traces that the run wrote.
  std::vector<std::string> written() const;
  // Those of earlier runs that it did not replace, as of ranks that it did not have.
  void remove_stale() const;

  // All parts stay if a recorder writes one of them: then the run is still under way.
  void remove_parts() const;

  const std::string& path() const { return path_; }

 private:
  // A file by what tells it from one that takes its name later: its number, which may come again,
  // and when it got its name [ns].
  using Identity = std::pair<std::uint64_t, std::int64_t>;

  struct Nothing {};
  Outputs(std::string path, bool each_rank, Nothing);
  std::map<std::string, Identity> traces() const;

  const std::string path_;
  const bool each_rank_;
  const std::map<std::string, Identity> before_;
};

// Makes the folder of the plain log. Throws CommandError if that cannot be, or if it has one.
void prepare_log_folder(const std::string& folder, bool force);

// Throws CommandError if no file can be made beside `path`, or if it is a folder.
void check_writable(const std::string& path);

// Throws CommandError if the name of `what` ("a page") has a suffix other than these, by which
// other programs would take it for something else.
void check_suffix(const std::string& path, std::string_view what,
                  std::initializer_list<const char*> suffixes);

// Throws CommandError if `path` cannot be written, or if it exists and `force` is not given.
void check_new(const std::string& path, bool force);

// Removes existing files, and folders that are archives of OTF2 or empty; devices and links stay,
// and are written through. Throws CommandError if one exists and `force` is not given, and for
// other folders.
void make_room(const std::vector<std::string>& files, bool force);

// "reprise: wrote app.c (12.3 kB)" on a terminal; of a folder the bytes of all files in it. Silent
// for devices and pipes.
void say_written(const std::string& path);

}  // namespace reprise::cli
