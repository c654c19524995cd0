// 1. What a remark says of a kernel.
// 2. What that means in cycles, and what it means where nothing was said.
// 3. The helper is asked, image by image.
#define _POSIX_C_SOURCE 200809L // fileno, setenv

#include "decisions.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/lifting.h"
#include "gains.h"
#include "ptx/module.h"
#include "text.h"
#include "versions/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SECONDS = 10 }; // of a helper, and until the last image is begun with

// Launches that lose less than this part of what all take aren't asked about: it is nobody's
// problem.
#define LEAST_PART 0.02
// What is less isn't worth threads that trade work.
#define LEAST_REGROUPED 0.05

// A kernel's time isn't all in its instructions. Where these say that a version is x times as fast,
// it is x^p times: p by least squares on one half of the programs, and on the other half
// predictions are off by 15% in the middle (`bench/device/predictions`, H200, 2026-11-28).
static const double MERGED_COMES_TRUE = 0.73, MELDED_COMES_TRUE = 0.6;

// Percent of a kernel; remarks of branches that lie in each other may add up to more.
static const double MOST_MELDED = 95;

// The remark that stands for a version.
typedef struct chosen {
  bool is_made, by_counts;
  double saves; // instructions, by counts
} chosen;

// A launch that is asked about.
typedef struct asked {
  profile_estimate *e;
  bool is_wanted;       // it loses enough
  bool is_here;         // in the image
  bool by_counts;       // it is the question with a profile
  chosen chosen[3];     // PROFILE_LINEARIZED, PROFILE_MERGED, PROFILE_MELDED
  double kept, saved;   // instructions: without guards, with them, of what is linearized
  double merged;        // cycles
  double melded;        // of what warps run, percent
  const char *left;     // why nothing is done, whatever the version
  const char *no_order; // why no order of its threads is known
} asked;

typedef struct ear {
  lin_memory *memory;
  asked *asked; // [count]
  uint32_t count;
} ear;

// ---- step 1 ------------------------------------------------------------------------------------

static const char *copy(lin_memory *memory, const char *text) {
  char *made = LIN_HAVE(memory, char, strlen(text) + 1);
  if (made == NULL)
    tool_die(1, "out of memory");
  return strcpy(made, text);
}

// "left alone region 3: too small" says that it is too small.
static const char *reason_of(const char *message) {
  const char *colon = strstr(message, ": ");
  return colon == NULL ? message : colon + 2;
}

// The number behind `head`; not a number: it isn't there.
static double number_behind(const char *message, const char *head) {
  const char *found = strstr(message, head);
  char *end = NULL;
  const double number = found == NULL ? NAN : strtod(found + strlen(head), &end);
  return end == NULL || end == found + strlen(head) ? NAN : number;
}

// "" of the kernel, "needed" of its version; NULL: of another function.
static const char *version_of(const char *function, const char *kernel) {
  static const char infix[] = LIN_VERSIONS_FUNCTION_INFIX;
  const size_t length = strlen(kernel);
  if (strncmp(function, kernel, length) != 0)
    return NULL;
  if (function[length] == '\0')
    return "";
  const bool is_version = strncmp(function + length, infix, sizeof infix - 1) == 0;
  return is_version ? function + length + sizeof infix - 1 : NULL;
}

static void decide(lin_memory *memory, asked *a, int version, bool is_made, double saved,
                   const char *says) {
  a->e->decided[version] = (profile_decision){copy(memory, says), is_made, saved};
}

// `linearize PROGRAM` makes what it makes without a profile. Chosen is what was
// made before what wasn't, what the counts say of it before a guess, and of these what saves most.
static void choose(lin_memory *memory, asked *a, int version, const lin_ptx_remark *r,
                   double saves) {
  const bool is_made = r->kind == LIN_PTX_PASSED, was_made = a->e->decided[version].is_made;
  const char *text = is_made ? r->message : reason_of(r->message);
  chosen *c = &a->chosen[version];
  const bool is_more = a->by_counts > c->by_counts
                           ? !isnan(saves) || is_made >= c->is_made
                           : is_made > c->is_made || (is_made == c->is_made && saves > c->saves);
  if (a->e->decided[version].says != NULL && !is_more)
    return;
  *c = (chosen){is_made, a->by_counts, saves};
  const bool is_guessed = a->by_counts && was_made && !is_made;
  char both[640];
  snprintf(both, sizeof both, "%s%s", is_guessed ? "made; by the counts " : "", text);
  decide(memory, a, version, is_made || was_made, NAN, both);
}

