// All parts of the engine, for where one is made.
#pragma once

#include "simulate/engine_access.hpp"
#include "simulate/engine_delays.hpp"
#include "simulate/engine_meetings.hpp"
#include "simulate/engine_messages.hpp"
#include "simulate/engine_report.hpp"
#include "simulate/engine_requests.hpp"
#include "simulate/engine_run.hpp"
#include "simulate/engine_steady.hpp"
#include "simulate/engine_steps.hpp"
