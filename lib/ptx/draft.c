#include "draft.h"

lin_ptx_draft *lin_ptx_draft_cut(lin_arena *arena, const lin_ptx_module *module,
                                 const lin_ptx_place *place) {
  lin_ptx_draft *draft = LIN_NEW(arena, lin_ptx_draft);
  uint32_t start = place->signature;
  draft->input = module;
  draft->start = start;
  draft->linkage = place->start;
  draft->module = *module;
  draft->module.draft = draft;
  draft->module.text = module->text + start;
  draft->module.length = place->end + 1 - start; // with the brace
  draft->place = *place;
  draft->place.start = draft->place.signature = 0;
  draft->place.named -= start;
  draft->place.body -= start;
  draft->place.end -= start;
  return draft;
}

lin_ptx_draft *lin_ptx_draft_of(lin_arena *arena, const lin_ptx_module *module,
                                const lin_ptx_place *place, const char *text, uint32_t length) {
  lin_ptx_draft *draft = lin_ptx_draft_cut(arena, module, place);
  draft->module.text = text;
  draft->module.length = length;
  draft->place.end = length - 1;
  return draft;
}

lin_ptx_draft *lin_ptx_draft_change(lin_arena *arena, const lin_ptx_draft *draft,
                                    lin_ptx_patch *patch) {
  lin_ptx_draft *made = LIN_NEW(arena, lin_ptx_draft);
  *made = *draft;
  made->before = draft;
  made->module.draft = made;
  made->num_changes = patch->count;
  made->module.text = lin_ptx_patch_text(arena, draft->module.text, draft->module.length, patch,
                                         &made->module.length);
  made->change = patch->change;
  made->came = LIN_ARRAY(arena, uint32_t, made->num_changes);
  made->place.end = made->module.length - 1;
  uint32_t at = 0, old = 0;
  for (uint32_t i = 0; i < made->num_changes; i++) {
    const lin_ptx_change *change = &made->change[i];
    made->came[i] = at += change->start - old;
    at += change->length;
    old = change->end;
  }
  *patch = (lin_ptx_patch){.arena = patch->arena};
  return made;
}

uint32_t lin_ptx_former(const lin_ptx_draft *draft, uint32_t place) {
  uint32_t low = 0, high = draft->num_changes; // of changes that came in front of it
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (draft->came[middle] <= place)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return place;
  const lin_ptx_change *change = &draft->change[low - 1];
  uint32_t behind = place - draft->came[low - 1];
  return behind < change->length ? change->start : change->end + (behind - change->length);
}

uint32_t lin_ptx_origin(const lin_ptx_module *module, uint32_t place) {
  const lin_ptx_draft *draft = module->draft;
  if (draft == NULL)
    return place;
  for (; draft->before != NULL; draft = draft->before)
    place = lin_ptx_former(draft, place);
  return draft->start + place;
}

const char *lin_ptx_input(const lin_ptx_module *module) {
  return module->draft == NULL ? module->text : module->draft->input->text;
}
