#define _POSIX_C_SOURCE 200809L // strndup

#include "page.h"

#include "common/child.h"
#include "text.h"

#include <errno.h>
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

static void print_escaped(FILE *file, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    switch (text[i]) {
    case '&':
      fputs("&amp;", file);
      break;
    case '<':
      fputs("&lt;", file);
      break;
    case '>':
      fputs("&gt;", file);
      break;
    default:
      fputc(text[i], file);
    }
}

static void print_text(FILE *file, const char *text) { print_escaped(file, text, strlen(text)); }

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

// The line of "FILE:LINE", 0 if there is none; *length is that of FILE.
static unsigned long line_of(const char *source, size_t *length) {
  const char *colon = strrchr(source, ':');
  *length = colon == NULL ? strlen(source) : (size_t)(colon - source);
  return colon == NULL ? 0 : strtoul(colon + 1, NULL, 10);
}

static bool is_same_file(const char *a, const char *b) {
  size_t a_length, b_length;
  line_of(a, &a_length);
  line_of(b, &b_length);
  return a_length == b_length && memcmp(a, b, a_length) == 0;
}

// What the lines of a file cost, by their numbers; less than 0 where no block is.
typedef struct lines {
  double *cost; // [count + 1]
  unsigned long count;
} lines;

static lines find_lines(const profile_estimate *e, const char *source, const char *text) {
  lines l = {NULL, 1};
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
    l.count++;
  l.cost = calloc(l.count + 1, sizeof *l.cost);
  if (l.cost == NULL)
    abort();
  for (unsigned long i = 0; i <= l.count; i++)
    l.cost[i] = -1;
  for (uint32_t b = 0; b < e->launch->num_blocks; b++) {
    const char *other = e->launch->blocks[b].source;
    size_t ignored;
    unsigned long line = line_of(other, &ignored);
    if (line == 0 || line > l.count || !is_same_file(other, source))
      continue;
    l.cost[line] = (l.cost[line] < 0 ? 0 : l.cost[line]) + e->block[b].cost;
  }
  return l;
}

enum { AROUND = 4 }; // lines that are shown before and behind one with a block

static bool is_shown(const lines *l, unsigned long line) {
  for (unsigned long i = line > AROUND ? line - AROUND : 1; i <= l->count && i <= line + AROUND;
       i++)
    if (l->cost[i] >= 0)
      return true;
  return false;
}

static void print_line(FILE *file, const profile_estimate *e, const lines *l, unsigned long number,
                       const char *text, size_t length) {
  double share = profile_share(e, l->cost[number]);
  fputs("<span", file);
  if (share > 0)
    fprintf(file, " style=\"background: rgb(240 80 30 / %.0f%%)\"", 5 + 60 * fmin(share, 1));
  fputs("><b>", file);
  if (l->cost[number] >= 0)
    fprintf(file, "%.1f%%", 100 * share);
  fprintf(file, "</b><b>%lu</b>", number);
  print_escaped(file, text, length);
  fputs("</span>\n", file);
}

static void print_lines(FILE *file, const profile_estimate *e, const lines *l, const char *text) {
  unsigned long number = 1, last = 0;
  for (const char *line = text, *end; *line != '\0'; line = end + (*end == '\n'), number++) {
    end = line + strcspn(line, "\n");
    if (!is_shown(l, number))
      continue;
    if (number > last + 1)
      fputs("<span><b></b><b>...</b></span>\n", file);
    print_line(file, e, l, number, line, (size_t)(end - line));
    last = number;
  }
}

static void print_source(FILE *file, const profile_estimate *e, const char *source) {
  size_t length;
  line_of(source, &length);
  char *name = strndup(source, length);
  if (name == NULL)
    abort();
  FILE *input = fopen(name, "rb");
  fputs("<h3>", file);
  print_text(file, profile_place(name));
  fputs("</h3>\n", file);
  if (input == NULL) {
    fprintf(file, "<p>%s: run linearize-profile where it was compiled.</p>\n", strerror(errno));
    free(name);
    return;
  }
  char *text = tool_read_all(input, NULL);
  fclose(input);
  lines l = find_lines(e, source, text);
  fputs("<pre>", file);
  print_lines(file, e, &l, text);
  fputs("</pre>\n", file);
  free(l.cost);
  free(text);
  free(name);
}

// Each file once, in the order of the blocks that cost most.
static void print_sources(FILE *file, const profile_estimate *e) {
  uint32_t count = e->launch->num_blocks, *order = calloc(count + 1, sizeof *order);
  if (order == NULL)
    abort();
  profile_order_blocks(e, order);
  for (uint32_t i = 0; i < count; i++) {
    const char *source = e->launch->blocks[order[i]].source;
    bool is_new = source[0] != '\0';
    for (uint32_t before = 0; before < i && is_new; before++)
      is_new = !is_same_file(source, e->launch->blocks[order[before]].source);
    if (is_new)
      print_source(file, e, source);
  }
  free(order);
}

// ----

// As the text has it, with all blocks.
static void print_numbers(FILE *file, const profile_estimate *e) {
  FILE *scratch = tool_scratch_file();
  profile_print(scratch, e, UINT32_MAX);
  char *text = tool_take_all(scratch, NULL);
  fputs("<pre>", file);
  print_text(file, text);
  fputs("</pre>\n", file);
  free(text);
}

static void print_launch(FILE *file, const profile_estimate *e, const profile_lanes *lanes) {
  fputs("<h2>", file);
  print_text(file, e->title);
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
  print_text(file, title);
  fputs("</title>\n<h1>What divergence costs: ", file);
  print_text(file, title);
  fputs("</h1>\n<pre>", file);
  print_text(file, verdict);
  fputs(
      "</pre>\n<p>What warps take longer than if each of them took as long as its threads take on "
      "average.</p>\n",
      file);
  for (uint32_t i = 0; i < num_launches; i++)
    print_launch(file, &estimate[i], lanes);
  fputs("</html>\n", file);
}
