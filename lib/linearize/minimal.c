#include "minimal.h"

uint32_t lin_region_of_edge(const lin_analysis *analysis, const lin_regions *regions,
                            lin_edge edge) {
  lin_block to = analysis->graph->destination[edge];
  if (analysis->postdominators->doomed[edge]) // only the destination is in the region
    return regions->owner[to];
  return lin_region_of_blocks(regions, analysis->graph->source[edge], to);
}

static void number_regions(lin_minimal *minimal, uint32_t num_blocks) {
  const lin_regions *regions = minimal->regions;
  uint32_t next = 0;
  for (uint32_t region = 0; region < regions->num_regions; region++)
    minimal->number[region] = LIN_NONE;
  for (lin_block block = 0; block < num_blocks; block++)
    for (uint32_t region = regions->owner[block];
         region != LIN_NONE && minimal->number[region] == LIN_NONE;
         region = regions->parent[region]) {
      minimal->region[next] = region;
      minimal->number[region] = next++;
    }
}

lin_minimal *lin_minimal_build(lin_arena *arena, const lin_analysis *analysis) {
  uint32_t num_edges = analysis->graph->num_edges;
  bool *seed = LIN_ARRAY(arena, bool, num_edges);
  for (lin_edge edge = 0; edge < num_edges; edge++)
    seed[edge] = analysis->kinds[edge] != 0;
  lin_minimal *minimal = LIN_NEW(arena, lin_minimal);
  minimal->regions = lin_regions_build(arena, analysis, seed);
  minimal->number = LIN_ARRAY(arena, uint32_t, minimal->regions->num_regions);
  minimal->region = LIN_ARRAY(arena, uint32_t, minimal->regions->num_regions);
  minimal->of_edge = LIN_ARRAY(arena, uint32_t, num_edges);
  number_regions(minimal, analysis->graph->num_blocks);
  for (lin_edge edge = 0; edge < num_edges; edge++)
    minimal->of_edge[edge] =
        seed[edge] ? lin_region_of_edge(analysis, minimal->regions, edge) : LIN_NONE;
  return minimal;
}

uint32_t *lin_minimal_names(lin_arena *arena, const lin_minimal *before, const lin_minimal *after,
                            const lin_block *was, uint32_t num_blocks) {
  const lin_regions *regions = after->regions;
  uint32_t *name = LIN_ARRAY(arena, uint32_t, regions->num_regions);
  bool *seen = LIN_ARRAY(arena, bool, regions->num_regions);
  for (uint32_t i = 0; i < regions->num_regions; i++)
    name[i] = LIN_NONE;
  for (lin_block block = 0; block < num_blocks; block++) {
    uint32_t own = was[block] == LIN_NONE ? LIN_NONE : before->regions->owner[was[block]];
    for (uint32_t region = regions->owner[block]; was[block] != LIN_NONE && region != LIN_NONE;
         region = regions->parent[region]) {
      uint32_t number = after->number[region];
      name[number] = seen[number] ? lin_region_around(before->regions, name[number], own) : own;
      seen[number] = true;
    }
  }
  for (uint32_t i = 0; i < regions->num_regions; i++)
    name[i] = name[i] == LIN_NONE ? LIN_NONE : before->number[name[i]];
  return name;
}
