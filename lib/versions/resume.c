// A trial that begins with what earlier runs measured (trial.h).
#include "trial.h"

enum {
  MOST_CREDIT = 64, // launches of earlier runs that pay for tries
  LEAST_KNOWN = 5,  // launches that say enough of a version, where they were timed in turn
};

static bool is_known(const lin_trial *t, uint32_t version) {
  return t->version[version].known > 0 && t->version[t->best].known > 0;
}

void lin_trial_remember(lin_trial *t, uint32_t version, uint64_t time, uint32_t launches,
                        const lin_first *first) {
  lin_contender *c = &t->version[version];
  c->known = launches > 0 ? time : 0;
  c->earlier = launches;
  c->first = *first;
}

// What earlier runs showed to be slower than the best one.
static lin_standing rank_of(const lin_trial *t, uint32_t version) {
  uint64_t time = t->version[version].known, best = t->version[t->best].known;
  if (version == t->best || !is_known(t, version) || time <= best)
    return LIN_UNTRIED;
  return lin_is_far(time, best) ? LIN_FAR : LIN_SLOWER;
}

// Whether it was the first launch of a run before, or else can be compared: linearize-tune has no
// first launches.
static bool was_first(const lin_trial *t, uint32_t version) {
  const lin_first *first = &t->version[version].first;
  bool is_tuned = first->launches == 0 && t->version[version].earlier >= LEAST_KNOWN;
  return is_tuned || first->time[0] > 0 || lin_first_pairs(first, &t->version[0].first).count > 0;
}

static uint32_t find_challenger(const lin_trial *t) {
  for (uint32_t i = 0; i < t->versions; i++)
    if (i != t->best && !t->version[i].is_made_for && !was_first(t, i))
      return i;
  return LIN_NO_VERSION;
}

// Tries of earlier runs were paid for by their time; what is left pays for new ones.
static void add_credit(const lin_trial *t, lin_ledger *l) {
  uint64_t time = 0, spent = 0;
  for (uint32_t i = 0; i < t->versions; i++) {
    const lin_contender *c = &t->version[i];
    uint64_t launches = c->earlier < MOST_CREDIT ? c->earlier : MOST_CREDIT;
    time += launches * c->known;
    spent += launches * lin_above(c->known, t->version[t->best].known);
  }
  l->time += lin_above(time, spent * LIN_SHARE);
}

// Where nothing is known of the plain one, it may be far slower.
void lin_trial_resume(lin_trial *t, lin_ledger *l, uint32_t best, bool is_few) {
  t->best = best;
  t->usual = t->version[best].known;
  t->version[0].was_far = best != 0 && t->version[0].known == 0;
  for (uint32_t i = 0; i < t->versions; i++) {
    t->version[i].rank = rank_of(t, i);
    t->version[i].wait = t->version[i].rank == LIN_SLOWER ? LIN_SLOWER_WAIT : 0;
  }
  t->is_few = is_few;
  t->challenger = is_few ? find_challenger(t) : LIN_NO_VERSION;
  add_credit(t, l);
}

// The challenger has the first launch, and goes on as long as it is faster.
uint32_t lin_trial_of_few(const lin_trial *t) {
  if (t->challenger == LIN_NO_VERSION || t->number == 1)
    return t->challenger == LIN_NO_VERSION ? t->best : t->challenger;
  lin_pairs p = lin_first_pairs(&t->version[t->challenger].first, &t->version[t->best].first);
  return lin_pairs_agree(&p) ? t->challenger : t->best;
}

void lin_trial_follow(lin_trial *t, const lin_trial *before, uint32_t launches) {
  const lin_contender *plain = &before->version[0];
  t->number = before->number + launches;
  t->cold = before->cold;
  lin_first_unite(&t->version[0].first, &plain->first);
  if (t->best == 0)
    t->version[0].times = plain->times;
}
