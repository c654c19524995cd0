#include "page.h"

#include "common/child.h"
#include "common/html.h"
#include "common/sources.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n"
    "<html lang=\"en\"><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    ":root { color-scheme: light dark; --ink: light-dark(#1b1e24, #e4e7eb);\n"
    "  --muted: light-dark(#68707c, #959eab); --rule: light-dark(#dcdee3, #30353e);\n"
    "  --ground: light-dark(#ffffff, #121418); --bar: light-dark(#2563eb, #6ea2ff);\n"
    "  --lost: #f0501e; }\n"
    "body { max-width: 64rem; margin: 1.5rem auto; padding: 0 1rem; color: var(--ink);\n"
    "  background: var(--ground); font: 14px/1.45 system-ui, \"DejaVu Sans\", sans-serif; }\n"
    "h1 { font-size: 1.2rem; } h2 { font-size: 1.05rem; margin-top: 2.5rem; } h3 { font-size: "
    "1rem; }\n"
    "p, figcaption { color: var(--muted); margin: .3rem 0; } figure { margin: 1rem 0; }\n"
    "pre { font-family: ui-monospace, \"DejaVu Sans Mono\", monospace; font-size: 12.5px;\n"
    "  overflow-x: auto; border: 1px solid var(--rule); padding: .5rem; tab-size: 4; }\n"
    "pre b { font-weight: normal; display: inline-block; width: 5.5em; text-align: right;\n"
    "  margin-right: 1em; color: var(--muted); }\n"
    "pre span { display: inline-block; min-width: 100%; }\n"
    "svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: "
    "var(--ink); }\n"
    "svg .bar { fill: var(--bar); } svg .lost { fill: var(--lost); } svg .faint { fill: "
    "var(--muted); }\n"
    "</style>\n";

// ---- bars

enum { BAR_LEFT = 210, BAR_STEP = 24, BAR_END = 900 };

static const double bar_left = BAR_LEFT, bar_width = 480;

// Of each the part that is left without divergence, and the rest.
static void print_bars(FILE *file, const profile_estimate *e) {
  double longest = e->now;
  for (int i = 0; i < PROFILE_NUM_REMEDIES; i++)
    longest = e->cycles[i] > longest ? e->cycles[i] : longest;
  fprintf(file,
          "<figure>\n<svg viewBox=\"0 0 %d %d\" role=\"img\">\n<title>predicted times</title>\n",
          BAR_END, BAR_STEP * PROFILE_NUM_REMEDIES);
  for (int i = 0; i < PROFILE_NUM_REMEDIES; i++) {
    int y = BAR_STEP * i;
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", BAR_LEFT - 10, y + 16,
            profile_remedy_names[i]);
    if (isnan(e->cycles[i]) || longest <= 0) {
      fprintf(file, "<text class=\"faint\" x=\"%d\" y=\"%d\">unknown</text>\n", BAR_LEFT, y + 16);
      continue;
    }
    double none = bar_width * e->none / longest, all = bar_width * e->cycles[i] / longest;
    none = none < all ? none : all;
    char text[32];
    profile_format_time(e, e->cycles[i], text);
    fprintf(file,
            "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\"/>"
            "<rect class=\"lost\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"16\"/>\n",
            BAR_LEFT, y + 4, none, bar_left + none, y + 4, all - none);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\">%s, x%.2f</text>\n", bar_left + all + 8, y + 16, text,
            profile_gain(e, e->cycles[i]));
  }
  fputs("</svg>\n<figcaption>Predicted times, before what regrouping takes, and memory when "
        "refilling. Blue: what is left "
        "without "
        "divergence; orange: what it costs.</figcaption>\n</figure>\n",
        file);
}

// ---- sources

enum { MOST_LINES = 1 << 20 };

// The place that "FILE:LINE" says. Returns false if it says none.
static bool find_place(tool_sources *sources, const char *source, tool_line_at *place) {
  const char *colon = strrchr(source, ':');
  unsigned long line = colon == NULL ? 0 : strtoul(colon + 1, NULL, 10);
  if (line == 0 || line > MOST_LINES)
    return false;
  const char *path = lin_arena_text(sources->arena, source, (size_t)(colon - source));
  *place = (tool_line_at){tool_find_source(sources, path), (uint32_t)line};
  return true;
}

