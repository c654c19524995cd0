#include "message.h"
#include "report.h"

static uint32_t number_at(const lin_ir_former *former, lin_block block) {
  uint32_t region = former->minimal->regions->owner[former->order->number[block]];
  return region == LIN_NONE || former->again ? LIN_NONE : former->minimal->number[region];
}

void lin_ir_report_entries(linearize_report *report, const lin_ir_function *f,
                           const lin_ir_former *former, const lin_ir_entries *entries) {
  for (uint32_t i = 0; i < entries->count; i++) {
    const lin_ir_entry *entry = &entries->entry[i];
    uint32_t number = number_at(former, entry->block);
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "copied this entry of a loop with several, ");
    lin_ir_say_count(&m, "Instructions", entry->instructions, "instruction");
    lin_ir_say(&m, ", in front of it");
    if (number != LIN_NONE) {
      lin_ir_say(&m, " (region ");
      lin_ir_say_number(&m, "Region", number);
      lin_ir_say(&m, ")");
    }
    lin_ir_send(report, f, LINEARIZE_PASSED, "EntryCopied", entry->block, &m);
  }
}

static lin_block first_block(const lin_ir_former *former, uint32_t region) {
  lin_block block = 0;
  while (!lin_region_contains(former->minimal->regions, region, block))
    block++;
  return former->order->origin[block];
}

void lin_ir_report_settled(lin_arena *arena, linearize_report *report, const lin_ir_function *f,
                           const lin_ir_former *former, const lin_ir_entries *entries,
                           const uint32_t *names, uint32_t num_names) {
  uint32_t count = former->again ? 0 : former->minimal->regions->num_regions;
  bool *told = LIN_ARRAY(arena, bool, count);
  for (uint32_t i = 0; i < entries->count; i++)
    if (number_at(former, entries->entry[i].block) != LIN_NONE)
      told[number_at(former, entries->entry[i].block)] = true;
  for (uint32_t i = 0; i < num_names; i++)
    if (names[i] != LIN_NONE)
      told[names[i]] = true;
  for (uint32_t number = 0; number < count; number++) {
    if (told[number])
      continue;
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "with that, nothing is left to do in region ");
    lin_ir_say_number(&m, "Region", number);
    lin_ir_send(report, f, LINEARIZE_PASSED, "LinearizedWithin",
                first_block(former, former->minimal->region[number]), &m);
  }
}
