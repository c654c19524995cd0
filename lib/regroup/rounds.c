#include "rounds.h"

#include "gpu/rounds.h"

enum {
  K = 1024,
  MOST_STATIC = 48 * K,  // bytes of shared memory that a kernel can name itself
  COUNTS = 4,            // bytes of each thread that counts take, about
  MOST_HOT = 2,          // sorts of threads
  MOST_DGI = 32,         // keys
  FIRST_NEIGHBOURS = 16, // section 3.4 of the paper
  MOST_NEIGHBOURS = 64,
  MOST_KEY_BITS = 31, // of all points together
};

static uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most_of(uint32_t a, uint32_t b) { return a > b ? a : b; }

// ---- room

uint32_t lin_room_left(const lin_room *room) {
  const lin_target *t = room->target;
  const uint32_t threads = room->threads == 0 ? LIN_USUAL_BLOCK : room->threads;
  const uint32_t warps = (threads + LIN_WARP - 1) / LIN_WARP;
  const uint32_t step = LIN_REGISTER_STEP;
  const uint32_t registers = (room->registers + step - 1) / step * step;
  uint32_t blocks = min(t->blocks, t->warps / warps);
  if (registers > 0)
    blocks = min(blocks, t->registers / (registers * LIN_WARP * warps));
  blocks = min(blocks, t->shared / (room->shared + t->shared_taken + 1));
  blocks = blocks == 0 ? 1 : blocks;
  const uint32_t own = t->shared / blocks, taken = room->shared + t->shared_taken;
  uint32_t left = own > taken ? own - taken : 0;
  left = room->is_dynamic ? left / 2 : left;
  return min(left, room->shared < MOST_STATIC ? MOST_STATIC - room->shared : 0) / 16 * 16;
}

static uint32_t most_threads(const lin_room *room) {
  const bool is_known = room->threads > 0 && room->threads <= LIN_LARGEST_BLOCK;
  return is_known ? room->threads : LIN_LARGEST_BLOCK;
}

uint32_t lin_room_of_homes(const lin_room *room) {
  const uint32_t own = lin_room_left(room) / most_threads(room);
  const uint32_t moves = 4 * LIN_AT_ONCE + COUNTS;
  return own > moves ? own - moves : 0;
}

// ---- counts

uint32_t lin_bits_for(uint32_t count) {
  uint32_t bits = 0;
  while (bits < 32 && UINT64_C(1) << bits < count)
    bits++;
  return bits;
}

uint32_t lin_count_keys(const lin_wish *wish, uint32_t dropped) {
  uint64_t keys = 0;
  for (uint32_t i = 0; i < wish->num_points; i++) {
    uint32_t bits = wish->key_bits[i];
    keys += UINT64_C(1) << (bits > dropped ? bits - dropped : 0);
  }
  return keys < UINT64_C(1) << MOST_KEY_BITS ? (uint32_t)keys : UINT32_C(1) << MOST_KEY_BITS;
}

// A byte for each warp, read as words; and a word more, so that lanes find their rows in different
// banks.
uint32_t lin_votes_row(uint32_t threads) { return (threads + 127) / 128 * 4 + 4; }

static uint32_t rows_of(uint32_t keys) { return min(keys, UINT32_C(1) << LIN_BITS_OF_PASS); }

uint32_t lin_votes_tables(uint32_t keys, uint32_t threads) {
  return 2 * rows_of(keys) * lin_votes_row(threads);
}

// A word for each key, and two more.
static uint32_t told_bytes(uint32_t keys) { return 4 * (rows_of(keys) + 2); }

uint32_t lin_votes_bytes(uint32_t keys, uint32_t threads) {
  return lin_votes_tables(keys, threads) + told_bytes(keys);
}

uint32_t lin_dgi_bytes(uint32_t groups, uint32_t threads, uint32_t neighbours) {
  return (4 * groups * ((threads + neighbours - 1) / neighbours) + threads + 3) / 4 * 4;
}

uint32_t lin_words_of_pass(uint32_t keys) {
  const uint32_t bits = lin_bits_for(keys);
  return bits <= LIN_BITS_OF_PASS ? 0 : bits <= 22 ? 1 : 2;
}