static double entries_of(const profile_estimate *e, const char *block) {
  for (uint32_t b = 0; b < e->launch->num_blocks && block != NULL; b++)
    if (strcmp(e->launch->blocks[b].name, block) == 0)
      return e->block[b].now;
  return 0;
}

static void hear_linearized(lin_memory *memory, asked *a, const lin_ptx_remark *r) {
  const double net =
      r->executed > 0 ? entries_of(a->e, r->block) * (r->gain - r->cost) : (double)NAN;
  if (a->by_counts && !isnan(net)) {
    a->saved += entries_of(a->e, r->block) * r->gain;
    a->kept += r->kind == LIN_PTX_PASSED ? net : 0;
  }
  choose(memory, a, PROFILE_LINEARIZED, r, net);
}

// Whether a block is in the loop with that header, or is it.
static bool is_in_loop(const lin_counts_launch *l, uint32_t block, const char *header) {
  while (block != UINT32_MAX && strcmp(l->blocks[block].name, header) != 0)
    block = l->blocks[block].around;
  return block != UINT32_MAX;
}

// Of the loop around the one that is merged or left: it is named, or is around the remark's block.
static double cycles_around(const profile_estimate *e, const lin_ptx_remark *r) {
  char header[256] = "";
  double sum = 0;
  if (sscanf(r->message, "%*[^']'%255[^']'", header) != 1)
    for (uint32_t b = 0; b < e->launch->num_blocks && r->block != NULL; b++) {
      const uint32_t around = e->launch->blocks[b].around;
      if (strcmp(e->launch->blocks[b].name, r->block) == 0 && around != UINT32_MAX)
        snprintf(header, sizeof header, "%s", e->launch->blocks[around].name);
    }
  for (uint32_t b = 0; b < e->launch->num_blocks; b++)
    sum += is_in_loop(e->launch, b, header) ? e->block[b].now * e->launch->blocks[b].latency : 0;
  return sum;
}

static void hear_merged(lin_memory *memory, asked *a, const lin_ptx_remark *r) {
  if (strncmp(r->name, "Loop", 4) != 0)
    return;
  const bool is_known = r->executed > 0;
  if (a->by_counts && is_known)
    a->merged = fmax(a->merged, cycles_around(a->e, r) * r->gain / r->executed);
  choose(memory, a, PROFILE_MERGED, r, is_known ? r->gain : (double)NAN);
}

static void hear_melded(lin_memory *memory, asked *a, const lin_ptx_remark *r) {
  if (strncmp(r->name, "Arms", 4) != 0)
    return;
  const double share = number_behind(r->message, "by the counts ");
  if (a->by_counts && !isnan(share))
    a->melded += share;
  choose(memory, a, PROFILE_MELDED, r, share);
}

static bool is_named(const lin_ptx_remark *r, const char *name) {
  return strcmp(r->name, name) == 0;
}

static void hear_of_kernel(lin_memory *memory, asked *a, const lin_ptx_remark *r) {
  const double now = a->e->now, times = number_behind(r->message, "less: about "),
               less = number_behind(r->message, "warps execute about "),
               more = number_behind(r->message, "% less, and ");
  const double gain = isnan(times) ? number_behind(r->message, "more: about ") : times;
  if (is_named(r, "Refilled"))
    decide(memory, a, PROFILE_REFILLED, true,
           now - (isnan(gain) ? a->e->cycles[PROFILE_REFILLING] : now / gain), r->message);
  else if (is_named(r, "NotRefilled"))
    decide(memory, a, PROFILE_REFILLED, false, isnan(gain) ? NAN : now - now / gain,
           reason_of(r->message));
  else if (is_named(r, "NotRedirected"))
    decide(memory, a, PROFILE_REDIRECTED, false, NAN, reason_of(r->message));
  else if (is_named(r, "NoInspector"))
    a->no_order = copy(memory, r->message);
  else if (is_named(r, "RegroupChosen"))
    decide(memory, a, PROFILE_REGROUPED, true, now * (less - more) / 100, r->message);
  else if (is_named(r, "RegroupRefused") || is_named(r, "NotRegrouped") || is_named(r, "NoCounts"))
    decide(memory, a, PROFILE_REGROUPED, false, NAN, r->message);
  else if (is_named(r, "NotLifted") || (is_named(r, "NoVersions") && r->kind == LIN_PTX_MISSED))
    a->left = copy(memory, reason_of(r->message));
}

