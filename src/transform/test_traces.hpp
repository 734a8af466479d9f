// Traces for tests: what each rank calls, as a list, becomes a trace as a recording does.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compress/merge/merge.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::test {

struct TestCall {
  std::string function;
  std::uint32_t site = 0;  // stands for the call path
  std::map<std::string, std::int64_t> scalars = {};
  std::map<std::string, std::vector<std::int64_t>> lists = {};
};
using TestStream = std::vector<TestCall>;

inline trace::Trace make_trace(const std::vector<TestStream>& streams) {
  using namespace compress;
  struct Folded {
    FoldedStream stream;
    std::vector<SiteName> names;
    trace::Memberships memberships;
  };
  std::vector<Folded> all;
  FlowGraph graph;
  std::uint32_t sites = 1;
  for (std::size_t r = 0; r < streams.size(); ++r) {
    StreamFolder folder;
    Folded& out = all.emplace_back();
    out.memberships = trace::Memberships({static_cast<std::int64_t>(r), std::ssize(streams)});
    for (const TestCall& call : streams[r]) {
      const trace::FunctionId id = *trace::find_function(call.function);
      const trace::Function& f = trace::function(id);
      std::vector<std::int64_t> record;
      trace::Event event{0, &f, {}, {}};
      for (const trace::Column& c : f.scalars) {
        const auto found = call.scalars.find(std::string(c.name));
        record.push_back(found == call.scalars.end() ? 0 : found->second);
      }
      event.scalars = record;
      for (const trace::Column& c : f.lists) {
        const auto found = call.lists.find(std::string(c.name));
        const auto list = found == call.lists.end() ? std::vector<std::int64_t>() : found->second;
        record.push_back(std::ssize(list));
        record.insert(record.end(), list.begin(), list.end());
      }
      event.lists.resize(f.lists.size());
      out.memberships.learn(event);
      folder.add({id, call.site}, {f.scalars.size(), f.lists.size()}, record);
      sites = std::max(sites, call.site + 1);
    }
    out.stream = folder.finish();
    for (const FoldedSite& s : out.stream.sites) {
      out.names.push_back({std::string(trace::function(s.key.function).name), s.key.callpath});
    }
    graph.merge(FlowGraph(out.stream, out.names));
  }
  const LoopTree tree = find_loops(graph, compress::SiteCode(graph.size()));
  std::map<SiteName, std::uint32_t> site_of_name;
  std::vector<std::uint32_t> callpath_of;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    site_of_name[graph.name(s)] = s;
    callpath_of.push_back(static_cast<std::uint32_t>(graph.name(s).callpath));
  }
  MergedStreams merged;
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::vector<std::uint32_t> site_of;
    for (const SiteName& n : all[r].names) site_of.push_back(site_of_name[n]);
    MergedStreams one(all[r].stream, site_of, graph, tree, all[r].memberships);
    if (r == 0) {
      merged = std::move(one);
    } else {
      merged.append(std::move(one));
    }
  }
  trace::Trace out;
  out.ranks = streams.size();
  out.texts.emplace_back();
  out.callpaths.resize(sites);
  std::move(merged).finish(graph, tree, callpath_of, TimesPerStream::classes, out);
  return out;
}

inline std::vector<trace::Event> events_of(const trace::Trace& trace, std::uint64_t stream) {
  std::vector<trace::Event> out;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) out.push_back(cursor.event());
  EXPECT_FALSE(cursor.damaged());
  return out;
}

}  // namespace reprise::test