static uint32_t bytes_of(const lin_room *room, const lin_wish *wish, const lin_round *round) {
  const uint32_t threads = most_threads(room);
  switch (round->algorithm) {
  case LIN_VOTES:
    return lin_votes_bytes(round->keys, threads);
  case LIN_HOT:
    return LIN_HOT_BYTES;
  case LIN_DGI:
    return lin_dgi_bytes(round->keys + wish->waits, threads, round->neighbours);
  default:
    return 0;
  }
}

// ---- choice

static uint64_t cost_of(const lin_wish *wish, uint32_t keys, lin_algorithm algorithm) {
  const uint64_t bits = lin_bits_for(keys), words = wish->words;
  const uint64_t passes =
      bits <= LIN_BITS_OF_PASS ? 1 : (bits + LIN_BITS_OF_PASS - 1) / LIN_BITS_OF_PASS;
  switch (algorithm) {
  case LIN_HOT:
    return LIN_HOT_ROUND + LIN_HOT_WORD * words;
  case LIN_DGI:
    return LIN_DGI_ROUND + LIN_DGI_KEY * (uint64_t)keys + LIN_DGI_WORD * words;
  default:
    return LIN_VOTES_ROUND * passes + LIN_VOTES_BIT * bits +
           LIN_VOTES_WORD * (words + passes * lin_words_of_pass(keys));
  }
}

static bool can_be(const lin_wish *wish, uint32_t keys, lin_algorithm algorithm) {
  switch (algorithm) {
  case LIN_HOT:
    return keys + wish->waits <= MOST_HOT;
  case LIN_DGI:
    return keys <= MOST_DGI;
  default:
    return true;
  }
}

static lin_round first_choice(const lin_wish *wish) {
  lin_round round = {.algorithm = LIN_VOTES, .keys = lin_count_keys(wish, 0)};
  while (lin_bits_for(round.keys) >= MOST_KEY_BITS)
    round.keys = lin_count_keys(wish, ++round.dropped);
  round.neighbours = wish->neighbours == 0 ? FIRST_NEIGHBOURS : wish->neighbours;
  if (wish->algorithm == LIN_BEST) {
    for (lin_algorithm other = LIN_HOT; other <= LIN_DGI; other++)
      if (can_be(wish, round.keys, other) &&
          cost_of(wish, round.keys, other) < cost_of(wish, round.keys, round.algorithm))
        round.algorithm = other;
  } else if (can_be(wish, round.keys, wish->algorithm)) {
    round.algorithm = wish->algorithm;
  } else {
    round.is_other = true;
  }
  return round;
}

// The next thing to try for a round that takes too much.
static void retreat(const lin_room *room, const lin_wish *wish, lin_round *round) {
  const bool few = can_be(wish, round->keys, LIN_HOT);
  lin_round other = *round;
  if (few && round->algorithm != LIN_HOT) {
    round->algorithm = LIN_HOT;
    round->is_other = round->is_other || wish->algorithm != LIN_BEST;
    return;
  }
  if (round->algorithm == LIN_DGI && round->neighbours < MOST_NEIGHBOURS) {
    round->neighbours *= 2;
    return;
  }
  other.algorithm = LIN_DGI;
  other.neighbours = MOST_NEIGHBOURS;
  if (round->algorithm == LIN_VOTES && can_be(wish, round->keys, LIN_DGI) &&
      bytes_of(room, wish, &other) < bytes_of(room, wish, round)) {
    other.is_other = other.is_other || wish->algorithm != LIN_BEST;
    *round = other;
    return;
  }
  if (round->keys > wish->num_points) {
    round->keys = lin_count_keys(wish, ++round->dropped);
    round->algorithm = LIN_VOTES;
    return;
  }
  *round = (lin_round){.algorithm = LIN_BEST};
}

