#include "convert/import/collective.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "mpi/collectives.hpp"
#include "trace/file/call_text.hpp"
#include "trace/values/special.hpp"

namespace reprise::convert {
namespace {

enum class Shape : std::uint8_t {
  barrier,
  broadcast,
  gather,
  gather_lists,
  scatter,
  scatter_lists,
  all_gather,
  all_gather_lists,
  all_to_all,
  all_to_all_lists,
  reduce,
  all_reduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exclusive_scan,
};

struct ShapeName {
  std::string_view name;
  Shape shape;
};

constexpr ShapeName kShapes[] = {
    {"Barrier", Shape::barrier},
    {"Bcast", Shape::broadcast},
    {"Gather", Shape::gather},
    {"Gatherv", Shape::gather_lists},
    {"Scatter", Shape::scatter},
    {"Scatterv", Shape::scatter_lists},
    {"Allgather", Shape::all_gather},
    {"Allgatherv", Shape::all_gather_lists},
    {"Alltoall", Shape::all_to_all},
    {"Alltoallv", Shape::all_to_all_lists},
    {"Alltoallw", Shape::all_to_all_lists},
    {"Reduce", Shape::reduce},
    {"Allreduce", Shape::all_reduce},
    {"Reduce_scatter_block", Shape::reduce_scatter_block},
    {"Reduce_scatter", Shape::reduce_scatter},
    {"Scan", Shape::scan},
    {"Exscan", Shape::exclusive_scan},
};

std::optional<Shape> shape_of(const trace::Function& function) {
  const std::string name = mpi::operation_name(function);
  for (const ShapeName& s : kShapes)
    if (s.name == name) return s.shape;
  return std::nullopt;
}

std::optional<Shape> cached_shape_of(const trace::Function& function) {
  static const std::vector<std::optional<Shape>> all = [] {
    std::vector<std::optional<Shape>> out;
    for (const trace::Function& f : trace::functions()) {
      const bool is_candidate = (f.traits & trace::traits::kCollective) != 0 &&
                                (f.traits & trace::traits::kPersistent) == 0;
      out.push_back(is_candidate ? shape_of(f) : std::nullopt);
    }
    return out;
  }();
  return all[static_cast<std::size_t>(&function - trace::functions().data())];
}

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 56;  // more is damage

// What a rank of a collective can say of its counts.
class Filler {
 public:
  Filler(const CallLayout& layout, CollectiveBytes bytes, trace::Membership own,
         trace::Event& event)
      : layout_(layout),
        sent_(static_cast<std::int64_t>(std::min(bytes.sent, kMostBytes))),
        received_(static_cast<std::int64_t>(std::min(bytes.received, kMostBytes))),
        own_(own),
        event_(event) {}

  Counts fill(Shape shape) {
    switch (shape) {
      case Shape::barrier: return Counts::exact;
      case Shape::broadcast:
        set(Slot::count, received_ > 0 || !is_root() ? received_ : sent_ / own_.size);
        return Counts::exact;
      case Shape::gather: return fill_gather();
      case Shape::gather_lists: return fill_gather_lists();
      case Shape::scatter: return fill_scatter();
      case Shape::scatter_lists: return fill_scatter_lists();
      case Shape::all_gather:
      case Shape::all_to_all: return fill_all();
      case Shape::all_gather_lists: return fill_all_gather_lists();
      case Shape::all_to_all_lists: return fill_all_to_all_lists();
      case Shape::reduce: return fill_reduce();
      case Shape::all_reduce: return fill_all_reduce(Slot::count);
      case Shape::reduce_scatter_block: return fill_all_reduce(Slot::receive_count);
      case Shape::reduce_scatter: return fill_reduce_scatter();
      case Shape::scan: return fill_scan();
      case Shape::exclusive_scan:
        set(Slot::count, own_.size > 1 ? (sent_ + received_) / (own_.size - 1) : 0);
        return Counts::exact;
    }
    return Counts::exact;
  }

 private:
  void set(Slot slot, std::int64_t value) { layout_.set(event_, slot, value); }
  bool is_root() const { return layout_.get(event_, Slot::root) == own_.rank; }
  std::int64_t others() const { return std::max<std::int64_t>(1, own_.size - 1); }

