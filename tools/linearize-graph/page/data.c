#include "data.h"

#include <stdlib.h>
#include <string.h>

static void add_number(cJSON *to, const char *key, uint32_t value) {
  if (value != LIN_NONE)
    cJSON_AddNumberToObject(to, key, value);
}

// ---- sources and remarks -----------------------------------------------------------------------

static cJSON *describe_sources(const tool_sources *sources) {
  cJSON *all = cJSON_CreateArray();
  for (uint32_t i = 0; i < sources->count; i++) {
    const tool_source *source = &sources->source[i];
    cJSON *file = cJSON_CreateObject(), *lines = cJSON_AddObjectToObject(file, "lines");
    cJSON_AddStringToObject(file, "path",
                            tool_utf8(sources->arena, source->path, strlen(source->path)));
    cJSON_AddBoolToObject(file, "read", source->error == NULL);
    for (uint32_t line = 1; line <= source->num_lines; line++) {
      char number[16];
      if (source->text[line] == NULL)
        continue;
      snprintf(number, sizeof number, "%u", line);
      cJSON_AddStringToObject(lines, number, source->text[line]);
    }
    cJSON_AddItemToArray(all, file);
  }
  return all;
}

static cJSON *describe_remark(const report_remark *r) {
  cJSON *remark = cJSON_CreateObject();
  cJSON_AddStringToObject(remark, "kind", r->kind);
  cJSON_AddStringToObject(remark, "name", r->name);
  cJSON_AddStringToObject(remark, "block", r->block);
  cJSON_AddStringToObject(remark, "text", r->text);
  add_number(remark, "region", r->region);
  return remark;
}

static cJSON *describe_remarks(const report_remarks *remarks, const char *function) {
  cJSON *all = cJSON_CreateArray();
  for (uint32_t i = report_first_remark(remarks, function); i < remarks->count; i++) {
    if (strcmp(remarks->remark[i].function, function) != 0)
      break;
    cJSON_AddItemToArray(all, describe_remark(&remarks->remark[i]));
  }
  return all;
}

// The loop that is refilled, or why none is: a kernel's first remark, but for that which counts its
// versions.
static void describe_refilling(cJSON *to, const report_remarks *remarks, const char *function) {
  const uint32_t first = report_first_remark(remarks, function);
  if (first < remarks->count && strcmp(remarks->remark[first].kind, "analysis") != 0)
    cJSON_AddItemToObject(to, "refilling", describe_remark(&remarks->remark[first]));
}

// ---- functions ---------------------------------------------------------------------------------

static cJSON *describe_block(const report_function *f, const report_side *side, lin_block number) {
  const report_block *b = &side->block[number];
  cJSON *block = cJSON_CreateObject(), *lines = cJSON_CreateArray();
  cJSON *own = cJSON_CreateArray();
  cJSON_AddStringToObject(block, "name", side->graph->name[number]);
  cJSON_AddNumberToObject(block, "instructions", b->instructions);
  add_number(block, "region", b->region);
  add_number(block, "original", b->original);
  if (b->is_guard)
    add_number(block, "guard", b->asks_for);
  if (b->is_uniform)
    cJSON_AddTrueToObject(block, "uniform");
  if (number >= side->num_blocks)
    cJSON_AddTrueToObject(block, "exit");
  cJSON_AddStringToObject(block, "text", b->text);
  for (uint32_t i = 0; i < b->lines.count; i++) {
    cJSON_AddItemToArray(lines, cJSON_CreateNumber(b->lines.at[i].file));
    cJSON_AddItemToArray(lines, cJSON_CreateNumber(b->lines.at[i].line));
  }
  for (uint32_t i = 0; i < b->own[f->level].count; i++)
    if (b->own[f->level].at[i].file == f->file)
      cJSON_AddItemToArray(own, cJSON_CreateNumber(b->own[f->level].at[i].line));
  cJSON_AddItemToObject(block, "lines", lines);
  cJSON_AddItemToObject(block, "own", own);
  return block;
}

