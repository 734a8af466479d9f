// All parts of the engine, for where one is made.
#pragma once

#include "simulate/engine/access.hpp"
#include "simulate/engine/delays.hpp"
#include "simulate/engine/meetings.hpp"
#include "simulate/engine/messages.hpp"
#include "simulate/engine/report.hpp"
#include "simulate/engine/requests.hpp"
#include "simulate/engine/run.hpp"
#include "simulate/engine/steady_state.hpp"
#include "simulate/engine/steps.hpp"
