// Each region is walked twice, as it is and linearized: the warp comes to it once.
#include "estimate.h"

#include "gpu/costs.h"
#include "linearize/algorithm3_subregions.h"
#include "ways.h"

// A graph, and the ways through it.
typedef struct view {
  const lin_analysis *a;
  const lin_ways *ways;
} view;

typedef struct walker {
  view whole;            // as it is given: where loops that share iterations are two
  view compiled;         // as ptxas has it
  bool *shares;          // [num_regions] regions with both of such loops
  bool *doubted;         // [loops of `whole`] in whose own blocks nothing counts as saved
  const lin_analysis *a; // of the walk at hand
  const lin_joins *joins;
  const lin_ways *ways;
  const lin_regions *regions;
  const bool *guarded;     // [num_blocks] where linearized a guard stands
  uint32_t *enter, *leave; // [num_regions] an interval of a preorder over regions around regions
  uint32_t *below_top;     // [num_regions] the region around it, or itself, that is directly inside
                           // of an outermost one
  // Of the region at hand:
  uint32_t region;
  bool linearized;
  double crowd;    // threads of the warp, where it is entered
  double share;    // of those of the block before it, the ones that come to it
  double any;      // the chance that any of them does
  double *run;     // [num_blocks] instructions of the region as it is
  double *passes;  // [num_blocks] in one iteration of the loops around the block, inside the region
  double *threads; // [num_blocks] in all of these
  double *trips;   // [num_loops] of the warp, of the loop and all around it in the region
} walker;

static bool is_inside(const walker *w, lin_block block) {
  if (w->region == LIN_NONE)
    return true;
  uint32_t owner = w->regions->owner[block];
  return owner != LIN_NONE && w->enter[w->region] <= w->enter[owner] &&
         w->enter[owner] < w->leave[w->region];
}

// What a region's plan keeps as it is, a subregion, has one guard at most, where it is entered; and
// nobody meets earlier in it.
static const bool *find_guarded(lin_arena *arena, const lin_analysis *a, const lin_regions *regions,
                                const bool *seed) {
  const lin_graph *graph = a->graph;
  const lin_subregions *subregions = lin_subregions_build(arena, a, regions, seed, NULL, false);
  bool *guarded = LIN_ARRAY(arena, bool, graph->num_blocks);
  lin_block *entry = LIN_ARRAY(arena, lin_block, graph->num_blocks);  // of its subregion
  lin_block *target = LIN_ARRAY(arena, lin_block, graph->num_blocks); // of that; or LIN_NONE
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    uint32_t region = regions->owner[block];
    target[block] = LIN_NONE;
    if (region == LIN_NONE)
      continue;
    lin_block above = a->dominators->parent[block];
    if (block > 0 && regions->owner[above] == region && target[above] != LIN_NONE &&
        lin_subregion_has(a, entry[above], target[above], block)) {
      entry[block] = entry[above];
      target[block] = target[above];
      continue;
    }
    entry[block] = block;
    target[block] = lin_subregion_target(subregions, region, block);
    for (LIN_IN_EDGES(graph, block, i))
      guarded[block] |= a->kinds[graph->in_edge[i]] != 0;
  }
  return guarded;
}

static bool is_header(const walker *w, lin_block block) {
  uint32_t loop = w->a->loops->loop_of[block];
  return loop != 0 && w->a->loops->header[loop] == block;
}

// Of the loops around `from`, those that don't contain `to`.
static double trips_left(const walker *w, lin_block from, lin_block to) {
  const lin_loops *loops = w->a->loops;
  double trips = 1;
  for (uint32_t loop = loops->loop_of[from]; !lin_loop_contains(loops, loop, to);
       loop = loops->tree->parent[loop])
    if (is_inside(w, loops->header[loop]))
      trips *= w->trips[loop] / w->trips[loops->tree->parent[loop]];
  return trips;
}

typedef struct coming {
  double passes, threads;
} coming;

// Over an edge of the region, or into it, in all iterations of the loops that it leaves.
static coming come_over(const walker *w, lin_edge edge) {
  lin_block from = w->a->graph->source[edge];
  if (!is_inside(w, from)) {
    double any = lin_ways_any(w->a, w->joins, w->ways, edge, w->ways->crowd[from]);
    return (coming){w->any > 0 ? any / w->any : 0,
                    w->share > 0 ? w->crowd * w->ways->share[edge] / w->share : 0};
  }
  double trips = trips_left(w, from, w->a->graph->destination[edge]);
  double of_pass = w->passes[from] > 0 ? w->threads[from] / w->passes[from] : 0;
  double any = lin_ways_any(w->a, w->joins, w->ways, edge, of_pass);
  return (coming){w->passes[from] * any * trips, w->threads[from] * w->ways->share[edge] * trips};
}