static void hear(void *context, const lin_ptx_remark *r) {
  const ear *all = context;
  for (uint32_t i = 0; i < all->count && r->function != NULL; i++) {
    asked *a = &all->asked[i];
    const char *version = version_of(r->function, a->e->launch->kernel);
    if (!a->is_here || version == NULL)
      continue;
    if (*version == '\0')
      hear_of_kernel(all->memory, a, r);
    else if (strcmp(version, "needed") == 0)
      hear_linearized(all->memory, a, r);
    else if (strcmp(version, "needed_merge_loops") == 0)
      hear_merged(all->memory, a, r);
    else if (strcmp(version, "meld") == 0)
      hear_melded(all->memory, a, r);
  }
}

// ---- step 2 ------------------------------------------------------------------------------------

static double best_order(const profile_estimate *e) {
  double best = NAN;
  for (int i = PROFILE_SORTING; i <= PROFILE_GREEDY_MAX; i++)
    best = fmin(best, e->cycles[i]); // a number, if one is
  return e->now - best;
}

// Of the cycles that instructions take as many as come true. O(1).
static double saved_of(const profile_estimate *e, double saved, double comes_true) {
  return e->now > saved ? e->now * (1 - pow(1 - saved / e->now, comes_true)) : saved;
}

static void finish(lin_memory *memory, asked *a) {
  static const char *const silent[PROFILE_NUM_VERSIONS] = {
      [PROFILE_LINEARIZED] = "its control flow is structured",
      [PROFILE_MERGED] = "no loop in a loop has trip counts that differ",
      [PROFILE_MELDED] = "no arms of a branch do the same",
      [PROFILE_REFILLED] = "the compiler says nothing of it",
      [PROFILE_REGROUPED] = "no place in it where that pays"};
  profile_estimate *e = a->e;
  profile_decision *linearized = &e->decided[PROFILE_LINEARIZED],
                   *merged = &e->decided[PROFILE_MERGED], *melded = &e->decided[PROFILE_MELDED],
                   *redirected = &e->decided[PROFILE_REDIRECTED];
  for (int v = 0; v < PROFILE_NUM_VERSIONS; v++)
    if (a->left != NULL)
      decide(memory, a, v, false, NAN, a->left);
    else if (e->decided[v].says == NULL && silent[v] != NULL)
      decide(memory, a, v, false, NAN, silent[v]);
  if (redirected->says == NULL && a->no_order != NULL)
    decide(memory, a, PROFILE_REDIRECTED, false, NAN, a->no_order);
  if (redirected->says == NULL)
    decide(memory, a, PROFILE_REDIRECTED, true, best_order(e),
           "threads change places, as an inspector tells ahead");
  if (e->decided[PROFILE_REFILLED].is_made)
    e->cycles[PROFILE_REFILLING] = e->now - e->decided[PROFILE_REFILLED].saved;
  if (linearized->is_made && a->saved > 0)
    linearized->saved = profile_bound_of(e, PROFILE_LINEARIZED) * fmax(a->kept, 0) / a->saved;
  if (merged->is_made && a->merged > 0)
    merged->saved = saved_of(e, a->merged, MERGED_COMES_TRUE);
  if (melded->is_made && a->melded > 0)
    melded->saved = saved_of(e, e->now * fmin(a->melded, MOST_MELDED) / 100, MELDED_COMES_TRUE);
}

// ---- step 3 ------------------------------------------------------------------------------------

// Which of the launches are of the image's kernel of that name. Returns whether any is.
static bool find_here(const ear *all, const char *kernel) {
  bool is_any = false;
  for (uint32_t i = 0; i < all->count; i++) {
    asked *a = &all->asked[i];
    const bool is_open = a->is_wanted && a->e->decided[0].says == NULL && !a->e->is_ambiguous;
    if (is_open && strcmp(a->e->launch->kernel, kernel) == 0)
      a->is_here = is_any = true;
  }
  return is_any;
}

