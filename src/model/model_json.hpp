// Models as JSON: what `reprise model -o` writes and its other commands read.
#pragma once

#include <string>

#include "model/model.hpp"

namespace reprise::model {

std::string to_json(const Model& model);
// `name` is what error messages call the text.
Result<Model> from_json(const std::string& text, const std::string& name);

}  // namespace reprise::model
