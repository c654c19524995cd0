#include "lanes.h"

#include "common/command_line.h"
#include "fields.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, LANE_DIGITS = 8 };

// ---- reading

static uint32_t read_lanes(const char *name, size_t line, const char *text) {
  char *end;
  unsigned long lanes = strtoul(text, &end, 16);
  if (end != text + LANE_DIGITS || *end != '\0' || lanes == 0)
    tool_die(1, "%s:%zu: '%s' are no lanes", name, line, text);
  return (uint32_t)lanes;
}

// Looks from `at` on, where the block before was found.
static uint32_t find_block(const lin_counts_launch *l, const char *function, const char *block,
                           uint32_t at) {
  for (uint32_t looked = 0; looked < l->num_blocks; looked++, at = (at + 1) % l->num_blocks)
    if (strcmp(l->blocks[at].name, block) == 0 && strcmp(l->blocks[at].function, function) == 0)
      return at;
  return LIN_COUNTS_UNKNOWN;
}

profile_lanes profile_lanes_read(lin_memory *memory, const char *name, char *text,
                                 const lin_counts_launch *launch) {
  static const char head[] = "lanes,function,block\n";
  if (strncmp(text, head, strlen(head)) != 0)
    tool_die(1, "%s:1: no lanes: linearize-simt --lanes writes them", name);
  profile_lanes lanes = {LIN_HAVE(memory, profile_step, profile_count_lines(text)), 0};
  if (lanes.step == NULL)
    tool_die(1, "%s: %s", name, strerror(ENOMEM));
  uint32_t block = 0;
  size_t line = 1;
  for (char *at = text + strlen(head), *next; *at != '\0'; at = next) {
    next = strchr(at, '\n');
    line++;
    if (next == NULL)
      tool_die(1, "%s:%zu: the file is cut off in this line", name, line);
    *next++ = '\0';
    char *field[4];
    if (profile_fields(at, field, 4) != 3)
      tool_die(1, "%s:%zu: no 'lanes,function,block'", name, line);
    block = find_block(launch, field[1], field[2], block);
    if (block == LIN_COUNTS_UNKNOWN)
      tool_die(1, "%s:%zu: kernel '%s' has no block '%s' of '%s': it is of another build", name,
               line, launch->kernel, field[2], field[1]);
    lanes.step[lanes.count++] =
        (profile_step){read_lanes(name, line, field[0]), launch->blocks[block].latency};
  }
  return lanes;
}

// ---- drawing

enum { LEFT = 60, TOP = 4, WIDTH = 832, COLUMNS = 208, ROW = 7, BOTTOM = 22, SHADES = 4 };

typedef struct picture {
  double cycles;                 // a column's
  double active[LANES][COLUMNS]; // of these
  double end[LANES];             // in columns: when the lane was last active
} picture;

static void add_step(picture *p, const profile_step *step, double from, double to) {
  for (unsigned lane = 0; lane < LANES; lane++) {
    if ((step->lanes >> lane & 1) == 0)
      continue;
    p->end[lane] = to;
    for (size_t column = (size_t)from; column < COLUMNS && (double)column < to; column++) {
      double begin = (double)column > from ? (double)column : from;
      double end = (double)(column + 1) < to ? (double)(column + 1) : to;
      p->active[lane][column] += end - begin;
    }
  }
}

static int shade(const picture *p, unsigned lane, size_t column) {
  return (int)(p->active[lane][column] * (double)SHADES + 0.5);
}

// Columns of one shade are one rectangle.
static void draw_lane(FILE *file, const picture *p, unsigned lane) {
  const double column_width = (double)WIDTH / (double)COLUMNS;
  const int y = TOP + (int)lane * ROW;
  fprintf(file, "<rect class=\"lost\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", LEFT, y,
          p->end[lane] * column_width, ROW - 1);
  for (size_t from = 0, to; from < COLUMNS; from = to) {
    for (to = from + 1; to < COLUMNS && shade(p, lane, to) == shade(p, lane, from); to++)
      ;
    if (shade(p, lane, from) > 0)
      fprintf(file,
              "<rect class=\"bar\" fill-opacity=\"%.2f\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
              "height=\"%d\"/>\n",
              (double)shade(p, lane, from) / (double)SHADES,
              (double)LEFT + (double)from * column_width, y, (double)(to - from) * column_width,
              ROW - 1);
  }
}

void profile_draw_lanes(FILE *file, const profile_lanes *lanes) {
  double all = 0, at = 0;
  for (size_t i = 0; i < lanes->count; i++)
    all += lanes->step[i].cycles;
  if (all <= 0)
    return;
  picture p = {.cycles = all / (double)COLUMNS};
  for (size_t i = 0; i < lanes->count; i++) {
    double to = at + lanes->step[i].cycles;
    add_step(&p, &lanes->step[i], at / p.cycles, to / p.cycles);
    at = to;
  }
  fprintf(file,
          "<figure>\n<svg viewBox=\"0 0 %d %d\" role=\"img\">\n<title>lanes of a warp over "
          "time</title>\n",
          LEFT + WIDTH + 8, TOP + LANES * ROW + BOTTOM);
  for (unsigned lane = 0; lane < LANES; lane++) {
    if (lane % 8 == 0 || lane == LANES - 1)
      fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s%u</text>\n", LEFT - 8,
              TOP + (int)lane * ROW + ROW, lane == 0 ? "lane " : "", lane);
    draw_lane(file, &p, lane);
  }
  const int y = TOP + LANES * ROW + 15;
  fprintf(file, "<text x=\"%d\" y=\"%d\">0</text>\n", LEFT, y);
  fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f cycles</text>\n", LEFT + WIDTH, y,
          all);
  fputs("</svg>\n<figcaption>The lanes of one warp over time, in the simulator. Blue: the lane is "
        "active; orange: it waits for others.</figcaption>\n</figure>\n",
        file);
}