// The image without kernels that nobody asks about: places in it are lines, so these stay, empty.
// NULL: nobody asks about any.
static char *take_wanted(ear *all, const profile_ptx *ptx) {
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, ptx->text, ptx->length, &error);
  char *text = malloc(ptx->length + 1);
  bool is_any = false;
  if (text == NULL)
    tool_die(1, "out of memory");
  memcpy(text, ptx->text, ptx->length);
  for (uint32_t i = 0; i < all->count; i++)
    all->asked[i].is_here = false;
  for (uint32_t i = 0; module != NULL && i < module->num_functions; i++) {
    const lin_ptx_place *f = &module->function[i];
    const bool is_wanted = f->is_kernel && find_here(all, f->name);
    is_any |= is_wanted;
    for (uint32_t at = f->start; f->is_kernel && !is_wanted && at <= f->end; at++)
      if (text[at] != '\n')
        text[at] = ' ';
  }
  lin_arena_release(&arena);
  if (is_any)
    return text;
  free(text);
  return NULL;
}

// Returns whether the helper answered.
static bool ask(ear *all, const profile_ptx *ptx, const char *text, const char *options) {
  const char *failure = NULL;
  size_t length = ptx->length;
  free(tool_lift(ptx->name, text, &length, options, 0, MOST_SECONDS, hear, all, &failure));
  if (failure != NULL)
    fprintf(stderr, "%s: warning: what the compiler decides isn't known: %s\n", tool_name, failure);
  return failure == NULL;
}

// Regrouping takes a second to decide: it isn't asked about where threads of a block that trade
// work at no cost don't gain in any of the launches.
static bool can_regroup(const ear *all) {
  bool can = false;
  for (uint32_t i = 0; i < all->count; i++) {
    const profile_estimate *e = all->asked[i].e;
    const double in_block = e->cycles[PROFILE_IN_BLOCK];
    can |= all->asked[i].is_here && (isnan(in_block) || in_block <= (1 - LEAST_REGROUPED) * e->now);
  }
  return can;
}

// Each launch is asked about in the first image that has its kernel.
static void ask_of(ear *all, const profile_ptx *ptx, const char *profile) {
  static const char *const questions[] = {
      "versions=plain:needed:needed.merge-loops:meld",
      "versions=plain:needed:needed.merge-loops:meld:refilled:redirected;profile=",
      "mode=irreducible;regroup;profile="};
  char *text = take_wanted(all, ptx);
  bool is_answered = text != NULL;
  const size_t num_questions = can_regroup(all) ? 3 : 2; // the last is about regrouping
  for (size_t q = 0; is_answered && q < num_questions; q++) {
    char options[200];
    snprintf(options, sizeof options, "%s%s", questions[q], q == 0 ? "" : profile);
    for (uint32_t i = 0; i < all->count; i++)
      all->asked[i].by_counts = q > 0;
    is_answered = ask(all, ptx, text, options);
  }
  for (uint32_t i = 0; i < all->count; i++)
    if (all->asked[i].is_here && is_answered)
      finish(all->memory, &all->asked[i]);
  free(text);
}

static void find_wanted(ear *all, const profile_estimate *e) {
  const bool timed = profile_are_timed(e, all->count);
  const double least = LEAST_PART * profile_time_of_all(e, all->count, timed);
  for (uint32_t i = 0; i < all->count; i++)
    all->asked[i].is_wanted = profile_time_of(&e[i], timed) * (1 - e[i].none / e[i].now) >= least;
}

void profile_decisions_find(lin_memory *memory, const profile_notes *notes,
                            const lin_counts *counts, profile_estimate *estimate, uint32_t count) {
  ear all = {memory, LIN_HAVE(memory, asked, count + (size_t)1), count};
  if (all.asked == NULL)
    tool_die(1, "out of memory");
  for (uint32_t i = 0; i < count; i++)
    all.asked[i].e = &estimate[i];
  find_wanted(&all, estimate);
  FILE *file = tool_scratch_file();
  char profile[64];
  lin_counts_write(file, counts);
  tool_rewind(file);
  snprintf(profile, sizeof profile, "/proc/%ld/fd/%d", (long)getpid(), fileno(file));
  // No other run has this file, so that nobody asks again.
  if (setenv("LINEARIZE_CACHE", "none", 1) != 0)
    tool_die(1, "out of memory");
  const time_t end = time(NULL) + MOST_SECONDS;
  for (uint32_t i = 0; i < notes->num_ptx && time(NULL) < end; i++)
    ask_of(&all, &notes->ptx[i], profile);
  fclose(file);
}
