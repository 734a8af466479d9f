// What `reprise model` prints: the four tables of the paper, and regions.
#pragma once

#include "model/model.hpp"

namespace reprise::cli {

void print_model(const model::Model& model);
void print_prediction(const model::Model& model, const model::Prediction& prediction, double ranks,
                      const model::Point& point, bool as_json);

}  // namespace reprise::cli
