#include "convert/flat/message_reader.hpp"

namespace reprise::convert {

std::optional<MessageEnd> MessageReader::end_of(const FlatMessage& message) const {
  MessageEnd out;
  out.key.comm = message.comm;
  out.key.tag = message.tag;
  out.bytes = message.bytes;
  out.call = calls_;
  const auto& members = comms_.list()[message.comm].members;
  const auto peer = static_cast<std::uint64_t>(message.peer);
  if (message.comm == FlatComms::kSelf) {
    out.key.sender = out.key.receiver = rank_;
    return out;
  }
  if (peer >= members.size()) return std::nullopt;
  out.key.sender = out.key.receiver = members[peer];
  return out;
}

void MessageReader::add_sent(const FlatMessage& message, const FlatCall& call, bool is_in_range) {
  auto end = end_of(message);
  if (!end) return;
  end->key.sender = rank_;
  end->number = sends_++;
  end->begin = call.begin;
  end->end = call.end;
  end->is_in_range = is_in_range;
  out_.add_sent(*end);
}

void MessageReader::add_received(const FlatMessage& message, const Posted& posted,
                                 const FlatCall& call, bool is_in_range) {
  auto end = end_of(message);
  if (!end) return;
  end->key.receiver = rank_;
  end->number = posted.number;
  end->begin = posted.time;
  end->end = call.end;
  end->is_in_range = is_in_range && posted.is_in_range;
  out_.add_received(*end);
}

void MessageReader::read(const FlatCall& call, bool is_in_range) {
  if (call.sent) add_sent(*call.sent, call, is_in_range);
  if (call.received)
    add_received(*call.received, {receives_++, call.begin, is_in_range}, call, is_in_range);
  for (const FlatCall::Started& s : call.started) {
    if (s.sent) add_sent(*s.sent, call, is_in_range);
    if (!s.sent && !s.collective) posted_[s.request] = {receives_++, call.end, is_in_range};
  }
  for (const FlatCall::Completed& c : call.completed) {
    const auto posted = posted_.extract(c.request);
    if (posted && c.received) add_received(*c.received, posted.mapped(), call, is_in_range);
  }
  ++calls_;
}

}  // namespace reprise::convert
