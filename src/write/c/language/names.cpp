#include "write/c/language/names.hpp"

namespace reprise::write::c {
namespace {

// Keywords; functions, types and macros of headers that programs include, and builtin functions of
// compilers; and the names of the runtime part that programs use.
constexpr std::string_view kReserved[] = {
    // C99
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
    "unsigned", "void", "volatile", "while", "asm", "typeof", "bool", "true", "false", "complex",
    "linux", "unix", "NULL", "EOF", "RAND_MAX", "BUFSIZ", "main", "errno",
    // its library
    "abort", "abs", "acos", "asctime", "asin", "atan", "atan2", "atexit", "atof", "atoi", "atol",
    "bsearch", "calloc", "ceil", "clearerr", "clock", "cos", "cosh", "ctime", "difftime", "div",
    "exit", "exp", "fabs", "fclose", "feof", "ferror", "fflush", "fgetc", "fgetpos", "fgets",
    "floor", "fmod", "fopen", "fprintf", "fputc", "fputs", "fread", "free", "freopen", "frexp",
    "fscanf", "fseek", "fsetpos", "ftell", "fwrite", "getc", "getchar", "getenv", "gets", "gmtime",
    "isalnum", "isalpha", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct",
    "isspace", "isupper", "isxdigit", "labs", "ldexp", "ldiv", "llabs", "localtime", "log", "log10",
    "log2", "longjmp", "malloc", "mblen", "memchr", "memcmp", "memcpy", "memmove", "memset",
    "mktime", "modf", "perror", "pow", "printf", "putc", "putchar", "puts", "qsort", "raise",
    "rand", "realloc", "remove", "rename", "rewind", "scanf", "setbuf", "setjmp", "setvbuf",
    "signal", "sin", "sinh", "sprintf", "sqrt", "srand", "sscanf", "strcat", "strchr", "strcmp",
    "strcoll", "strcpy", "strcspn", "strerror", "strftime", "strlen", "strncat", "strncmp",
    "strncpy", "strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtok", "strtol", "strtoll",
    "strtoul", "strxfrm", "system", "tan", "tanh", "time", "tmpfile", "tmpnam", "tolower",
    "toupper", "ungetc", "vprintf", "snprintf", "stdin", "stdout", "stderr", "round", "trunc",
    "gamma", "lgamma", "tgamma", "erf", "erfc", "j0", "j1", "jn", "y0", "y1", "yn", "cbrt", "hypot",
    "fma", "fmin", "fmax", "rint", "nearbyint", "scalb", "scalbn", "significand", "drem", "exp2",
    "expm1", "log1p", "logb", "nan", "remainder", "copysign", "fdim", "creal", "cimag", "conj",
    "carg", "cabs", "cexp", "clog", "csqrt", "cpow", "cproj", "csin", "ccos", "ctan",
    // POSIX
    "access", "alarm", "brk", "chdir", "chmod", "close", "connect", "creat", "dup", "dup2", "execl",
    "execv", "ffs", "fork", "fsync", "getline", "getopt", "getpid", "gettimeofday", "index", "bcmp",
    "bcopy", "bzero", "rindex", "kill", "link", "listen", "lseek", "mkdir", "nanosleep", "nice",
    "open", "optarg", "optind", "pause", "pipe", "poll", "read", "recv", "rmdir", "sbrk", "select",
    "send", "sleep", "socket", "stat", "strdup", "strndup", "swab", "sync", "time_t", "timezone",
    "daylight", "tzset", "truncate", "unlink", "usleep", "wait", "write", "alloca", "random",
    "srandom", "drand48", "isascii", "toascii", "stpcpy", "ulong", "uint", "ushort",
    "clock_gettime", "timespec", "timer_create", "size_t", "FILE", "div_t",
    // the runtime part
    "LIST", "RUN", "LOOP", "CASE", "END", "TERMS", "KEPT", "again", "constant", "stored", "va_list",
    "va_start", "va_arg", "va_end", "va_copy", "START", "ANYWHERE", "OWN", "NOTHING", "IN_PLACE",
    "BOTTOM", "OUT", "IN", "FROM", "INTO", "FROM_ALL", "INTO_ALL", "BOTH", "NO_STATUSES", "rank",
    "everyone", "stop", "grown", "fresh", "iterations", "site", "total", "computation", "overlap",
    "benchmark", "table", "value_of", "next", "restart", "take", "first", "take_places",
    "first_places", "is_among", "exchange_drawn", "each", "each_type", "types_of", "as_counts",
    "places_as_counts", "as_places", "rank_in", "local_size", "size_of", "around", "across",
    "all_around", "all_across", "neighbor", "sources_of", "destinations_of", "hidden", "scaled",
    "sent", "received", "all_scaled", "sum_of", "packed", "room_of", "room_v", "room_w", "room_a",
    "out", "in", "out_v", "in_v", "out_w", "in_w", "out_a", "in_a", "other_buffer", "placed",
    "memory", "request", "newest", "earlier", "these", "pending", "over", "over_one", "found",
    "is_next", "which_ones", "probe", "keep_probed", "probed_status", "taken_message", "fitting",
    "flag", "number", "base", "hints", "file_name", "scratch", "reduce", "reduce_large", "query",
    "release", "cancel", "open_session", "close_session", "leave", "drawn", "at", "report", "begin",
    "start", "range", "problem_size", "MADE", "made", "often", "settle", "balanced", "form_grid",
    "power", "logarithm", "descent", "descend", "ANY", "SQUARE", "TWICE_SQUARE", "OBLONG", "CUBE",
    "POWER_OF_TWO",
    // and of the program itself
    "RANKS", "GRID", "STORED", "CONSTANTS", "x", "y", "z", "w", "i", "j", "k", "l", "m", "n",
    "argc", "argv", "turn", "e", "sites", "n_i", "n_j", "n_k", "n_l", "n_m", "n_n", "totals",
    "computations", "overlaps", "learn_place", "comm_of_window", "numbers_of_ranks",
    "problem_sizes", "law", "known"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// How names begin that are not for programs.
constexpr std::string_view kKept[] = {"MPI", "PMPI", "mpi", "_", "bm_", "reprise_"};

}  // namespace

Names c_names() { return {kReserved, identifier}; }

std::string identifier(std::string_view text) {
  std::string out;
  for (const char c : text) out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || is_digit(out.front())) out.insert(out.begin(), '_');
  for (const std::string_view kept : kKept) {
    if (out.starts_with(kept)) return "app_" + out;
  }
  return out;
}

}  // namespace reprise::write::c