  void forget_send() {
    for (const Slot s : {Slot::send_buffer, Slot::send_count, Slot::send_type})
      set(s, trace::kNone);
  }
  void forget_receive() {
    for (const Slot s : {Slot::receive_buffer, Slot::receive_count, Slot::receive_type})
      set(s, trace::kNone);
  }
  void send_in_place() {
    forget_send();
    set(Slot::send_buffer, trace::kInPlace);
  }
  void receive_in_place() {
    forget_receive();
    set(Slot::receive_buffer, trace::kInPlace);
  }

  // Both sums leave the rank's own block out.
  bool is_in_place() const {
    return own_.size > 1 && sent_ == received_ && sent_ % own_.size != 0 && sent_ % others() == 0;
  }

  // A block for each rank: `own` bytes here if that is known, the rest of `sum` shared evenly.
  Counts share(Slot counts, Slot displacements, std::int64_t sum, std::optional<std::int64_t> own) {
    std::vector<std::int64_t>& list = layout_.list(event_, counts);
    const std::int64_t rest = std::max<std::int64_t>(0, sum - own.value_or(0));
    const std::int64_t blocks = own ? own_.size - 1 : own_.size;
    list.assign(static_cast<std::size_t>(own_.size), 0);
    std::int64_t given = 0;
    for (std::int64_t i = 0; i < own_.size; ++i) {
      auto& count = list[static_cast<std::size_t>(i)];
      if (own && i == own_.rank) {
        count = *own;
        continue;
      }
      count = rest / blocks + (given < rest % blocks ? 1 : 0);
      ++given;
    }
    if (layout_.has(displacements)) {
      std::vector<std::int64_t>& places = layout_.list(event_, displacements);
      places.clear();
      std::int64_t at = 0;
      for (const std::int64_t count : list) {
        places.push_back(at);
        at += count;
      }
    }
    return rest == 0 || blocks == 1 ? Counts::exact : Counts::shared_evenly;
  }

  Counts fill_gather() {
    if (!is_root()) {
      set(Slot::send_count, sent_);
      forget_receive();
    } else if (sent_ == 0 && received_ > 0) {
      send_in_place();
      set(Slot::receive_count, received_ / others());
    } else {
      set(Slot::send_count, sent_);
      set(Slot::receive_count, received_ / own_.size);
    }
    return Counts::exact;
  }

  Counts fill_gather_lists() {
    if (!is_root()) {
      set(Slot::send_count, sent_);
      forget_receive();
      return Counts::exact;
    }
    set(Slot::send_count, sent_);
    if (sent_ == 0 && received_ > 0) send_in_place();
    return share(Slot::receive_counts, Slot::receive_displacements, received_, sent_);
  }

  Counts fill_scatter() {
    if (!is_root()) {
      set(Slot::receive_count, received_);
      forget_send();
    } else if (received_ == 0 && sent_ > 0) {
      receive_in_place();
      set(Slot::send_count, sent_ / others());
    } else {
      set(Slot::send_count, sent_ / own_.size);
      set(Slot::receive_count, received_);
    }
    return Counts::exact;
  }

  Counts fill_scatter_lists() {
    if (!is_root()) {
      set(Slot::receive_count, received_);
      forget_send();
      return Counts::exact;
    }
    set(Slot::receive_count, received_);
    if (received_ == 0 && sent_ > 0) receive_in_place();
    return share(Slot::send_counts, Slot::receive_displacements, sent_, received_);
  }

  Counts fill_all() {
    if (is_in_place()) {
      send_in_place();
      set(Slot::receive_count, received_ / others());
    } else {
      set(Slot::send_count, sent_ / own_.size);
      set(Slot::receive_count, received_ / own_.size);
    }
    return Counts::exact;
  }

  Counts fill_all_gather_lists() {
    const std::int64_t own = sent_ / own_.size;
    set(Slot::send_count, own);
    return share(Slot::receive_counts, Slot::receive_displacements, received_, own);
  }

  Counts fill_all_to_all_lists() {
    const Counts sent = share(Slot::send_counts, Slot::send_displacements, sent_, std::nullopt);
    const Counts received =
        share(Slot::receive_counts, Slot::receive_displacements, received_, std::nullopt);
    for (const Slot types : {Slot::send_types, Slot::receive_types}) {
      if (layout_.has(types))
        layout_.list(event_, types)
            .assign(static_cast<std::size_t>(own_.size),
                    trace::default_of({"", trace::Kind::datatype}));
    }
    return std::max(sent, received);
  }

