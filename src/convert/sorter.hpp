// Sorts more records than memory holds: runs of records are sorted and kept in a file, and merged
// when they are read. Memory: kMemory, and half as much again while merging.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "convert/scratch_file.hpp"

namespace reprise::convert {

// `Record` is ordered by <; of records that are equal, any may come first.
template <class Record>
class Sorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  static constexpr std::size_t kMemory = std::size_t{1} << 24;  // [bytes]

  // Records that do not fit into memory go to a file `scratch`, which is never seen by that name.
  explicit Sorter(std::string scratch, std::size_t memory = kMemory)
      : scratch_(std::move(scratch)), most_(std::max<std::size_t>(1, memory / sizeof(Record))) {}

  void add(const Record& record) {
    records_.push_back(record);
    if (records_.size() >= most_) spill();
  }

  // Ends adding. The records follow from next().
  void sort() {
    if (runs_.empty()) return std::sort(records_.begin(), records_.end());
    spill();
    records_ = {};
    const std::size_t each = std::max<std::size_t>(1, most_ / 2 / runs_.size());
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      runs_[r].most = each;
      if (refill(runs_[r])) heads_.push({runs_[r].records[0], r});
    }
  }

  // The next record, valid until the one after it is asked for; null behind the last one.
  const Record* next() {
    if (runs_.empty()) return at_ < records_.size() ? &records_[at_++] : nullptr;
    if (heads_.empty()) return nullptr;
    const auto [record, r] = heads_.top();
    current_ = record;
    heads_.pop();
    Run& run = runs_[r];
    if (++run.at < run.records.size() || refill(run)) heads_.push({run.records[run.at], r});
    return &current_;
  }

  // errno where not all of the records could be kept in the file, or read again; else 0.
  int error() const { return error_; }

 private:
  struct Run {
    std::uint64_t first = 0, left = 0;  // in the file [records]
    std::size_t most = 0;               // read at once
    std::vector<Record> records = {};
    std::size_t at = 0;
  };
  struct Head {
    Record record;
    std::size_t run;
    bool operator<(const Head& other) const { return other.record < record; }  // the least on top
  };
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void spill() {
    if (records_.empty()) return;
    std::sort(records_.begin(), records_.end());
    if (!file_) file_.reset(open_scratch_file(scratch_));
    const bool is_kept = file_ && std::fwrite(records_.data(), sizeof(Record), records_.size(),
                                              file_.get()) == records_.size();
    if (!is_kept && error_ == 0) error_ = errno;
    runs_.push_back({.first = written_, .left = records_.size()});
    written_ += records_.size();
    records_.clear();
  }

  bool refill(Run& run) {
    run.records.resize(std::min<std::uint64_t>(run.most, run.left));
    run.at = 0;
    if (run.records.empty() || error_ != 0) return false;
    const auto place = static_cast<off_t>(run.first * sizeof(Record));
    const bool is_read = ::fseeko(file_.get(), place, SEEK_SET) == 0 &&
                         std::fread(run.records.data(), sizeof(Record), run.records.size(),
                                    file_.get()) == run.records.size();
    if (!is_read) error_ = std::feof(file_.get()) ? EIO : errno;
    run.first += run.records.size();
    run.left -= run.records.size();
    return is_read;
  }

  std::string scratch_;
  std::size_t most_;  // in memory [records]
  std::vector<Record> records_;
  std::size_t at_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t written_ = 0;  // [records]
  std::vector<Run> runs_;
  std::priority_queue<Head> heads_;
  Record current_{};
  int error_ = 0;
};

}  // namespace reprise::convert