// To the immediate dominator or, if that is in loops that don't contain the block, to these.
static coming come_above(const walker *w, lin_block block) {
  const lin_loops *loops = w->a->loops;
  lin_block above = lin_ways_above(w->a, block);
  if (!is_inside(w, above))
    return (coming){1, w->crowd};
  coming result = {w->passes[above], w->threads[above]};
  uint32_t loop = loops->loop_of[above];
  if (!lin_loop_contains(loops, loop, block))
    result.threads *= trips_left(w, above, block) / w->ways->trips[loop];
  return result;
}

// Where all of those wait for each other that come by different ways, a warp comes once for each
// pass above in which any does; else once for each way.
static coming come_to(const walker *w, lin_block block) {
  const lin_graph *graph = w->a->graph;
  coming above = {1, w->crowd};
  if (block == 0)
    return above;
  lin_block dominator = w->a->dominators->parent[block];
  above = come_above(w, block);
  if (lin_tree_contains(w->a->postdominators->tree, block, dominator))
    return above;
  coming sum = {0, 0};
  for (LIN_IN_EDGES(graph, block, i)) {
    if (graph->source[graph->in_edge[i]] >= block)
      continue;
    coming way = come_over(w, graph->in_edge[i]);
    sum.passes += way.passes;
    sum.threads += way.threads;
  }
  if ((w->joins->met[block] || (w->linearized && w->guarded[block])) && above.passes < sum.passes)
    sum.passes = above.passes;
  if (sum.passes > sum.threads)
    sum.passes = sum.threads;
  return sum;
}

static void enter_loop(walker *w, uint32_t loop, lin_block header) {
  const lin_loops *loops = w->a->loops;
  double of_pass = w->passes[header] > 0 ? w->threads[header] / w->passes[header] : 0;
  double trips = lin_ways_trips(w->ways, loop, of_pass);
  uint32_t around = loops->tree->parent[loop];
  bool has_around = around != 0 && is_inside(w, loops->header[around]);
  w->trips[around] = has_around ? w->trips[around] : 1;
  w->trips[loop] = w->trips[around] * trips;
  w->threads[header] *= w->ways->trips[loop] / trips;
}

static double walk_block(walker *w, lin_block block) {
  const lin_loops *loops = w->a->loops;
  uint32_t loop = loops->loop_of[block];
  coming c = come_to(w, block);
  w->passes[block] = c.passes;
  w->threads[block] = c.threads;
  if (is_header(w, block))
    enter_loop(w, loop, block);
  else if (loop == 0 || !is_inside(w, loops->header[loop]))
    w->trips[loop] = 1;
  if (w->ways->scatters[loop] && !w->linearized)
    w->passes[block] = w->threads[block];
  return w->passes[block] * w->trips[loop];
}

// ---- regions

static void enter_region(walker *w, uint32_t region) {
  const lin_graph *graph = w->a->graph;
  lin_block above = region == LIN_NONE ? LIN_NONE : w->regions->dominator[region];
  w->region = region;
  w->share = 0;
  w->any = 0;
  w->crowd = above == LIN_NONE ? w->ways->crowd[0] : w->ways->crowd[above];
  if (above == LIN_NONE)
    return;
  bool told = false;
  for (LIN_OUT_EDGES(graph, above, edge)) {
    if (!is_inside(w, graph->destination[edge]))
      continue;
    w->share += w->ways->share[edge];
    w->any += lin_ways_any(w->a, w->joins, w->ways, edge, w->crowd);
    told |= w->ways->told[edge];
  }
  w->any = w->any < 1 ? w->any : 1;
  if (told && w->any > 0)
    w->crowd = w->crowd * w->share / w->any;
  w->crowd = w->crowd < 1 ? 1 : w->crowd;
}

typedef struct span {
  lin_block first, last;
} span;

static span *find_spans(const walker *w, lin_arena *arena) {
  const lin_regions *regions = w->regions;
  span *spans = LIN_ARRAY(arena, span, regions->num_regions);
  for (uint32_t region = 0; region < regions->num_regions; region++)
    spans[region].first = LIN_NONE;
  for (lin_block block = 0; block < w->a->graph->num_blocks; block++) {
    uint32_t region = regions->owner[block];
    if (region == LIN_NONE)
      continue;
    spans[region].first = spans[region].first == LIN_NONE ? block : spans[region].first;
    spans[region].last = block;
  }
  for (uint32_t region = 0; region < regions->num_regions; region++) { // those around come later
    uint32_t around = regions->parent[region];
    if (around == LIN_NONE)
      continue;
    if (spans[region].first < spans[around].first)
      spans[around].first = spans[region].first;
    if (spans[around].first == spans[region].first || spans[region].last > spans[around].last)
      spans[around].last =
          spans[region].last > spans[around].last ? spans[region].last : spans[around].last;
  }
  return spans;
}