  Counts fill_reduce() {
    set(Slot::count, sent_);
    if (!is_root()) {
      set(Slot::receive_buffer, trace::kNone);
    } else if (sent_ == 0 && received_ > 0) {
      set(Slot::send_buffer, trace::kInPlace);
      set(Slot::count, received_ / others());
    }
    return Counts::exact;
  }

  Counts fill_all_reduce(Slot count) {
    if (is_in_place()) {
      set(Slot::send_buffer, trace::kInPlace);
      set(count, sent_ / others());
    } else {
      set(count, sent_ / own_.size);
    }
    return Counts::exact;
  }

  Counts fill_reduce_scatter() {
    return share(Slot::receive_counts, Slot::receive_displacements, sent_, received_ / own_.size);
  }

  Counts fill_scan() {
    const std::int64_t above = own_.size - own_.rank, below = own_.rank + 1;
    if (sent_ % above == 0 && received_ % below == 0 && sent_ / above == received_ / below) {
      set(Slot::count, sent_ / above);
    } else {
      set(Slot::send_buffer, trace::kInPlace);
      set(Slot::count, own_.size > 1 ? (sent_ + received_) / (own_.size - 1) : 0);
    }
    return Counts::exact;
  }

  const CallLayout& layout_;
  const std::int64_t sent_, received_;
  const trace::Membership own_;
  trace::Event& event_;
};

// The other way round.
class Summer {
 public:
  Summer(const CallLayout& layout, const trace::Event& event, trace::Membership own,
         const mpi::TypeSizes& types)
      : layout_(layout), event_(event), own_(own), types_(types) {}

  CollectiveBytes sum(Shape shape) const {
    const std::uint64_t n = static_cast<std::uint64_t>(own_.size);
    const std::uint64_t above = n - static_cast<std::uint64_t>(own_.rank);
    switch (shape) {
      case Shape::barrier: return {};
      case Shape::broadcast: return {is_root() ? n * vector() : 0, vector()};
      case Shape::gather: return gathered(sent_block(), received_block());
      case Shape::gather_lists:
        return is_root() ? of_lists(Slot::receive_counts) : CollectiveBytes{sent_block(), 0};
      case Shape::scatter: return turned(gathered(received_block(), sent_block()));
      case Shape::scatter_lists:
        return is_root() ? turned(of_lists(Slot::send_counts))
                         : CollectiveBytes{0, received_block()};
      case Shape::all_gather:
      case Shape::all_to_all:
        return is_in_place()
                   ? CollectiveBytes{(n - 1) * received_block(), (n - 1) * received_block()}
                   : CollectiveBytes{n * sent_block(), n * received_block()};
      case Shape::all_gather_lists: {
        const std::uint64_t all = list_sum(Slot::receive_counts, type(Slot::receive_type));
        const std::uint64_t own = own_of(Slot::receive_counts, type(Slot::receive_type));
        return is_in_place() ? CollectiveBytes{(n - 1) * own, all - own}
                             : CollectiveBytes{n * sent_block(), all};
      }
      case Shape::all_to_all_lists: {
        const std::uint64_t in = list_sum(Slot::receive_counts, type(Slot::receive_type));
        const std::uint64_t own = own_of(Slot::receive_counts, type(Slot::receive_type));
        return is_in_place()
                   ? CollectiveBytes{in - own, in - own}
                   : CollectiveBytes{list_sum(Slot::send_counts, type(Slot::send_type)), in};
      }
      case Shape::reduce: return gathered(vector(), vector());
      case Shape::all_reduce: return to_all(vector());
      case Shape::reduce_scatter_block: return to_all(bytes(Slot::receive_count, Slot::type));
      case Shape::reduce_scatter: {
        const std::uint64_t all = list_sum(Slot::receive_counts, type(Slot::type));
        const std::uint64_t own = own_of(Slot::receive_counts, type(Slot::type));
        return is_in_place() ? CollectiveBytes{all - own, (n - 1) * own}
                             : CollectiveBytes{all, n * own};
      }
      case Shape::scan:
        return is_in_place() ? CollectiveBytes{(above - 1) * vector(), (n - above) * vector()}
                             : CollectiveBytes{above * vector(), (n - above + 1) * vector()};
      case Shape::exclusive_scan: return {(above - 1) * vector(), (n - above) * vector()};
    }
    return {};
  }

