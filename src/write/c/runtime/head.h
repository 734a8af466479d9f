/* The runtime part of the benchmarks that reprise generate writes, the same for all: computation, tables, requests,
 * buffers, options and the report. A benchmark includes it first of all, in its only source file. Names that begin
 * with bm_ are of this part alone. */
#ifndef REPRISE_BENCHMARK_H
#define REPRISE_BENCHMARK_H

#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