static cJSON *describe_side(const report_function *f, const report_side *side) {
  cJSON *result = cJSON_CreateObject();
  cJSON *blocks = cJSON_CreateArray(), *edges = cJSON_CreateArray();
  cJSON_AddNumberToObject(result, "count", side->num_blocks);
  cJSON_AddNumberToObject(result, "unstructured", side->unstructured);
  cJSON_AddNumberToObject(result, "irreducible", side->irreducible);
  cJSON_AddNumberToObject(result, "guards", side->guards);
  cJSON_AddNumberToObject(result, "instructions", side->instructions);
  for (lin_block block = 0; block < side->graph->num_blocks; block++)
    cJSON_AddItemToArray(blocks, describe_block(f, side, block));
  for (lin_edge edge = 0; edge < side->graph->num_edges; edge++) {
    cJSON_AddItemToArray(edges, cJSON_CreateNumber(side->graph->source[edge]));
    cJSON_AddItemToArray(edges, cJSON_CreateNumber(side->graph->destination[edge]));
    cJSON_AddItemToArray(edges, cJSON_CreateNumber(side->kinds[edge]));
  }
  cJSON_AddItemToObject(result, "blocks", blocks);
  cJSON_AddItemToObject(result, "edges", edges);
  return result;
}

static cJSON *describe_regions(const report_function *f) {
  cJSON *all = cJSON_CreateArray();
  for (uint32_t i = 0; i < f->num_regions; i++) {
    cJSON *region = cJSON_CreateObject();
    add_number(region, "parent", f->region[i].parent);
    add_number(region, "from", f->region[i].from);
    add_number(region, "to", f->region[i].to);
    cJSON_AddItemToArray(all, region);
  }
  return all;
}

static cJSON *describe_function(const report_content *content, uint32_t number) {
  const report_function *f = &content->functions.function[number];
  const report_drawing *drawing = &content->drawings[2 * number];
  cJSON *function = cJSON_CreateObject();
  cJSON_AddStringToObject(function, "name", f->name);
  cJSON_AddStringToObject(function, "title", f->title);
  cJSON_AddBoolToObject(function, "changed", f->is_changed);
  cJSON_AddBoolToObject(function, "divergence", f->divergence_known);
  if (f->refused != NULL)
    cJSON_AddStringToObject(function, "refused", f->refused);
  add_number(function, "file", f->file);
  if (drawing[0].svg == NULL)
    cJSON_AddStringToObject(function, "undrawnBefore", drawing[0].why);
  if (drawing[1].svg == NULL && f->is_changed)
    cJSON_AddStringToObject(function, "undrawnAfter", drawing[1].why);
  cJSON_AddItemToObject(function, "before", describe_side(f, &f->before));
  if (f->is_changed)
    cJSON_AddItemToObject(function, "after", describe_side(f, &f->after));
  cJSON_AddItemToObject(function, "regions", describe_regions(f));
  cJSON_AddItemToObject(function, "remarks", describe_remarks(&content->remarks, f->name));
  describe_refilling(function, &content->refilling, f->name);
  return function;
}

// ------------------------------------------------------------------------------------------------

// In JSON `<` stands in texts only.
static char *without_brackets(char *json) {
  size_t count = 0, used = 0;
  for (const char *at = json; *at != '\0'; at++)
    count += *at == '<';
  char *text = malloc(strlen(json) + 5 * count + 1);
  if (text == NULL)
    abort();
  for (const char *at = json; *at != '\0'; at++)
    if (*at == '<') {
      memcpy(text + used, "\\u003c", 6);
      used += 6;
    } else {
      text[used++] = *at;
    }
  text[used] = '\0';
  return text;
}

char *report_data(const report_content *content) {
  const tool_options *options = content->options;
  lin_arena *arena = content->sources.arena;
  cJSON *all = cJSON_CreateObject(), *functions = cJSON_CreateArray();
  const char *parameters = *options->mode == '\0' ? "needed" : options->mode;
  cJSON_AddStringToObject(all, "file", tool_utf8(arena, content->file, strlen(content->file)));
  cJSON_AddStringToObject(all, "parameters", parameters);
  if (options->profile != NULL)
    cJSON_AddStringToObject(all, "profile",
                            tool_utf8(arena, options->profile, strlen(options->profile)));
  cJSON_AddStringToObject(all, "target", content->target);
  cJSON_AddStringToObject(all, "llvm", content->llvm);
  for (uint32_t i = 0; i < content->functions.count; i++)
    cJSON_AddItemToArray(functions, describe_function(content, i));
  cJSON_AddItemToObject(all, "functions", functions);
  cJSON_AddItemToObject(all, "sources", describe_sources(&content->sources));
  if (content->simulation != NULL)
    cJSON_AddItemToObject(all, "simulation", cJSON_Parse(content->simulation));
  char *json = cJSON_PrintUnformatted(all);
  if (json == NULL)
    abort();
  cJSON_Delete(all);
  char *text = without_brackets(json);
  cJSON_free(json);
  return text;
}