  CollectiveBuffers buffers(Shape shape) const {
    const std::uint64_t n = static_cast<std::uint64_t>(own_.size);
    const bool in_place = is_in_place();
    switch (shape) {
      case Shape::barrier: return {};
      case Shape::broadcast:
        return is_root() ? CollectiveBuffers{vector(), 0} : CollectiveBuffers{0, vector()};
      case Shape::gather:
        if (!is_root()) return {sent_block(), 0};
        return {in_place ? received_block() : sent_block(), n * received_block()};
      case Shape::gather_lists:
        if (!is_root()) return {sent_block(), 0};
        return {own_of(Slot::receive_counts, type(Slot::receive_type)),
                list_sum(Slot::receive_counts, type(Slot::receive_type))};
      case Shape::scatter:
        if (!is_root()) return {0, received_block()};
        return {n * sent_block(), in_place ? sent_block() : received_block()};
      case Shape::scatter_lists:
        if (!is_root()) return {0, received_block()};
        return {list_sum(Slot::send_counts, type(Slot::send_type)),
                own_of(Slot::send_counts, type(Slot::send_type))};
      case Shape::all_gather:
        return {in_place ? received_block() : sent_block(), n * received_block()};
      case Shape::all_to_all:
        return {in_place ? received_block() : sent_block(), n * received_block()};
      case Shape::all_gather_lists:
        return {in_place ? own_of(Slot::receive_counts, type(Slot::receive_type)) : sent_block(),
                list_sum(Slot::receive_counts, type(Slot::receive_type))};
      case Shape::all_to_all_lists: {
        const std::uint64_t in = list_sum(Slot::receive_counts, type(Slot::receive_type));
        return {in_place ? in : list_sum(Slot::send_counts, type(Slot::send_type)), in};
      }
      case Shape::reduce:
        return is_root() ? CollectiveBuffers{0, vector()} : CollectiveBuffers{vector(), 0};
      case Shape::all_reduce:
      case Shape::scan:
      case Shape::exclusive_scan: return {vector(), vector()};
      case Shape::reduce_scatter_block: {
        const std::uint64_t block = bytes(Slot::receive_count, Slot::type);
        return {n * block, block};
      }
      case Shape::reduce_scatter:
        return {list_sum(Slot::receive_counts, type(Slot::type)),
                own_of(Slot::receive_counts, type(Slot::type))};
    }
    return {};
  }

 private:
  bool is_root() const { return layout_.get(event_, Slot::root) == own_.rank; }
  bool is_in_place() const {
    return (layout_.has(Slot::send_buffer) &&
            layout_.get(event_, Slot::send_buffer) == trace::kInPlace) ||
           (layout_.has(Slot::receive_buffer) &&
            layout_.get(event_, Slot::receive_buffer) == trace::kInPlace);
  }
  static std::uint64_t known(mpi::Bytes bytes) {
    return static_cast<std::uint64_t>(bytes.value_or(0));
  }
  mpi::TypeId type(Slot slot) const {
    return mpi::TypeId{layout_.has(slot) ? layout_.get(event_, slot) : 0};
  }
  std::uint64_t bytes(Slot count, Slot of) const {
    return known(types_.of(layout_.get(event_, count), type(of)));
  }
  std::uint64_t vector() const { return bytes(Slot::count, Slot::type); }
  std::uint64_t sent_block() const { return bytes(Slot::send_count, Slot::send_type); }
  std::uint64_t received_block() const { return bytes(Slot::receive_count, Slot::receive_type); }

  // The bytes of one entry of a list of counts; types may be a list too.
  std::uint64_t entry(Slot counts, mpi::TypeId each, std::size_t i) const {
    const Slot types = counts == Slot::send_counts ? Slot::send_types : Slot::receive_types;
    if (layout_.has(types)) {
      const auto& list = layout_.list(event_, types);
      each = mpi::TypeId{i < list.size() ? list[i] : 0};
    }
    return known(types_.of(layout_.list(event_, counts)[i], each));
  }
  std::uint64_t list_sum(Slot counts, mpi::TypeId each) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < layout_.list(event_, counts).size(); ++i)
      out += entry(counts, each, i);
    return out;
  }
  std::uint64_t own_of(Slot counts, mpi::TypeId each) const {
    const auto rank = static_cast<std::size_t>(own_.rank);
    return rank < layout_.list(event_, counts).size() ? entry(counts, each, rank) : 0;
  }

