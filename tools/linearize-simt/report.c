#include "report.h"

#include "columns.h"
#include "json.h"
#include "simt/csv.h"

#include <stdlib.h>
#include <string.h>

// ---- tables ------------------------------------------------------------------------------------

// PTX doesn't say which of its instructions are guards.
static void print_totals(FILE *file, const simt_counts *counts, unsigned num_runs, bool was_ptx) {
  for (unsigned i = 0; i < tool_num_columns; i++) {
    const tool_column *column = &tool_columns[i];
    if (was_ptx && strcmp(column->key, "guard_instructions") == 0) {
      fprintf(file, "%-20s %15s%s\n", column->name, "-",
              num_runs > 1 ? "               -        -" : "");
      continue;
    }
    double first = tool_column_value(column, &counts[0]), second = 0;
    int digits = tool_column_digits(column);
    fprintf(file, "%-20s %15.*f", column->name, digits, first);
    if (num_runs > 1) {
      second = tool_column_value(column, &counts[1]);
      fprintf(file, " %15.*f", digits, second);
      if (first > 0)
        fprintf(file, " %8.3f", second / first);
      else
        fprintf(file, " %8s", second > 0 ? "-" : "1.000");
    }
    fputc('\n', file);
  }
}

static void print_blocks(FILE *file, const simt_machine *machine) {
  const simt_program *p = machine->program;
  for (uint32_t i = 0; i < p->num_functions; i++) {
    const lin_graph *graph = p->function[i].graph;
    simt_counts counts = simt_metrics_sum(machine->metrics, p, i);
    fprintf(file, "\nfunction %s: %llu warp instructions, %llu thread instructions\n",
            p->function[i].title, (unsigned long long)counts.warp_instructions,
            (unsigned long long)counts.thread_instructions);
    fprintf(file, "%-20s %6s %12s %12s %12s %8s %12s %12s\n", "block", "size", "entries", "again",
            "threads", "active", "branches", "divergent");
    for (lin_block b = 0; b < graph->num_blocks; b++) {
      const simt_counts *c = &machine->metrics->block[i][b];
      fprintf(file, "%-20s %6u %12llu %12llu %12llu %8.2f %12llu %12llu\n", graph->name[b],
              machine->metrics->size[i][b], (unsigned long long)c->entries,
              (unsigned long long)c->reentries, (unsigned long long)c->threads,
              c->entries == 0 ? 0 : (double)c->threads / (double)c->entries,
              (unsigned long long)c->branches, (unsigned long long)c->divergent);
    }
  }
}

// ---- comma-separated values --------------------------------------------------------------------

static void print_row(FILE *file, const char *const *key, const simt_counts *counts) {
  for (unsigned i = 0; i < 4; i++) {
    simt_csv_field(file, key[i]);
    if (i < 3)
      fputc(',', file);
  }
  for (unsigned i = 0; i < tool_num_columns; i++)
    fprintf(file, ",%.*f", tool_column_digits(&tool_columns[i]),
            tool_column_value(&tool_columns[i], counts));
  fputc('\n', file);
}

static void print_csv_blocks(FILE *file, const char *name, const simt_machine *machine,
                             uint32_t number) {
  const simt_function *f = &machine->program->function[number];
  simt_counts *counts = calloc(f->graph->num_blocks, sizeof *counts);
  if (counts == NULL)
    abort();
  simt_metrics_of_module(machine->metrics, machine->program, number, counts);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (f->original[b] == b)
      print_row(file, (const char *[]){name, machine->launch.kernel, f->name, f->graph->name[b]},
                &counts[b]);
  free(counts);
}

// A row for the kernel, one for each function, and for each of the module's blocks if they are
// asked for.
static void print_csv_run(FILE *file, const tool_options *options, const char *name,
                          const simt_machine *machine) {
  const simt_program *p = machine->program;
  simt_counts counts = simt_metrics_sum(machine->metrics, p, LIN_NONE);
  print_row(file, (const char *[]){name, machine->launch.kernel, "", ""}, &counts);
  for (uint32_t i = 0; i < p->num_functions; i++) {
    counts = simt_metrics_sum(machine->metrics, p, i);
    print_row(file, (const char *[]){name, machine->launch.kernel, p->function[i].name, ""},
              &counts);
    if (options->blocks)
      print_csv_blocks(file, name, machine, i);
  }
}

static void print_csv_header(FILE *file) {
  fputs("file,kernel,function,block", file);
  for (unsigned i = 0; i < tool_num_columns; i++)
    fprintf(file, ",%s", tool_columns[i].key);
  fputc('\n', file);
}

// ------------------------------------------------------------------------------------------------

void tool_report(FILE *file, const tool_options *options, const simt_machine *first,
                 const simt_machine *second, bool was_ptx) {
  const char *const name[] = {options->file, options->compare};
  const simt_machine *const machine[] = {first, second};
  unsigned count = second == NULL ? 1 : 2;
  if (options->form == FORM_JSON) {
    tool_print_json(file, options, name, machine, count);
    return;
  }
  if (options->form == FORM_CSV)
    print_csv_header(file);
  simt_counts counts[2];
  for (unsigned i = 0; i < count; i++) {
    counts[i] = simt_metrics_sum(machine[i]->metrics, machine[i]->program, LIN_NONE);
    if (options->form == FORM_CSV)
      print_csv_run(file, options, name[i], machine[i]);
  }
  if (options->form == FORM_CSV)
    return;
  fprintf(file, "%-20s %15s\n", "model", tool_models[first->launch.model]);
  print_totals(file, counts, count, was_ptx);
  for (unsigned i = 0; options->blocks && i < count; i++)
    print_blocks(file, machine[i]);
}
