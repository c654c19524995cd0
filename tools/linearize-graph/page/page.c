#include "page.h"

#include "common/html.h"

#include <stdlib.h>
#include <string.h>

// Templates are parsed when a function is looked at, and not before.
static void print_drawings(FILE *file, const report_content *content) {
  for (uint32_t i = 0; i < 2 * content->functions.count; i++)
    if (content->drawings[i].svg != NULL)
      fprintf(file, "<template id=\"%s-%u\">%s</template>\n", i % 2 == 0 ? "before" : "after",
              i / 2, content->drawings[i].svg);
}

static void print_data(FILE *file, const report_content *content) {
  char *data = report_data(content);
  fputs(data, file);
  free(data);
}

static void print_title(FILE *file, const report_content *content) {
  const char *name = content->file, *slash = strrchr(name, '/');
  name = slash == NULL ? name : slash + 1;
  tool_print_html(file, tool_utf8(content->sources.arena, name, strlen(name)));
}

static void print_costs(FILE *file, const report_content *content) {
  if (content->costs != NULL)
    tool_print_html(file, content->costs);
}

static void print_style(FILE *file, const report_content *content) {
  (void)content;
  fputs(report_css, file);
}

static void print_program(FILE *file, const report_content *content) {
  (void)content;
  fputs(drawing_js, file);
  fputs(panels_js, file);
  fputs(report_js, file);
}

// Places in report.html.
static const struct {
  const char *mark;
  void (*print)(FILE *file, const report_content *content);
} places[] = {
    {"@TITLE@", print_title},     {"@STYLE@", print_style},       {"@DATA@", print_data},
    {"@PROGRAM@", print_program}, {"@DRAWINGS@", print_drawings}, {"@COSTS@", print_costs},
};

void report_print_page(FILE *file, const report_content *content) {
  for (const char *at = report_html; *at != '\0'; at++) {
    size_t place = 0, count = sizeof places / sizeof *places;
    while (place < count && strncmp(at, places[place].mark, strlen(places[place].mark)) != 0)
      place++;
    if (place == count) {
      fputc(*at, file);
    } else {
      places[place].print(file, content);
      at += strlen(places[place].mark) - 1;
    }
  }
}
