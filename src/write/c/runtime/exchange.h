/* Messages between all ranks that are drawn: how many, who sends to whom, how large. All ranks draw the same ones, with
 * whole numbers alone, and take their own. */
struct turn { /* of a rank to have a message */
  int rank;
  long long load, dealt; /* messages */
};
struct deal { /* a heap, the next turn in front */
  int ranks;
  struct turn *turns;
};
struct flow { /* messages of some rounds */
  const long long *senders, *receivers; /* by rank, or from the busiest on: how many messages, in proportion */
  int sizes;
  const long long *size; /* means of equal shares of all sizes [bytes] */
  int together;          /* messages that one sender has for one receiver */
  long long drawn;
  struct deal sending, receiving;
};
struct drawn_exchange {
  unsigned long long seed;
  int is_ordered; /* messages are sent and received in one order of all; or else those of a round are posted and waited for */
  int moves;      /* loads are those of other ranks each time */
  int tag;
  int polls;      /* of received messages: how many are polled for until they are there [1/1000] */
  int waits;      /* and how many are waited for one by one [1/1000] */
  int shares, rounds, flows;
  const long long *messages; /* of one time: means of equal shares */
  const long long *round;    /* how many messages each has, in proportion */
  struct flow *flow;         /* of the rounds in turn */
  long long times, received;
  int began; /* what bm_began was then */
};

/* Where the i-th of n stands in a random order. */
static inline long long bm_shuffled(long long i, long long n, bm_bits key) {
  const bm_bits last = (bm_bits)n - 1;
  bm_bits mask = 1, place = (bm_bits)i;
  for (bm_bits bits = last; bits >>= 1;) mask = 2 * mask + 1;
  do {
    bm_bits k = key;
    for (int step = 1; step < 5; step++, k = bm_mixed(k)) {
      place = (place ^ k) * (k | 1) & mask;
      place ^= place >> step;
    }
  } while (place > last);
  return (long long)place;
}
/* One of equal shares: each comes once in as many draws. */
static inline long long bm_share(const long long *shares, int n, long long draw, bm_bits key) {
  return shares[bm_shuffled(draw % n, n, bm_mixed(key + (bm_bits)(draw / n)))];
}
/* Messages are dealt out in proportion to loads: if the turns of a rank are equal parts of all, the rank whose turn is half
 * over first has the next one. */
static inline int bm_is_before(const struct turn *a, const struct turn *b) {
  const long long at_a = (2 * a->dealt + 1) * b->load, at_b = (2 * b->dealt + 1) * a->load;
  return at_a != at_b ? at_a < at_b : a->rank < b->rank;
}
static inline void bm_sink(const struct deal *d, int i) {
  for (int below; (below = 2 * i + 1) < d->ranks; i = below) {
    if (below + 1 < d->ranks && bm_is_before(&d->turns[below + 1], &d->turns[below])) below++;
    if (bm_is_before(&d->turns[i], &d->turns[below])) return;
    const struct turn t = d->turns[i];
    d->turns[i] = d->turns[below];
    d->turns[below] = t;
  }
}
static inline void bm_begin_deal(struct deal *d, const long long *loads) {
  if (!d->turns) d->turns = grown(NULL, bm_self->ranks, sizeof *d->turns);
  d->ranks = 0;
  for (int r = 0; r < bm_self->ranks; r++) {
    const struct turn t = {r, value_of(loads, r), 0};
    if (t.load > 0) d->turns[d->ranks++] = t;
  }
  for (int i = d->ranks / 2; i-- > 0;) bm_sink(d, i);
}
static inline int bm_deal(const struct deal *d) {
  const int who = d->turns[0].rank;
  d->turns[0].dealt++;
  bm_sink(d, 0);
  return who;
}

struct bm_message {
  int sender, receiver, bytes;
};
static inline void bm_draw(struct drawn_exchange *e, struct flow *f, long long n, bm_bits key, struct bm_message *all) {
  const bm_bits order = bm_mixed(e->seed + (bm_bits)e->times);
  const long long pairs = (n + f->together - 1) / f->together;
  int *senders = fresh(pairs, sizeof *senders), *receivers = fresh(pairs, sizeof *receivers);
  for (long long i = 0; i < pairs; i++) {
    senders[i] = bm_deal(&f->sending);
    receivers[i] = bm_deal(&f->receiving);
  }
  for (long long i = 0; i < n; i++) {
    const long long pair = i / f->together;
    struct bm_message m = {senders[pair], receivers[bm_shuffled(pair, pairs, key + 3)], 0};
    if (m.receiver == m.sender) m.receiver = (m.receiver + 1) % bm_self->ranks;
    if (e->moves) {
      m.sender = (int)bm_shuffled(m.sender, bm_self->ranks, order);
      m.receiver = (int)bm_shuffled(m.receiver, bm_self->ranks, order);
    }
    m.bytes = (int)bm_share(f->size, f->sizes, f->drawn++, e->seed + 5 + (bm_bits)(f - e->flow));
    all[i] = m;
  }
}