static void print_line(FILE *file, const profile_estimate *e, double cost, uint32_t number,
                       const char *text) {
  double share = profile_share(e, cost);
  fputs("<span", file);
  if (share > 0)
    fprintf(file, " style=\"background: rgb(240 80 30 / %.0f%%)\"", 5 + 60 * fmin(share, 1));
  fputs("><b>", file);
  if (cost >= 0)
    fprintf(file, "%.1f%%", 100 * share);
  fprintf(file, "</b><b>%u</b>", number);
  tool_print_html(file, text);
  fputs("</span>\n", file);
}

// `cost` is that of each line; less than 0 where no block is.
static void print_source(FILE *file, const profile_estimate *e, const tool_source *source,
                         const double *cost) {
  fputs("<h3>", file);
  tool_print_html(file, profile_place(source->path));
  fputs("</h3>\n", file);
  if (source->error != NULL) {
    fprintf(file, "<p>%s: run linearize-profile where it was compiled.</p>\n", source->error);
    return;
  }
  fputs("<pre>", file);
  for (uint32_t line = 1, last = 0; line <= source->num_lines; line++) {
    if (source->text[line] == NULL)
      continue;
    if (line > last + 1)
      fputs("<span><b></b><b>...</b></span>\n", file);
    print_line(file, e, cost[line], line, source->text[line]);
    last = line;
  }
  fputs("</pre>\n", file);
}

// What the lines of a file cost, by the places of blocks.
static double *find_costs(tool_sources *sources, uint32_t number, const profile_estimate *e,
                          const tool_line_at *place) {
  uint32_t count = sources->source[number].num_lines;
  double *cost = LIN_ARRAY(sources->arena, double, (size_t)count + 1);
  for (uint32_t line = 0; line <= count; line++)
    cost[line] = -1;
  for (uint32_t b = 0; b < e->launch->num_blocks; b++)
    if (place[b].line > 0 && place[b].file == number)
      cost[place[b].line] = fmax(cost[place[b].line], 0) + e->block[b].cost;
  return cost;
}

// Each file once, in the order of the blocks that cost most.
static void print_sources(FILE *file, const profile_estimate *e) {
  lin_arena arena = {0};
  tool_sources sources = {.arena = &arena};
  tool_lines lines = {0};
  uint32_t count = e->launch->num_blocks, *order = LIN_ARRAY(&arena, uint32_t, count);
  tool_line_at *place = LIN_ARRAY(&arena, tool_line_at, count);
  profile_order_blocks(e, order);
  for (uint32_t i = 0; i < count; i++)
    if (find_place(&sources, e->launch->blocks[order[i]].source, &place[order[i]]))
      tool_add_line(&sources, &lines, place[order[i]]);
  tool_read_sources(&sources);
  for (uint32_t i = 0; i < sources.count; i++)
    print_source(file, e, &sources.source[i], find_costs(&sources, i, e, place));
  lin_arena_release(&arena);
}

// ----

// As the text has it, with all blocks.
static void print_numbers(FILE *file, const profile_estimate *e) {
  FILE *scratch = tool_scratch_file();
  profile_print(scratch, e, UINT32_MAX);
  char *text = tool_take_all(scratch, NULL);
  fputs("<pre>", file);
  tool_print_html(file, text);
  fputs("</pre>\n", file);
  free(text);
}

static void print_launch(FILE *file, const profile_estimate *e, const profile_lanes *lanes) {
  fputs("<h2>", file);
  tool_print_html(file, e->title);
  fputs("</h2>\n", file);
  print_bars(file, e);
  print_numbers(file, e);
  if (lanes != NULL)
    profile_draw_lanes(file, lanes);
  print_sources(file, e);
}

void profile_print_page(FILE *file, const char *title, const char *verdict,
                        const profile_estimate *estimate, uint32_t num_launches,
                        const profile_lanes *lanes) {
  fputs(head, file);
  fputs("<title>", file);
  tool_print_html(file, title);
  fputs("</title>\n<h1>What divergence costs: ", file);
  tool_print_html(file, title);
  fputs("</h1>\n<pre>", file);
  tool_print_html(file, verdict);
  fputs(
      "</pre>\n<p>What warps take longer than if each of them took as long as its threads take on "
      "average.</p>\n",
      file);
  for (uint32_t i = 0; i < num_launches; i++)
    print_launch(file, &estimate[i], lanes);
  fputs("</html>\n", file);
}
