#include "convert/otf2/import.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "convert/otf2/events.hpp"

namespace reprise::convert::otf2 {
namespace {

constexpr std::uint64_t kEventsAtOnce = std::uint64_t{1} << 20;

constexpr const char* kLacks =
    "imported from OTF2, which has no datatypes (sizes are bytes of MPI_BYTE), no reduction "
    "operations (MPI_BOR), no wildcards (sources and tags are those received), no splits "
    "(communicators have the members that they had, colors are made up), and of requests only "
    "which ones a call completed";

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Reader = std::unique_ptr<OTF2_Reader, CloseReader>;

Result<Reader> open_reader(const std::string& path, Complaints& complaints) {
  Reader reader(OTF2_Reader_Open(path.c_str()));
  if (!reader) return Error{complaints.first()};
  OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  return reader;
}

// A text of the archive that the library allocates; empty without one.
template <class Get>
std::string text_of(OTF2_Reader* reader, Get get) {
  char* text = nullptr;
  if (get(reader, &text) != OTF2_SUCCESS || !text) return "";
  std::string out(text);
  std::free(text);
  return out;
}

class ArchiveImport {
 public:
  ArchiveImport(OTF2_Reader* reader, const Definitions& definitions, Complaints& complaints,
                const ImportSettings& settings)
      : reader_(reader),
        definitions_(definitions),
        complaints_(complaints),
        settings_(settings),
        comms_(definitions.comms, definitions.locations.size()) {}

  // How clocks of locations differ; archives need not have that.
  void read_local_definitions() {
    for_each_location([&](OTF2_LocationRef l) { OTF2_Reader_SelectLocation(reader_, l); });
    if (OTF2_Reader_OpenDefFiles(reader_) == OTF2_SUCCESS) {
      for_each_location([&](OTF2_LocationRef l) {
        OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader_, l);
        if (!local) return;
        std::uint64_t read = 0;
        OTF2_Reader_ReadAllLocalDefinitions(reader_, local, &read);
        OTF2_Reader_CloseDefReader(reader_, local);
      });
      OTF2_Reader_CloseDefFiles(reader_);
    }
    complaints_.clear();
  }

  // The ranks, or the first thing that cannot be read.
  Result<std::vector<compress::Process>> read(Creation creation) {
    std::vector<compress::Process> out;
    done_ = 0;
    misses_comms_ = false;
    if (OTF2_Reader_OpenEvtFiles(reader_) != OTF2_SUCCESS) return Error{complaints_.first()};
    for (std::size_t rank = 0; rank < definitions_.locations.size(); ++rank) {
      RankImport import(comms_, rank, creation, settings_.times);
      for (const OTF2_LocationRef location : definitions_.locations[rank])
        if (const Status read = read_location(location, rank, import); !read) return read.error();
      misses_comms_ = misses_comms_ || import.misses_comms();
      if (misses_comms_ && creation == Creation::in_place) break;
      out.push_back(import.finish());
    }
    OTF2_Reader_CloseEvtFiles(reader_);
    return out;
  }

  bool misses_comms() const { return misses_comms_; }
  // The command line, where records say it.
  const std::string& program() const { return program_; }

 private:
  template <class Visit>
  void for_each_location(const Visit& visit) const {
    for (const auto& of_rank : definitions_.locations)
      for (const OTF2_LocationRef location : of_rank) visit(location);
  }

  Status read_location(OTF2_LocationRef location, std::size_t rank, RankImport& import) {
    OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader_, location);
    if (!events) return Error{complaints_.first()};
    CallStream stream = import.begin_stream();
    LocationEvents told(definitions_, import.paths(), stream, import.losses(),
                        static_cast<std::uint32_t>(rank));
    OTF2_EvtReaderCallbacks* const callbacks = LocationEvents::new_callbacks();
    OTF2_Reader_RegisterEvtCallbacks(reader_, events, callbacks, &told);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    Status status;
    for (std::uint64_t read = kEventsAtOnce; read == kEventsAtOnce;) {
      read = 0;
      if (OTF2_Reader_ReadLocalEvents(reader_, events, kEventsAtOnce, &read) != OTF2_SUCCESS) {
        status = Error{complaints_.first()};
        break;
      }
      done_ += read;
      if (settings_.progress) settings_.progress("events read", done_, definitions_.events);
    }
    OTF2_Reader_CloseEvtReader(reader_, events);
    if (program_.empty()) program_ = told.program();
    import.end_stream(stream);
    return status;
  }

  OTF2_Reader* reader_;
  const Definitions& definitions_;
  Complaints& complaints_;
  const ImportSettings& settings_;
  SourceComms comms_;
  std::uint64_t done_ = 0;
  bool misses_comms_ = false;
  std::string program_;
};

Error unreadable(const std::string& path, const std::string& why) {
  return Error{path + " cannot be imported (" + why + "); `otf2-print " + path +
               "` shows what the archive has"};
}

// None: communicators are used before it is marked that they were made.
Result<std::optional<trace::Trace>> read_once(const std::string& path, Creation creation,
                                              const ImportSettings& settings,
                                              Complaints& complaints) {
  const auto reader = open_reader(path, complaints);
  if (!reader) return reader.error();
  const Result<Definitions> definitions = read_definitions(reader->get(), complaints);
  if (!definitions) return definitions.error();
  ArchiveImport archive(reader->get(), *definitions, complaints, settings);
  archive.read_local_definitions();
  auto ranks = archive.read(creation);
  if (!ranks) return ranks.error();
  if (archive.misses_comms() && creation == Creation::in_place)
    return std::optional<trace::Trace>();
  if (definitions->other_locations > 0) {
    ranks->front().own.losses["locations that belong to no rank of MPI"] =
        definitions->other_locations;
  }
  SourceNote note;
  note.program = text_of(reader->get(), OTF2_Reader_GetDescription);
  if (note.program.empty()) note.program = archive.program();
  const std::string creator = text_of(reader->get(), OTF2_Reader_GetCreator);
  note.origin = "not known; OTF2 archive" + (creator.empty() ? "" : " by " + creator);
  note.lacks = kLacks;
  note.date = definitions->date;
  return std::optional(finish_import(std::move(*ranks), definitions->regions, note));
}

}  // namespace

Result<trace::Trace> import_archive(const std::string& path, const ImportSettings& settings) {
  Complaints complaints;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return Error{path +
                 " is not a file (an archive is a folder with a file traces.otf2); give that file"};
  }
  auto trace = read_once(path, Creation::in_place, settings, complaints);
  if (trace && !*trace) trace = read_once(path, Creation::at_init, settings, complaints);
  if (!trace) return unreadable(path, trace.error().message);
  return std::move(**trace);
}

}  // namespace reprise::convert::otf2
