#include "json.h"

#include "columns.h"

#include <cjson/cJSON.h>

static cJSON *named(const char *key, const char *name) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, key, name);
  return object;
}

static void add_metrics(cJSON *object, const simt_counts *counts) {
  for (unsigned i = 0; i < tool_num_columns; i++)
    cJSON_AddNumberToObject(object, tool_columns[i].key,
                            tool_column_value(&tool_columns[i], counts));
}

static cJSON *describe_blocks(const simt_machine *machine, uint32_t number) {
  const lin_graph *graph = machine->program->function[number].graph;
  cJSON *blocks = cJSON_CreateArray();
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    cJSON *block = named("name", graph->name[b]);
    cJSON_AddNumberToObject(block, "size", machine->metrics->size[number][b]);
    add_metrics(block, &machine->metrics->block[number][b]);
    cJSON_AddItemToArray(blocks, block);
  }
  return blocks;
}

static cJSON *describe_run(const char *file, const simt_machine *machine, bool blocks) {
  const simt_program *program = machine->program;
  simt_counts counts = simt_metrics_sum(machine->metrics, program, LIN_NONE);
  cJSON *run = named("file", file), *functions = cJSON_CreateArray();
  add_metrics(run, &counts);
  for (uint32_t i = 0; i < program->num_functions; i++) {
    cJSON *function = named("name", program->function[i].name);
    counts = simt_metrics_sum(machine->metrics, program, i);
    add_metrics(function, &counts);
    if (blocks)
      cJSON_AddItemToObject(function, "blocks", describe_blocks(machine, i));
    cJSON_AddItemToArray(functions, function);
  }
  cJSON_AddItemToObject(run, "functions", functions);
  return run;
}

void tool_print_json(FILE *file, const tool_options *options, const char *const *name,
                     const simt_machine *const *machine, unsigned count) {
  cJSON *all = named("kernel", machine[0]->launch.kernel), *runs = cJSON_CreateArray();
  for (unsigned i = 0; i < count; i++)
    cJSON_AddItemToArray(runs, describe_run(name[i], machine[i], options->blocks));
  cJSON_AddStringToObject(all, "model", tool_models[machine[0]->launch.model]);
  cJSON_AddItemToObject(all, "runs", runs);
  char *text = cJSON_PrintUnformatted(all);
  if (text == NULL)
    tool_die(1, "no memory for JSON");
  fprintf(file, "%s\n", text);
  cJSON_free(text);
  cJSON_Delete(all);
}
