#include "byte_graph.h"

#include <stdio.h>

enum { MAX_SUCCESSORS = 8 };

typedef struct reader {
  const uint8_t *at, *end;
} reader;

// Past the end all is 0.
static uint8_t next_byte(reader *r) { return r->at < r->end ? *r->at++ : 0; }

typedef struct read_block {
  uint32_t flags;
  uint32_t degree;
  int8_t ahead[MAX_SUCCESSORS];
} read_block;

static read_block next_block(reader *r) {
  static const uint32_t rare[] = {LIN_WAITS, LIN_POLLS, LIN_RELEASES, LIN_CROSS_LANE, LIN_REFUSED};
  enum { FIRST_RARE = 32 - sizeof rare / sizeof rare[0] };
  uint8_t control = next_byte(r);
  uint32_t kind = control & 3, flag = control >> 3;
  bool bit = (control & 4) != 0;
  read_block block = {0};
  if (flag >= FIRST_RARE)
    block.flags |= rare[flag - FIRST_RARE];
  if (kind == 3) {
    block.flags |= bit ? LIN_TRAP : LIN_RETURN;
    return block;
  }
  if (bit)
    block.flags |= LIN_UNIFORM;
  block.degree = kind + 1;
  if (kind == 2)
    block.degree += next_byte(r) % (MAX_SUCCESSORS - 2);
  for (uint32_t i = 0; i < block.degree; i++)
    block.ahead[i] = (int8_t)next_byte(r);
  return block;
}

// No edge leads to the entry: those that would go there or before it lead to the block behind it,
// and those behind the last block to the last.
static lin_block target(lin_block block, int8_t ahead, uint32_t num_blocks) {
  int64_t to = (int64_t)block + ahead;
  if (to < 1)
    return 1;
  return to < num_blocks ? (lin_block)to : num_blocks - 1;
}

lin_graph *byte_graph(lin_arena *arena, const uint8_t *data, size_t size) {
  reader r = {data, data + size};
  read_block *blocks = LIN_ARRAY(arena, read_block, size + 1);
  uint32_t count = 0, num_edges = 0;
  for (; r.at < r.end; count++) {
    blocks[count] = next_block(&r);
    num_edges += blocks[count].degree;
  }
  if (count == 1 && blocks[0].degree > 0) // nowhere to go but to itself, the entry
    blocks[count++].flags = LIN_RETURN;
  lin_graph *graph = lin_graph_new(arena, count, num_edges);
  graph->title = "bytes";
  lin_edge next = 0;
  for (lin_block block = 0; block < count; block++) {
    char name[16];
    int length = snprintf(name, sizeof name, "B%u", (unsigned)block);
    graph->name[block] = lin_arena_text(arena, name, (size_t)length);
    graph->flags[block] = blocks[block].flags;
    if ((blocks[block].flags & LIN_REFUSED) != 0)
      graph->reason[block] = "refused in the input";
    graph->first_edge[block] = next;
    for (uint32_t i = 0; i < blocks[block].degree; i++)
      graph->destination[next++] = target(block, blocks[block].ahead[i], count);
  }
  graph->first_edge[count] = next;
  lin_graph_finish(arena, graph);
  return graph;
}
