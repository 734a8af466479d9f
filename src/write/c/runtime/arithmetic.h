/* Operators that mean something else in C for numbers below 0, and others. */
static inline long long reprise_divide(long long a, long long b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
static inline long long reprise_modulo(long long a, long long b) {
  return b == -1 ? 0 : a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
}
static inline long long reprise_shift_left(long long a, long long b) {
  return a >= 0 ? a << b : -(-(a + 1) << b) - (1LL << b);
}
static inline long long reprise_shift_right(long long a, long long b) {
  return a >= 0 ? a >> b : -((-(a + 1)) >> b) - 1;
}
static inline long long reprise_min(long long a, long long b) { return a < b ? a : b; }
static inline long long reprise_max(long long a, long long b) { return a < b ? b : a; }
static inline long long reprise_log2(long long a) {
  long long result = 0;
  while (a > 1) {
    a /= 2;
    ++result;
  }
  return result;
}
static inline long long reprise_ctz(long long a) {
  long long result = 0;
  for (; a % 2 == 0; a /= 2) ++result;
  return result;
}
static inline long long reprise_sqrt(long long a) {
  long long low = 0, high = 3037000500LL;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    if (middle * middle <= a) low = middle;
    else high = middle;
  }
  return low;
}
static inline long long reprise_cbrt(long long a) {
  long long low = 0, high = 2097152LL;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    if (middle * middle * middle <= a) low = middle;
    else high = middle;
  }
  return low;
}
static inline long long reprise_reverse(long long a, long long n) {
  long long result = 0;
  for (; n > 1; n /= 2) {
    result = 2 * result + a % 2;
    a /= 2;
  }
  return result;
}