  CollectiveBytes gathered(std::uint64_t block, std::uint64_t block_at_root) const {
    const std::uint64_t n = static_cast<std::uint64_t>(own_.size);
    if (!is_root()) return {block, 0};
    return is_in_place() ? CollectiveBytes{0, (n - 1) * block_at_root}
                         : CollectiveBytes{block, n * block_at_root};
  }
  CollectiveBytes of_lists(Slot counts) const {
    const Slot each = counts == Slot::send_counts ? Slot::send_type : Slot::receive_type;
    const std::uint64_t all = list_sum(counts, type(each)), own = own_of(counts, type(each));
    return is_in_place() ? CollectiveBytes{0, all - own} : CollectiveBytes{own, all};
  }
  static CollectiveBytes turned(CollectiveBytes b) { return {b.received, b.sent}; }
  CollectiveBytes to_all(std::uint64_t block) const {
    const auto blocks = static_cast<std::uint64_t>(is_in_place() ? own_.size - 1 : own_.size);
    return {blocks * block, blocks * block};
  }

  const CallLayout& layout_;
  const trace::Event& event_;
  const trace::Membership own_;
  const mpi::TypeSizes& types_;
};

}  // namespace

CollectiveBytes bytes_of_buffers(const trace::Function& function, CollectiveBuffers buffers,
                                 bool is_root, trace::Membership own) {
  const auto n = static_cast<std::uint64_t>(own.size),
             above = n - static_cast<std::uint64_t>(own.rank);
  // More is damage, and would overflow below.
  const std::uint64_t most = kMostBytes / std::max<std::uint64_t>(1, n);
  const std::uint64_t sent = std::min(buffers.sent, most),
                      received = std::min(buffers.received, most);
  const auto shape = cached_shape_of(function);
  if (!shape) return {};
  switch (*shape) {
    case Shape::barrier: return {};
    case Shape::broadcast:
      return is_root ? CollectiveBytes{n * sent, sent} : CollectiveBytes{0, received};
    case Shape::reduce:
      return is_root ? CollectiveBytes{received, n * received} : CollectiveBytes{sent, 0};
    case Shape::gather:
    case Shape::gather_lists:
    case Shape::scatter:
    case Shape::scatter_lists:
    case Shape::all_to_all_lists: return {buffers.sent, buffers.received};
    case Shape::all_gather:
    case Shape::all_gather_lists:
    case Shape::all_to_all: return {n * sent, buffers.received};
    case Shape::all_reduce: return {n * sent, n * sent};
    case Shape::reduce_scatter:
    case Shape::reduce_scatter_block: return {buffers.sent, n * received};
    case Shape::scan: return {above * sent, (n - above + 1) * sent};
    case Shape::exclusive_scan: return {(above - 1) * sent, (n - above) * sent};
  }
  return {};
}

bool has_derivable_counts(const trace::Function& function) {
  return cached_shape_of(function).has_value();
}

Counts fill_counts(const CallLayout& layout, CollectiveBytes bytes, trace::Membership own,
                   trace::Event& event) {
  const auto shape = cached_shape_of(*event.function);
  return shape ? Filler(layout, bytes, own, event).fill(*shape) : Counts::exact;
}

CollectiveBytes bytes_of_counts(const CallLayout& layout, const trace::Event& event,
                                trace::Membership own, const mpi::TypeSizes& types) {
  const auto shape = cached_shape_of(*event.function);
  return shape ? Summer(layout, event, own, types).sum(*shape) : CollectiveBytes{};
}

CollectiveBuffers buffers_of_counts(const CallLayout& layout, const trace::Event& event,
                                    trace::Membership own, const mpi::TypeSizes& types) {
  const auto shape = cached_shape_of(*event.function);
  return shape ? Summer(layout, event, own, types).buffers(*shape) : CollectiveBuffers{};
}

}  // namespace reprise::convert
