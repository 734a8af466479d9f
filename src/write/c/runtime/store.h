/* Tables that are too long for a source stand in a text file beside the program, whose first line is
 *   reprise tables 1 WORDS CHECKSUM
 * Behind it come the words of all tables, numbers or names of constants, apart by spaces and new lines; a # begins a
 * comment of the rest of the line. The checksum is that of all bytes behind the first line, FNV-1a of 64 bits in
 * hexadecimal digits. The program has it too, so that it takes no tables but its own. */

/* The file that --tables names, or one of that name beside the program, or in the working folder. */
static inline FILE *bm_open_tables(const char *name, char *path, size_t room) {
  const char *slash = strrchr(bm_word[0], '/');
  FILE *f = NULL;
  if (slash && !bm_tables) {
    snprintf(path, room, "%.*s/%s", (int)(slash - bm_word[0]), bm_word[0], name);
    f = fopen(path, "rb");
  }
  if (f) return f;
  snprintf(path, room, "%s", bm_tables ? bm_tables : name);
  return fopen(path, "rb");
}

/* All of a file, and a 0 behind it. */
static inline char *bm_content(FILE *f) {
  char *text = NULL;
  long long n = 0, room = 0, got;
  do {
    if (n + 1 >= room) text = grown(text, room = 2 * room + 65536, 1);
    got = (long long)fread(text + n, 1, (size_t)(room - n - 1), f);
    n += got;
  } while (got > 0);
  text[n] = 0;
  fclose(f);
  return text;
}

/* The number that a word stands for. */
static inline int bm_reads(const char *word, size_t length, long long *value) {
  static const struct constant terms[] = {{"LIST", LIST}, {"RUN", RUN}, {"LOOP", LOOP}, {"CASE", CASE}, {"END", END}};
  enum { TERMS_OF_TABLES = sizeof terms / sizeof *terms };
  if (strchr("-0123456789", *word)) {
    char *end;
    *value = strtoll(word, &end, 10);
    return end == word + length;
  }
  const struct stored *s = bm_self->stored;
  for (int i = 0; i < TERMS_OF_TABLES + s->constants; i++) {
    const struct constant *c = i < TERMS_OF_TABLES ? &terms[i] : &s->constant[i - TERMS_OF_TABLES];
    if (strlen(c->name) != length || strncmp(word, c->name, length) != 0) continue;
    *value = c->value;
    return 1;
  }
  return 0;
}

/* Reads the tables; `why` tells what is wrong with them. Returns whether nothing is. */
static inline int bm_read_tables(char *why, size_t room) {
  const struct stored *s = bm_self->stored;
  char path[4096], sum[17] = "";
  FILE *f = bm_open_tables(s->file, path, sizeof path);
  if (!f && bm_tables) snprintf(why, room, "%s cannot be read (%s)", path, strerror(errno));
  if (!f && !bm_tables)
    snprintf(why, room, "its tables, %s, are neither beside it nor in the working folder; --tables FILE says where they are", s->file);
  if (!f) return 0;
  char *text = bm_content(f);
  const char *at_ = text + strcspn(text, "\n");
  long long words, n = 0, ignored;
  int are_words = 1;
  if (sscanf(text, "reprise tables 1 %lld %16[0-9a-f]", &words, sum) != 2) {
    snprintf(why, room, "%s does not begin as tables that reprise generate wrote", path);
  } else if (words != s->words || strcmp(sum, s->checksum) != 0) {
    snprintf(why, room, "%s has the tables of another program (checksum %s, not %s); generate both anew", path, sum, s->checksum);
  } else {
    unsigned long long checksum = 0xcbf29ce484222325ULL;
    if (*at_) at_++;
    for (const char *c = at_; *c; c++) checksum = (checksum ^ (unsigned char)*c) * 0x100000001b3ULL;
    while (*(at_ += strspn(at_, " \r\n"))) {
      const size_t length = strcspn(at_, *at_ == '#' ? "\n" : " \r\n");
      if (*at_ != '#') are_words &= bm_reads(at_, length, n < words ? &s->to[n] : &ignored), n++;
      at_ += length;
    }
    snprintf(sum, sizeof sum, "%016llx", checksum);
    if (n < words) snprintf(why, room, "%s ends early (it has %lld of %lld words); generate it anew", path, n, words);
    else if (!are_words || strcmp(sum, s->checksum) != 0) snprintf(why, room, "%s was changed (its checksum is %s, not %s); generate it anew", path, sum, s->checksum);
    else *why = 0;
  }
  free(text);
  return !*why;
}
static inline void bm_load_tables(void) {
  char why[4500] = "";
  if (!bm_self->stored || bm_read_tables(why, sizeof why)) return;
  const struct timespec moment = {1, 0}; /* rank 0 speaks for all if it has no tables either */
  if (rank > 0) nanosleep(&moment, NULL);
  stop("%s", why);
}
