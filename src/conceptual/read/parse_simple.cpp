// Statements that tasks execute.
#include <algorithm>

#include "conceptual/read/parser.hpp"

namespace reprise::conceptual {

Statement Parser::of_tasks() {
  const Position at = peek().at;
  if (is_keyword("ALL") && is_keyword("OTHER", 1)) {
    Tasks target = target_tasks();
    const bool asynchronously = accept("ASYNCHRONOUSLY");
    if (!asynchronously) accept("SYNCHRONOUSLY");
    return receive(std::move(target), at, asynchronously);
  }
  Tasks source = source_tasks();
  const bool asynchronously = accept("ASYNCHRONOUSLY");
  const bool synchronously = !asynchronously && accept("SYNCHRONOUSLY");
  if (is_keyword("SEND")) return send(std::move(source), at, asynchronously);
  if (is_keyword("RECEIVE")) return receive(std::move(source), at, asynchronously);
  if (asynchronously)
    throw Problem{at,
                  "only SENDS and RECEIVES can be done ASYNCHRONOUSLY (collectives of the "
                  "language block); leave the word out"};
  if (synchronously && !is_keyword("MULTICAST"))
    throw Problem{at,
                  "only SENDS, RECEIVES and MULTICASTS can be done SYNCHRONOUSLY (the language "
                  "says it of no other statement); leave the word out"};
  if (accept("AWAIT")) {
    expect("COMPLETION");
    return {at, Await{std::move(source)}, ids_++, {}};
  }
  if (accept("SYNCHRONIZE")) return {at, Synchronize{std::move(source)}, ids_++, {}};
  if (accept("MULTICAST")) return multicast(std::move(source), at);
  if (accept("REDUCE")) return reduce(std::move(source), at);
  if (accept("SLEEP")) return delay(std::move(source), at, Delay::How::sleep);
  if (accept("COMPUTE")) {
    if (accept("AGGREGATES")) return {at, ComputeAggregates{std::move(source)}, ids_++, {}};
    return delay(std::move(source), at, Delay::How::spin);
  }
  if (accept("OUTPUT")) return output(std::move(source), at);
  if (accept("LOG")) return log(std::move(source), at);
  if (accept("RESET")) return counters(std::move(source), at, Counters::Action::reset);
  if (accept("STORE")) return counters(std::move(source), at, Counters::Action::store);
  if (accept("RESTORE")) return counters(std::move(source), at, Counters::Action::restore);
  if (accept("TOUCH")) return touch(std::move(source), at);
  if (accept("IS")) return assign(std::move(source), at);
  if (accept("BACKEND")) return backend(std::move(source), at);
  unexpected("what the tasks do, such as SEND or SYNCHRONIZE,");
}

Statement Parser::send(Tasks source, Position at, bool asynchronously) {
  expect("SEND");
  Send out;
  // A message is received as it is sent unless the program says otherwise.
  out.asynchronously = out.received_asynchronously = asynchronously;
  out.source = std::move(source);
  out.message = message("FROM");
  expect("TO");
  out.unsuspecting = accept("UNSUSPECTING");
  out.target = target_tasks();
  out.received_touching = out.message.touching;
  out.received_verification = out.message.verification;
  if (is_keyword("WHO")) {
    if (out.unsuspecting)
      throw Problem{peek().at,
                    "tasks that are UNSUSPECTING do not receive by this statement (it cannot say "
                    "how they do); leave out one of both"};
    received(out);
  }
  return {at, std::move(out), ids_++, {}};
}

// WHO RECEIVES IT [ASYNCHRONOUSLY] [AS A ... MESSAGE] [WITH ...] [USING TAG e] [INTO BUFFER n]: one
// of these at least. The size is that of what is sent.
void Parser::received(Send& send) {
  expect("WHO");
  expect("RECEIVE");
  expect("IT");
  const std::size_t before = at_;
  if (is_keyword("ASYNCHRONOUSLY") || is_keyword("SYNCHRONOUSLY"))
    send.received_asynchronously = advance().text == "ASYNCHRONOUSLY";
  Message received;
  if (accept("AS")) {
    accept("A");
    uniqueness();
    alignment_alone(received);
    expect("MESSAGE");
  }
  const Position at = peek().at;
  touching(send.received_touching, send.received_verification);
  send.received_tag = tag();
  check_alignment(received, send.received_tag.has_value(), at);
  buffer("INTO", received);
  for (Expr& e : received.without_effect) send.message.without_effect.push_back(std::move(e));
  if (at_ == before) unexpected("how they receive it, such as ASYNCHRONOUSLY,");
  if (send.received_verification != send.message.verification)
    throw Problem{at,
                  "a message is verified by one side only (what is sent WITH VERIFICATION is to be "
                  "received so, and the other way round); say it for both"};
}

Statement Parser::receive(Tasks target, Position at, bool asynchronously) {
  expect("RECEIVE");
  Receive out;
  out.asynchronously = asynchronously;
  out.target = std::move(target);
  out.message = message("INTO");
  expect("FROM");
  out.source = source_tasks();
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::multicast(Tasks source, Position at) {
  Multicast out;
  out.source = std::move(source);
  out.message = message("FROM");
  expect("TO");
  out.target = target_tasks();
  return {at, std::move(out), ids_++, {}};
}

namespace {

bool are_alike(const Expr& a, const Expr& b) {
  return a.op == b.op && a.value == b.value && a.name == b.name && !a.condition && !b.condition &&
         std::ranges::equal(a.operands, b.operands, are_alike);
}

void check_result(Position at, const Message& reduced, const Message& result) {
  if (reduced.unit == result.unit && are_alike(reduced.count, result.count)) return;
  throw Problem{at,
                "what is reduced and the result differ in their number or type (a reduction keeps "
                "both); make them the same"};
}

}  // namespace

Statement Parser::reduce(Tasks source, Position at) {
  Reduce out;
  out.source = std::move(source);
  out.message = reduced("FROM");
  if (accept("TO")) {
    if (is_keyword("ALL") || is_keyword("TASK")) {
      out.target = source_tasks();
      if (accept("WHO")) {
        expect("RECEIVE");
        expect("THE");
        expect("RESULT");
        if (accept("AS")) {
          Message result;
          result.count.value = 1;
          if (!accept("A")) result.count = expression();
          reduced_result(result);
          check_result(at, out.message, result);
        }
        bool a = false, b = false;
        touching(a, b);
        tag();
        buffer("INTO", out.message);
      }
    } else {
      check_result(at, out.message, reduced("FROM"));
    }
  }
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::delay(Tasks source, Position at, Delay::How how) {
  Delay out;
  out.source = std::move(source);
  out.how = how;
  expect("FOR");
  out.length = expression();
  out.unit_us = time_unit();
  if (out.unit_us == 0) unexpected("a unit of time such as MICROSECONDS");
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::counters(Tasks source, Position at, Counters::Action action) {
  expect("ITS");
  expect("COUNTERS");
  return {at, Counters{std::move(source), action}, ids_++, {}};
}

Item Parser::text_item() {
  Item out;
  out.at = peek().at;
  if (accept_all({"THE", "VALUE", "OF"})) out.kind = Item::Kind::comment;
  out.text = expect_text("a string");
  return out;
}

Item Parser::item() {
  if (peek().kind == Token::Kind::text || is_keyword("THE")) return text_item();
  Item out;
  out.at = peek().at;
  out.kind = Item::Kind::number;
  out.number = expression();
  return out;
}

Statement Parser::output(Tasks source, Position at) {
  Output out{std::move(source), {}};
  do {
    out.items.push_back(item());
  } while (accept("AND"));
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::backend(Tasks source, Position at) {
  expect("EXECUTE");
  Backend out{std::move(source), {}};
  do {
    out.items.push_back(item());
  } while (accept("AND"));
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::log(Tasks source, Position at) {
  Log out{std::move(source), {}};
  do {
    out.columns.push_back(column());
  } while (accept("AND"));
  return {at, std::move(out), ids_++, {}};
}

Column Parser::column() {
  Column out;
  if (accept_all({"A", "HISTOGRAM", "OF"})) {
    accept("THE");
    out.aggregate = Aggregate::histogram;
  } else if (accept("THE")) {
    out.aggregate = aggregate();
  } else {
    accept("EACH");
  }
  out.expr = expression();
  expect("AS");
  out.title = text_item();
  out.id = columns_++;
  return out;
}

// Reads what follows THE.
Aggregate Parser::aggregate() {
  Aggregate out = Aggregate::only_value;
  if (accept_all({"HARMONIC", "MEAN"})) {
    out = Aggregate::harmonic_mean;
  } else if (accept_all({"GEOMETRIC", "MEAN"})) {
    out = Aggregate::geometric_mean;
  } else if (accept_all({"ARITHMETIC", "MEAN"}) || accept("MEAN")) {
    out = Aggregate::mean;
  } else if (accept_all({"STANDARD", "DEVIATION"})) {
    out = Aggregate::standard_deviation;
  } else if (accept("MEDIAN")) {
    out = Aggregate::median;
  } else if (accept("VARIANCE")) {
    out = Aggregate::variance;
  } else if (accept("SUM")) {
    out = Aggregate::sum;
  } else if (accept("MINIMUM")) {
    out = Aggregate::minimum;
  } else if (accept("MAXIMUM")) {
    out = Aggregate::maximum;
  } else if (accept("FINAL")) {
    out = Aggregate::final_value;
  } else {
    return out;
  }
  if (accept("OF")) accept("THE");
  return out;
}

Statement Parser::touch(Tasks source, Position at) {
  Touch out;
  out.source = std::move(source);
  if (is_keyword("ALL") || is_keyword("MESSAGE") || is_keyword("THE"))
    throw Problem{peek().at,
                  "message buffers cannot be touched by themselves (they are not kept "
                  "apart here); send WITH DATA TOUCHING"};
  if (!is_keyword("A")) {
    out.touches = expression();
    out.element = data_type();
    expect("OF");
  }
  expect("A");
  if (starts_expression()) {
    out.size = expression();
    if (!unit(out.unit)) unexpected("a unit such as MEGABYTE");
  } else if (is_unit()) {
    out.unit = data_type();
    expect("SIZED");
    out.size.value = 1;
  }
  expect("MEMORY");
  expect("REGION");
  if (starts_expression()) {
    out.times = expression();
    expect("TIME");
  }
  if (accept("WITH")) {
    if (accept("RANDOM")) {
      out.random = true;
      expect("STRIDE");
    } else {
      expect("STRIDE");
      out.stride = expression();
      out.stride_unit = data_type();
    }
  }
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::assign(Tasks source, Position at) {
  expect("ASSIGNED");
  expect("TO");
  Assign out{std::move(source), std::nullopt};
  if (accept_all({"A", "RANDOM", "PROCESSOR"})) return {at, std::move(out), ids_++, {}};
  expect("PROCESSOR");
  out.processor = expression();
  return {at, std::move(out), ids_++, {}};
}

}  // namespace reprise::conceptual