// Where the parts of the buffer begin.
static void lay_out(const lin_room *room, const lin_wish *wish, uint32_t count,
                    lin_rounds *rounds) {
  uint32_t votes = 0, hot = 0, dgi = 0, tables = 0;
  for (uint32_t i = 0; i < count; i++) {
    const lin_round *round = &rounds->round[i];
    const uint32_t bytes = bytes_of(room, &wish[i], round);
    if (round->algorithm == LIN_VOTES) {
      votes = most_of(votes, bytes);
      tables = most_of(tables, lin_votes_tables(round->keys, most_threads(room)));
    } else if (round->algorithm == LIN_HOT) {
      hot = most_of(hot, bytes);
    } else if (round->algorithm == LIN_DGI) {
      dgi = most_of(dgi, bytes);
    }
  }
  rounds->told_at = tables;
  rounds->hot_at = votes;
  rounds->dgi_at = rounds->hot_at + hot;
  rounds->words_at = (rounds->dgi_at + dgi + 15) / 16 * 16;
}

static uint32_t least_words(const lin_wish *wish, const lin_round *round) {
  uint32_t words = round->algorithm == LIN_VOTES ? lin_words_of_pass(round->keys) : 0;
  return words > 0 ? words : wish->words > 0;
}

// Chunks of about the same size, of fours if there is room.
static uint32_t divide(uint32_t words, uint32_t most) {
  if (words <= most || most == 0)
    return words;
  const uint32_t chunks = (words + most - 1) / most, even = (words + chunks - 1) / chunks;
  return min(most, (even + 3) / 4 * 4);
}

static void divide_words(const lin_room *room, const lin_wish *wish, uint32_t left,
                         lin_round *round) {
  const uint32_t threads = most_threads(room);
  const uint32_t most = min(LIN_AT_ONCE, left / 4 / threads),
                 most_small = min(LIN_AT_ONCE, left / 4 / LIN_SMALL_BLOCK);
  round->at_once = divide(wish->words, most);
  if (round->at_once < wish->words && most < most_small) {
    round->small = LIN_SMALL_BLOCK;
    round->at_once_small = divide(wish->words, most_small);
  }
}

// The round in whose way most is: of those that don't fit the one with the most counts.
static uint32_t bottleneck(const lin_room *room, const lin_wish *wish, uint32_t count,
                           const lin_rounds *rounds, uint32_t left) {
  uint32_t found = count, most = 0;
  bool fits = true;
  for (uint32_t i = 0; i < count; i++)
    fits = fits &&
           (rounds->round[i].algorithm == LIN_BEST ||
            rounds->words_at + 4 * most_threads(room) * least_words(&wish[i], &rounds->round[i]) <=
                left);
  if (fits)
    return count;
  for (uint32_t i = 0; i < count; i++) {
    if (rounds->round[i].algorithm == LIN_BEST)
      continue;
    uint32_t bytes = bytes_of(room, &wish[i], &rounds->round[i]) +
                     4 * most_threads(room) * least_words(&wish[i], &rounds->round[i]);
    if (found == count || bytes > most) {
      found = i;
      most = bytes;
    }
  }
  return found;
}

lin_rounds lin_rounds_choose(lin_arena *arena, const lin_room *room, const lin_wish *wish,
                             uint32_t count) {
  lin_rounds rounds = {.round = LIN_ARRAY(arena, lin_round, count)};
  const uint32_t left = lin_room_left(room);
  for (uint32_t i = 0; i < count; i++)
    rounds.round[i] = first_choice(&wish[i]);
  for (;;) {
    lay_out(room, wish, count, &rounds);
    uint32_t worst = bottleneck(room, wish, count, &rounds, left);
    if (worst == count)
      break;
    retreat(room, &wish[worst], &rounds.round[worst]);
  }
  for (uint32_t i = 0; i < count; i++) {
    lin_round *round = &rounds.round[i];
    if (round->algorithm == LIN_BEST)
      continue;
    divide_words(room, &wish[i], left - rounds.words_at, round);
    uint32_t words = most_of(round->at_once, least_words(&wish[i], round));
    uint32_t bytes = 4 * words * most_threads(room);
    bytes = most_of(bytes, 4 * round->at_once_small * LIN_SMALL_BLOCK);
    rounds.bytes = most_of(rounds.bytes, rounds.words_at + bytes);
  }
  return rounds;
}