/* How many of the next receives have a part of 1/1000 in common. */
static inline int bm_dealt(long long before, int received, int part) {
  return (int)(((before + received) * part + 500) / 1000 - (before * part + 500) / 1000);
}
/* Each rank posts its receives, then its sends, and then polls and waits: nobody can be waited for by all. */
static inline void bm_post(int site, struct drawn_exchange *e, long long n, const struct bm_message *all) {
  int received_ = 0, sent_ = 0;
  for (long long i = 0; i < n; i++) {
    if (all[i].receiver != rank) continue;
    at(site);
    MPI_Irecv(IN(all[i].bytes, MPI_BYTE), all[i].sender, e->tag, MPI_COMM_WORLD, request());
    received_++;
  }
  for (long long i = 0; i < n; i++) {
    if (all[i].sender != rank) continue;
    at(site + 1);
    MPI_Isend(OUT(all[i].bytes, MPI_BYTE), all[i].receiver, e->tag, MPI_COMM_WORLD, request());
    sent_++;
  }
  const int polled = bm_dealt(e->received, received_, e->polls), dealt = bm_dealt(e->received, received_, e->waits);
  const int alone = polled + (dealt < received_ - polled ? dealt : received_ - polled);
  e->received += received_;
  for (int i = 0; i < alone; i++) {
    MPI_Request *one = earlier(1, received_ + sent_ - 1 - i);
    if (i < polled) {
      at(site + 2);
      for (int there = 0; !there;) MPI_Test(one, &there, MPI_STATUS_IGNORE);
    } else {
      at(site + 2 + (e->polls > 0));
      MPI_Wait(one, MPI_STATUS_IGNORE);
    }
    over();
  }
  if (received_ + sent_ == alone) return;
  at(site + 2 + (e->polls > 0) + (e->waits > 0));
  MPI_Waitall(received_ + sent_ - alone, newest(received_ + sent_ - alone), NO_STATUSES);
  over();
}
/* Of the messages that are left, the first one is the next of both its ranks: it cannot be waited for in vain. */
static inline void bm_in_order(int site, struct drawn_exchange *e, long long n, const struct bm_message *all) {
  for (long long i = 0; i < n; i++) {
    if (all[i].receiver == rank) {
      if (bm_dealt(e->received++, 1, e->polls)) {
        at(site + 2);
        for (int there = 0; !there;) MPI_Iprobe(all[i].sender, e->tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
      }
      at(site);
      MPI_Recv(IN(all[i].bytes, MPI_BYTE), all[i].sender, e->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (all[i].sender == rank) {
      at(site + 1);
      MPI_Send(OUT(all[i].bytes, MPI_BYTE), all[i].receiver, e->tag, MPI_COMM_WORLD);
    }
  }
}

/* The messages of one time. Its calls have the sites from this one on. */
static inline void exchange_drawn(int site, struct drawn_exchange *e) {
  static struct bm_message *all;
  static long long room;
  if (e->began != bm_began || !e->flow->sending.turns) {
    e->times = e->received = 0;
    for (struct flow *f = e->flow; f < e->flow + e->flows; f++) {
      f->drawn = 0;
      bm_begin_deal(&f->sending, f->senders);
      bm_begin_deal(&f->receiving, f->receivers);
    }
  }
  e->began = bm_began;
  const long long n = bm_share(e->messages, e->shares, e->times, e->seed + 4);
  long long parts = 0, before = 0;
  for (int r = 0; r < e->rounds; r++) parts += e->round[r];
  if (n > room) all = grown(all, room = 2 * n, sizeof *all);
  for (int r = 0; r < e->rounds; r++) {
    const long long first_ = n * before / parts, end = n * (before + e->round[r]) / parts;
    before += e->round[r];
    bm_draw(e, &e->flow[r % e->flows], end - first_, bm_mixed(bm_mixed(e->seed + (bm_bits)e->times) + (bm_bits)r), all);
    (e->is_ordered ? bm_in_order : bm_post)(site, e, end - first_, all);
  }
  e->times++;
}
