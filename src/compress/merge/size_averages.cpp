#include "compress/merge/size_averages.hpp"

#include <algorithm>

#include "trace/series/series_map.hpp"
#include "trace/values/special.hpp"

namespace reprise::compress {

using trace::Blocks;
using trace::Function;
using trace::Kind;
using trace::Payload;

namespace {

bool has_listed_counts(const Payload& p) { return p.blocks == Blocks::listed && !p.typed_each; }

// The payload whose counts are this list, or null.
const Payload* payload_of_list(const Function& f, std::size_t list) {
  const auto found = std::ranges::find_if(f.payloads, [list](const Payload& p) {
    return has_listed_counts(p) && p.count == static_cast<std::int8_t>(list);
  });
  return found == f.payloads.end() ? nullptr : &*found;
}

const Payload* payload_of_scalar(const Function& f, std::size_t scalar) {
  const auto found = std::ranges::find_if(f.payloads, [scalar](const Payload& p) {
    return p.blocks != Blocks::listed && p.count == static_cast<std::int8_t>(scalar);
  });
  return found == f.payloads.end() ? nullptr : &*found;
}

}  // namespace

bool SizeTotals::apply_to(trace::FunctionId function) {
  return std::ranges::any_of(trace::function(function).payloads, has_listed_counts);
}

void SizeTotals::take(trace::FunctionId function, std::span<std::int64_t> record) {
  const Function& f = trace::function(function);
  columns_.resize(f.scalars.size() + f.lists.size());
  const auto add = [](Total& total, std::int64_t& value) {
    total.sum += value;
    ++total.values;
    value = 1;
  };
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (payload_of_scalar(f, c) && !trace::is_special(record[c])) add(columns_[c], record[c]);
  }
  std::size_t at = f.scalars.size();
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    const auto values = record.subspan(at + 1, static_cast<std::size_t>(record[at]));
    at += 1 + values.size();
    const bool counts = payload_of_list(f, l) != nullptr;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (counts) {
        add(columns_[f.scalars.size() + l], values[i]);
      } else if (f.lists[l].kind == Kind::integer) {
        values[i] = static_cast<std::int64_t>(i);
      }
    }
  }
}

void SizeTotals::merge(const SizeTotals& other) {
  columns_.resize(std::max(columns_.size(), other.columns_.size()));
  for (std::size_t c = 0; c < other.columns_.size(); ++c) {
    columns_[c].sum = trace::wrapping_add(columns_[c].sum, other.columns_[c].sum);
    columns_[c].values += other.columns_[c].values;
  }
}

void SizeTotals::scale(FoldedSite& site) const {
  const Function& f = trace::function(site.key.function);
  // To the nearest, and the same on both sides: what is sent must be what is received.
  const auto mean = [this](std::size_t column) -> std::int64_t {
    const Total& t = columns_[column];
    const auto n = static_cast<std::int64_t>(t.values);
    return n > 0 ? trace::wrapping_add(t.sum, n / 2) / n : 0;
  };
  const auto scale_column = [&site](std::size_t column, std::int64_t by) {
    site.columns[column] = trace::multiply_values(site.columns[column], by);
  };
  for (std::size_t c = 0; c < f.scalars.size() && c < columns_.size(); ++c) {
    if (payload_of_scalar(f, c)) scale_column(c, mean(c));
  }
  std::int64_t unit = 1;
  for (std::size_t l = 0; l < f.lists.size() && f.scalars.size() + l < columns_.size(); ++l) {
    const Payload* payload = payload_of_list(f, l);
    if (payload) unit = mean(f.scalars.size() + l);
    // Displacements stand behind their counts.
    if (!payload && f.lists[l].kind != Kind::integer) continue;
    scale_column(f.scalars.size() + 2 * l + 1, unit);
  }
}

void SizeTotals::encode(ByteWriter& out) const {
  out.varint(columns_.size());
  for (const Total& t : columns_) {
    out.signed_varint(t.sum);
    out.varint(t.values);
  }
}

SizeTotals SizeTotals::decode(ByteReader& in) {
  SizeTotals t;
  t.columns_.resize(in.count(2));
  for (Total& c : t.columns_) {
    c.sum = in.signed_varint();
    c.values = in.varint();
  }
  return t;
}

}  // namespace reprise::compress
