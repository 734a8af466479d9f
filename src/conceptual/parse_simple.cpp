// Statements that tasks execute.
#include "conceptual/parser.hpp"

namespace reprise::conceptual {

Statement Parser::of_tasks() {
  const Position at = peek().at;
  if (is_keyword("ALL") && is_keyword("OTHER", 1)) {
    Tasks target = target_tasks();
    return receive(std::move(target), at, accept("ASYNCHRONOUSLY"));
  }
  Tasks source = source_tasks();
  const bool asynchronously = accept("ASYNCHRONOUSLY");
  if (!asynchronously) accept("SYNCHRONOUSLY");
  if (is_keyword("SEND")) return send(std::move(source), at, asynchronously);
  if (is_keyword("RECEIVE")) return receive(std::move(source), at, asynchronously);
  if (asynchronously)
    throw Problem{at,
                  "only SENDS and RECEIVES can be done ASYNCHRONOUSLY (collectives of the "
                  "language block); leave the word out"};
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
  // Unless it is said otherwise, a message is received as it is sent.
  out.asynchronously = out.received_asynchronously = asynchronously;
  out.source = std::move(source);
  out.message = message("FROM");
  expect("TO");
  out.unsuspecting = accept("UNSUSPECTING");
  out.target = target_tasks();
  out.received_touching = out.message.touching;
  out.received_verification = out.message.verification;
  if (!out.unsuspecting && accept("WHO")) received(out);
  return {at, std::move(out), ids_++, {}};
}

// WHO RECEIVES IT [ASYNCHRONOUSLY] [AS A ... MESSAGE] [WITH ...] [INTO BUFFER n]
void Parser::received(Send& send) {
  expect("RECEIVE");
  expect("IT");
  if (is_keyword("ASYNCHRONOUSLY") || is_keyword("SYNCHRONOUSLY"))
    send.received_asynchronously = advance().text == "ASYNCHRONOUSLY";
  if (accept("AS")) {
    accept("A");
    Message ignored;
    while (size_or_alignment(ignored)) {
    }
    expect("MESSAGE");
  }
  while (touching(send.received_touching, send.received_verification) || buffer("INTO")) {
  }
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
          if (!accept("A")) expression();
          Message ignored;
          reduced_result(ignored);
        }
        bool a = false, b = false;
        while (touching(a, b) || buffer("INTO")) {
        }
      }
    } else {
      reduced("INTO");
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
  if (!accept("ITS") && !accept("ALL")) unexpected("ITS COUNTERS");
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

// Behind THE.
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
    if (!unit(out.unit)) unexpected("a unit such as MEGABYTES");
  } else {
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