// Those around a region come later, and have it in their interval.
static void number_regions(walker *w, lin_arena *arena) {
  uint32_t count = w->regions->num_regions, next = 0;
  uint32_t *size = LIN_ARRAY(arena, uint32_t, count);
  w->enter = LIN_ARRAY(arena, uint32_t, count);
  w->leave = LIN_ARRAY(arena, uint32_t, count);
  w->below_top = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t region = 0; region < count; region++)
    if (w->regions->parent[region] != LIN_NONE)
      size[w->regions->parent[region]] += ++size[region];
    else
      size[region]++;
  for (uint32_t region = count; region-- > 0;) {
    uint32_t around = w->regions->parent[region];
    bool is_top = around == LIN_NONE || w->regions->parent[around] == LIN_NONE;
    w->below_top[region] = is_top ? region : w->below_top[around];
    uint32_t *place = around == LIN_NONE ? &next : &w->leave[around]; // the next free one
    w->enter[region] = *place;
    w->leave[region] = w->enter[region] + 1;
    *place += size[region];
  }
}

// How often a warp comes to the iterations of a loop, or to the region: so often it comes to each
// guard.
static double trips_of(const walker *w, uint32_t loop) {
  lin_block header = w->a->loops->header[loop];
  return loop == 0 || !is_inside(w, header) ? 1 : w->passes[header] * w->trips[loop];
}

// A guard is tested where it stands, set where threads part for it, and asked for at the end of
// each iteration of a loop that they leave.
static double cost_of_guards(const walker *w, lin_block block) {
  const lin_graph *graph = w->a->graph;
  uint32_t loop = w->a->loops->loop_of[block];
  double cost = w->guarded[block] ? LIN_COST_OF_TEST * trips_of(w, loop) : 0;
  bool leaves = false;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    if (w->whole.a->kinds[edge] == 0 || !w->guarded[graph->destination[edge]])
      continue;
    cost += LIN_COST_OF_SET * w->passes[block] * w->trips[loop];
    leaves |= (w->whole.a->kinds[edge] & LIN_JUMP_OUT) != 0;
  }
  return leaves ? cost + LIN_COST_OF_TEST * trips_of(w, loop) : cost;
}

static walker new_walker(lin_arena *arena, const lin_analysis *a, const lin_joins *joins,
                         const lin_ways *ways) {
  return (walker){.whole = {a, joins->compiled == a ? ways : NULL},
                  .compiled = {joins->compiled, ways},
                  .a = joins->compiled,
                  .joins = joins,
                  .ways = ways,
                  .region = LIN_NONE,
                  .run = LIN_ARRAY(arena, double, a->graph->num_blocks),
                  .passes = LIN_ARRAY(arena, double, a->graph->num_blocks),
                  .threads = LIN_ARRAY(arena, double, a->graph->num_blocks),
                  .trips = LIN_ARRAY(arena, double, a->loops->num_loops)};
}

double *lin_estimate_passes(lin_arena *arena, const lin_analysis *analysis, const lin_joins *joins,
                            const lin_ways *ways) {
  walker w = new_walker(arena, analysis, joins, ways);
  w.crowd = ways->crowd[0];
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++)
    walk_block(&w, block);
  return w.passes;
}

// Regions in one another more levels than this are walked no more, but for the outermost: their
// blocks would be gone through once for each level.
enum { MOST_LEVELS = 32 };

// The region directly inside of the one at hand that has the block, or that one itself.
static uint32_t inner_region(const walker *w, lin_block block) {
  uint32_t inner = w->regions->owner[block];
  if (w->regions->parent[w->region] == LIN_NONE)
    return inner == w->region ? inner : w->below_top[inner];
  while (inner != w->region && w->regions->parent[inner] != w->region)
    inner = w->regions->parent[inner];
  return inner;
}

// Guards hold threads behind an inner loop that shares the iterations of the one around it: where
// both are linearized, they are two.
static void choose_view(walker *w, bool linearized) {
  const view *v = linearized && w->shares[w->region] ? &w->whole : &w->compiled;
  w->linearized = linearized;
  w->a = v->a;
  w->ways = v->ways;
}

static bool *find_sharing(lin_arena *arena, const lin_joins *joins, const lin_regions *regions) {
  bool *shares = LIN_ARRAY(arena, bool, regions->num_regions);
  for (lin_block block = 0; block < joins->compiled->graph->num_blocks; block++)
    if (joins->inner[block] != LIN_NONE && regions->owner[block] != LIN_NONE)
      shares[regions->owner[block]] = true;
  for (uint32_t region = 0; region < regions->num_regions; region++) // those around come later
    if (regions->parent[region] != LIN_NONE)
      shares[regions->parent[region]] |= shares[region];
  return shares;
}

