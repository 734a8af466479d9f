// Result and Status, which the public headers bring along.
#pragma once

#include "reprise/result.hpp"
