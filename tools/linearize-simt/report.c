#include "report.h"

#include <string.h>

typedef struct metric {
  const char *name, *key;
  double value;
  bool is_count;
} metric;

enum { MAX_METRICS = 32 };

typedef struct metrics {
  metric of[MAX_METRICS];
  unsigned count;
} metrics;

static void add(metrics *all, const char *name, const char *key, double value, bool is_count) {
  all->of[all->count++] = (metric){name, key, value, is_count};
}

static void add_count(metrics *all, const char *name, const char *key, uint64_t value) {
  add(all, name, key, (double)value, true);
}

static metrics collect(const simt_machine *machine) {
  metrics all = {.count = 0};
  const simt_metrics *m = machine->metrics;
  simt_totals totals = simt_metrics_sum(m, machine->program, LIN_NONE);
  add_count(&all, "warp instructions", "warp_instructions", totals.warp_instructions);
  add_count(&all, "thread instructions", "thread_instructions", totals.thread_instructions);
  double active = totals.warp_instructions == 0
                      ? 0
                      : (double)totals.thread_instructions / (double)totals.warp_instructions;
  add(&all, "threads active", "threads_active", active, false);
  add_count(&all, "block entries", "block_entries", totals.entries);
  add_count(&all, "branches", "branches", totals.branches);
  add_count(&all, "divergent branches", "divergent_branches", totals.divergent);
  add_count(&all, "global loads", "global_loads", m->load[SIMT_GENERIC].instructions);
  add_count(&all, "  sectors", "global_load_sectors", m->load[SIMT_GENERIC].sectors);
  add_count(&all, "global stores", "global_stores", m->store[SIMT_GENERIC].instructions);
  add_count(&all, "  sectors", "global_store_sectors", m->store[SIMT_GENERIC].sectors);
  add_count(&all, "shared loads", "shared_loads", m->load[SIMT_SHARED].instructions);
  add_count(&all, "  sectors", "shared_load_sectors", m->load[SIMT_SHARED].sectors);
  add_count(&all, "shared stores", "shared_stores", m->store[SIMT_SHARED].instructions);
  add_count(&all, "  sectors", "shared_store_sectors", m->store[SIMT_SHARED].sectors);
  add_count(&all, "local loads", "local_loads", m->load[SIMT_LOCAL].instructions);
  add_count(&all, "  sectors", "local_load_sectors", m->load[SIMT_LOCAL].sectors);
  add_count(&all, "local stores", "local_stores", m->store[SIMT_LOCAL].instructions);
  add_count(&all, "  sectors", "local_store_sectors", m->store[SIMT_LOCAL].sectors);
  add_count(&all, "deepest stack", "deepest_stack", m->deepest);
  return all;
}

static void print_value(FILE *file, const metric *m) {
  fprintf(file, m->is_count ? " %15.0f" : " %15.2f", m->value);
}

static void print_table(FILE *file, const metrics *a, const metrics *b) {
  for (unsigned i = 0; i < a->count; i++) {
    fprintf(file, "%-20s", a->of[i].name);
    print_value(file, &a->of[i]);
    if (b != NULL) {
      print_value(file, &b->of[i]);
      if (a->of[i].value > 0)
        fprintf(file, " %8.3f", b->of[i].value / a->of[i].value);
      else
        fprintf(file, " %8s", b->of[i].value > 0 ? "-" : "1.000");
    }
    fputc('\n', file);
  }
}

static void print_blocks(FILE *file, const simt_machine *machine) {
  const simt_program *p = machine->program;
  for (uint32_t i = 0; i < p->num_functions; i++) {
    const simt_function *f = &p->function[i];
    simt_totals totals = simt_metrics_sum(machine->metrics, p, i);
    fprintf(file, "\nfunction %s: %llu warp instructions, %llu thread instructions\n", f->name,
            (unsigned long long)totals.warp_instructions,
            (unsigned long long)totals.thread_instructions);
    fprintf(file, "%-20s %6s %12s %12s %8s %12s %12s\n", "block", "size", "entries", "threads",
            "active", "branches", "divergent");
    for (lin_block b = 0; b < f->graph->num_blocks; b++) {
      const simt_block_metrics *m = &machine->metrics->block[i][b];
      fprintf(file, "%-20s %6u %12llu %12llu %8.2f %12llu %12llu\n", f->graph->name[b],
              machine->metrics->size[i][b], (unsigned long long)m->entries,
              (unsigned long long)m->threads,
              m->entries == 0 ? 0 : (double)m->threads / (double)m->entries,
              (unsigned long long)m->branches, (unsigned long long)m->divergent);
    }
  }
}

// ---- JSON --------------------------------------------------------------------------------------

static void print_string(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', file);
    if ((unsigned char)*text < 0x20)
      fprintf(file, "\\u%04x", (unsigned)*text);
    else
      fputc(*text, file);
  }
  fputc('"', file);
}

static void print_json_blocks(FILE *file, const simt_machine *machine) {
  const simt_program *p = machine->program;
  fputs(", \"functions\": [", file);
  for (uint32_t i = 0; i < p->num_functions; i++) {
    const simt_function *f = &p->function[i];
    fprintf(file, "%s{\"name\": ", i > 0 ? ", " : "");
    print_string(file, f->name);
    fputs(", \"blocks\": [", file);
    for (lin_block b = 0; b < f->graph->num_blocks; b++) {
      const simt_block_metrics *m = &machine->metrics->block[i][b];
      fprintf(file, "%s{\"name\": ", b > 0 ? ", " : "");
      print_string(file, f->graph->name[b]);
      fprintf(file,
              ", \"size\": %u, \"entries\": %llu, \"threads\": %llu, \"branches\": %llu, "
              "\"divergent\": %llu}",
              machine->metrics->size[i][b], (unsigned long long)m->entries,
              (unsigned long long)m->threads, (unsigned long long)m->branches,
              (unsigned long long)m->divergent);
    }
    fputs("]}", file);
  }
  fputc(']', file);
}

static void print_json_run(FILE *file, const char *name, const simt_machine *machine,
                           const metrics *all, bool blocks) {
  fputs("{\"file\": ", file);
  print_string(file, name);
  for (unsigned i = 0; i < all->count; i++)
    fprintf(file, all->of[i].is_count ? ", \"%s\": %.0f" : ", \"%s\": %.6f", all->of[i].key,
            all->of[i].value);
  if (blocks)
    print_json_blocks(file, machine);
  fputc('}', file);
}

void tool_report(FILE *file, const tool_options *options, const simt_machine *first,
                 const simt_machine *second) {
  metrics a = collect(first), b = {.count = 0};
  if (second != NULL)
    b = collect(second);
  if (options->form == FORM_JSON) {
    fputs("{\"kernel\": ", file);
    print_string(file, options->launch.kernel);
    fputs(", \"runs\": [", file);
    print_json_run(file, options->file, first, &a, options->blocks);
    if (second != NULL) {
      fputs(", ", file);
      print_json_run(file, options->compare, second, &b, options->blocks);
    }
    fputs("]}\n", file);
    return;
  }
  print_table(file, &a, second == NULL ? NULL : &b);
  if (options->blocks)
    print_blocks(file, first);
  if (options->blocks && second != NULL)
    print_blocks(file, second);
}