// Of loops that share iterations, the outer one without the inner, unless weights say how often
// threads go around. Parents come first.
static bool *find_doubted(lin_arena *arena, const walker *w) {
  const lin_loops *loops = w->whole.a->loops, *compiled = w->compiled.a->loops;
  const lin_graph *graph = w->whole.a->graph;
  bool *doubted = LIN_ARRAY(arena, bool, loops->num_loops);
  bool *around = LIN_ARRAY(arena, bool, loops->num_loops); // for what is around it
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    uint32_t parent = loops->tree->parent[loop];
    lin_block outer = loops->header[parent], header = loops->header[loop];
    bool is_inner = w->joins->inner[outer] != LIN_NONE &&
                    graph->destination[graph->first_edge[outer]] == header;
    around[loop] = is_inner ? around[parent] : doubted[parent];
    lin_block inner = w->joins->inner[header];
    doubted[loop] =
        around[loop] || (inner != LIN_NONE && w->compiled.ways->guessed[compiled->loop_of[inner]]);
  }
  return doubted;
}

// What is run of a region in the one around it is counted there.
static void walk_region(walker *w, span blocks, bool linearized, lin_estimate *result) {
  lin_estimate *e = &result[w->region];
  choose_view(w, linearized);
  for (lin_block block = blocks.first; block <= blocks.last; block++) {
    if (!is_inside(w, block))
      continue;
    double run = walk_block(w, block) * w->a->graph->cost[block];
    if (linearized) {
      double saved = w->run[block] - run;
      bool doubted = saved > 0 && w->doubted[w->whole.a->loops->loop_of[block]];
      *(doubted ? &e->doubted : &e->saved) += saved;
      e->guards += cost_of_guards(w, block);
      continue;
    }
    uint32_t inner = inner_region(w, block);
    w->run[block] = run;
    e->total += run;
    if (inner != w->region)
      result[inner].around += run;
  }
}

// Of a region that isn't walked, what is inside of it is all that is known.
static void add_nested(lin_estimate *around, const lin_estimate *nested) {
  around->total += nested->total;
  around->saved += nested->saved;
  around->guards += nested->guards;
  around->doubted += nested->doubted;
}

lin_estimate *lin_estimate_regions(lin_arena *arena, const lin_analysis *analysis,
                                   const lin_joins *joins, const lin_ways *ways,
                                   const lin_regions *regions, const bool *seed) {
  lin_estimate *result = LIN_ARRAY(arena, lin_estimate, regions->num_regions);
  if (regions->num_regions == 0)
    return result;
  walker w = new_walker(arena, analysis, joins, ways);
  w.regions = regions;
  w.shares = find_sharing(arena, joins, regions);
  w.doubted = find_doubted(arena, &w);
  if (joins->compiled != analysis)
    w.whole.ways = lin_ways_apart(arena, analysis, joins, ways);
  w.guarded = find_guarded(arena, analysis, regions, seed);
  number_regions(&w, arena);
  const span *spans = find_spans(&w, arena);
  uint32_t *levels = LIN_ARRAY(arena, uint32_t, regions->num_regions); // inside of it
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    uint32_t around = regions->parent[region];
    if (levels[region] <= MOST_LEVELS || around == LIN_NONE) {
      result[region].total = 0;
      result[region].saved = 0;
      result[region].guards = 0;
      result[region].doubted = 0;
      w.region = region;
      choose_view(&w, false);
      enter_region(&w, region);
      walk_region(&w, spans[region], false, result);
      walk_region(&w, spans[region], true, result);
    }
    if (around == LIN_NONE)
      continue;
    levels[around] = levels[around] > levels[region] ? levels[around] : levels[region] + 1;
    add_nested(&result[around], &result[region]);
  }
  return result;
}

bool *lin_estimate_choose(lin_arena *arena, const lin_estimate *estimate,
                          const lin_regions *regions, double least, double for_guards) {
  bool *chosen = LIN_ARRAY(arena, bool, regions->num_regions);
  double *nested =
      LIN_ARRAY(arena, double, regions->num_regions); // gained by what is chosen inside
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    const lin_estimate *e = &estimate[region];
    double gain = e->saved - e->guards, best = nested[region];
    chosen[region] = e->saved >= for_guards * e->guards && gain >= e->total * least && gain >= best;
    if (regions->parent[region] != LIN_NONE && e->total > 0)
      nested[regions->parent[region]] += (chosen[region] ? gain : best) * e->around / e->total;
  }
  return chosen;
}
